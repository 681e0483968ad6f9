import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from '../../files/is-alive.ts';
import { engine } from './engine.ts';
import type { DockerSettings } from './settings.ts';

/** Milliseconds in which containers that are being removed have to be gone. */
const patience = 20_000;

/** `hefix-<process>-<random>`. */
export function containerName(): string {
  return `hefix-${process.pid}-${randomBytes(6).toString('hex')}`;
}

/** What every container of hefix carries, to watch it by (`docker events --filter label=hefix`) and to sweep it. */
export function labels(): string[] {
  return ['hefix=sandbox', `hefix.host=${hostname()}`, `hefix.pid=${process.pid}`];
}

/** Removes the containers whose hefix is gone, which a kill -9 can leave behind. */
export async function sweepContainers(settings: DockerSettings): Promise<void> {
  const names = await containersOf(settings, 'label=hefix=sandbox', `label=hefix.host=${hostname()}`);
  const orphans = names.filter(name => !isAlive(Number(name.split('-')[1])));
  // What cannot be removed now does not keep anybody from working; the next start tries again.
  if (orphans.length > 0) await removeContainers(settings, orphans).catch(() => {});
}

/**
 * Waits for those that the engine removes by itself at the same time, which it tells of as an error ("removal of
 * container … is already in progress"). Rejects with the HefixErrors of `engine` if others stay.
 */
export async function removeContainers(settings: DockerSettings, names: readonly string[]): Promise<void> {
  const started = Date.now();
  for (;;) {
    try {
      await engine(settings, ['rm', '--force', '--volumes', ...names]);
      return;
    } catch (error) {
      // They may be gone, or on their way: the engine removes them too when they end.
      const left = await containersOf(settings, 'label=hefix=sandbox');
      if (!names.some(name => left.includes(name))) return;
      if (Date.now() - started > patience) {
        if (isBeingRemoved(error)) return;
        throw error;
      }
    }
    await pause(250);
  }
}

function isBeingRemoved(error: unknown): boolean {
  return error instanceof Error && /already in progress/.test(error.message);
}

async function containersOf(settings: DockerSettings, ...filters: readonly string[]): Promise<string[]> {
  const filtered = filters.flatMap(filter => ['--filter', filter]);
  // Docker and podman differ in how they print labels, not in how they print names.
  return (await engine(settings, ['ps', '--all', ...filtered, '--format', '{{.Names}}']))
    .split('\n')
    .filter(Boolean);
}

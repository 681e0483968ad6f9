import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from '../../files/lock.ts';
import { engine } from './engine.ts';
import type { DockerSettings } from './settings.ts';

/** Milliseconds that containers may take to be removed. */
const patience = 20_000;

/** `hefix-<process>-<random>`. */
export function containerName(): string {
  return `hefix-${process.pid}-${randomBytes(6).toString('hex')}`;
}

/** Labels of every hefix container, for watching (`docker events --filter label=hefix`) and for sweeping. */
export function labels(): string[] {
  return ['hefix=sandbox', `hefix.host=${hostname()}`, `hefix.pid=${process.pid}`];
}

/** Removes containers whose hefix process has ended, such as after kill -9. */
export async function sweepContainers(settings: DockerSettings): Promise<void> {
  const names = await containersOf(settings, 'label=hefix=sandbox', `label=hefix.host=${hostname()}`);
  const orphans = names.filter(name => !isAlive(Number(name.split('-')[1])));
  // A container that cannot be removed now does no harm; the next start tries again.
  if (orphans.length > 0) await removeContainers(settings, orphans).catch(() => {});
}

/**
 * Waits for containers that the engine is removing by itself, which it reports as an error ("removal of
 * container … is already in progress"). Rejects with the HefixErrors of `engine` if others stay.
 */
export async function removeContainers(settings: DockerSettings, names: readonly string[]): Promise<void> {
  const started = Date.now();
  for (;;) {
    try {
      await engine(settings, ['rm', '--force', '--volumes', ...names]);
      return;
    } catch (error) {
      // They may have been removed, or be about to: the engine also removes them when they end.
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
  // Docker and podman print labels differently, but not names.
  return (await engine(settings, ['ps', '--all', ...filtered, '--format', '{{.Names}}']))
    .split('\n')
    .filter(Boolean);
}

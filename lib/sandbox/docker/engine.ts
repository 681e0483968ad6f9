import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { isAlive } from '../../files/lock.ts';
import {
  dockerFailed,
  dockerImageMissing,
  dockerMissing,
  dockerNotAllowed,
  dockerNotRunning,
} from './errors.ts';
import type { DockerSettings } from './settings.ts';

/**
 * Runs one command of the container engine and returns its output. Throws HefixErrors with the codes
 * DOCKER_MISSING, DOCKER_NOT_RUNNING, DOCKER_NOT_ALLOWED, DOCKER_IMAGE_MISSING and DOCKER_FAILED.
 */
export async function engine(settings: DockerSettings, args: readonly string[]): Promise<string> {
  const [file = '', ...first] = settings.command;
  const run = await execa(file, [...first, ...args], { stdin: 'ignore', reject: false, timeout: 60_000 });
  if (run.exitCode === 0) return run.stdout;
  throw engineError(settings, run.code === 'ENOENT' ? null : run.stderr || run.shortMessage || '');
}

/** Resolves if the engine works and has the image; otherwise throws the HefixErrors of `engine`. */
export async function checkDocker(settings: DockerSettings): Promise<void> {
  await engine(settings, ['image', 'inspect', '--format', '{{.Id}}', settings.image]);
}

/** The error that an engine's message stands for; null means that its program was not found. */
export function engineError(settings: DockerSettings, complaint: string | null) {
  const command = settings.command.join(' ');
  if (complaint === null || /command not found/.test(complaint)) return dockerMissing(command);
  if (/permission denied|password is required|terminal is required/i.test(complaint))
    return dockerNotAllowed(command);
  if (
    /cannot connect|connection refused|daemon running|error during connect|unable to connect/i.test(complaint)
  ) {
    return dockerNotRunning(command);
  }
  if (
    /no such image|unable to find image|image not known|manifest unknown|pull access denied/i.test(complaint)
  ) {
    return dockerImageMissing(settings.image, command);
  }
  return dockerFailed(command, complaint.trim().split('\n').at(-1) ?? '');
}

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

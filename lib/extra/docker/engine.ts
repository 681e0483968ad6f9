import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { z } from 'zod';
import { isAlive } from '../../files/lock.ts';
import { findOnPath } from '../../sandbox/isolation/programs.ts';
import {
  dockerFailed,
  dockerImageMissing,
  dockerMissing,
  dockerNotAllowed,
  dockerNotRunning,
  settingInvalid,
} from './errors.ts';

/**
 * Runs one command of the container engine and returns its output. Throws HefixErrors with the codes
 * DOCKER_MISSING, DOCKER_NOT_RUNNING, DOCKER_NOT_ALLOWED, DOCKER_IMAGE_MISSING and DOCKER_FAILED.
 */
export async function engine(settings: DockerSettings, args: readonly string[]): Promise<string> {
  const [file = '', ...first] = settings.command;
  const run = await execa(file, [...first, ...args], {
    cwd: '/',
    stdin: 'ignore',
    reject: false,
    timeout: 60_000,
  });
  if (run.exitCode === 0) return run.stdout;
  // EACCES also comes from a folder on the PATH that this user cannot read.
  const isUnreadable = run.code === 'EACCES' && !file.includes('/') && findOnPath(file) === undefined;
  const isMissing = run.code === 'ENOENT' || isUnreadable;
  throw engineError(settings, isMissing ? null : run.stderr || run.shortMessage || '');
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

/** How containers are created. */
export interface DockerSettings {
  /** The engine's command: `docker`, `sudo docker`, `podman`. */
  readonly command: readonly string[];
  readonly image: string;
  /** Number of processors that a container may use. */
  readonly cpus: number;
  /** Memory in the engine's notation, `512m`; null to derive it from the limits of an execution. */
  readonly memory: string | null;
  /** Maximum number of processes and threads in a container. */
  readonly pids: number;
}

/**
 * Reads DOCKER_BIN, SANDBOX_DOCKER_IMAGE, SANDBOX_DOCKER_CPUS, SANDBOX_DOCKER_MEMORY and SANDBOX_DOCKER_PIDS.
 * Throws a HefixError with the code OPTION_INVALID.
 */
export function readDockerSettings(
  environment: Readonly<Record<string, string | undefined>>,
): DockerSettings {
  const read = <T>(name: string, fallback: T, schema: z.ZodType<T>, expected: string): T => {
    const text = environment[name];
    if (text === undefined || text === '') return fallback;
    const parsed = schema.safeParse(text);
    if (!parsed.success) throw settingInvalid(name, text, expected);
    return parsed.data;
  };
  return {
    command: read('DOCKER_BIN', 'docker', z.string().regex(/\S/), 'a command').trim().split(/\s+/),
    image: read(
      'SANDBOX_DOCKER_IMAGE',
      'python:3.13-slim',
      z.string().regex(/^[^\s-]\S*$/),
      'the name of an image',
    ),
    cpus: read(
      'SANDBOX_DOCKER_CPUS',
      1,
      z.coerce.number().positive().finite(),
      'a number of processors above 0',
    ),
    memory: read<string | null>(
      'SANDBOX_DOCKER_MEMORY',
      null,
      z.string().regex(/^[1-9]\d*[bkmg]?$/i),
      'an amount such as 512m or 2g',
    ),
    pids: read('SANDBOX_DOCKER_PIDS', 64, z.coerce.number().int().min(4), 'a whole number of at least 4'),
  };
}

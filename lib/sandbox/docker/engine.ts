import { execa } from 'execa';
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

import { HefixError } from '../../core/errors.ts';

export function dockerMissing(command: string): HefixError {
  return new HefixError(
    'DOCKER_MISSING',
    `There is no program ${command}.`,
    'Install Docker (apt-get install docker.io) or podman, or set DOCKER_BIN to the command that starts it.',
  );
}

export function dockerNotRunning(command: string): HefixError {
  return new HefixError(
    'DOCKER_NOT_RUNNING',
    `${command} cannot reach its daemon.`,
    'Start it (systemctl start docker), or set DOCKER_HOST to its address.',
  );
}

export function dockerNotAllowed(command: string): HefixError {
  return new HefixError(
    'DOCKER_NOT_ALLOWED',
    `This user may not use ${command}.`,
    'Join the group docker, or set DOCKER_BIN="sudo docker".',
  );
}

export function dockerImageMissing(image: string, command: string): HefixError {
  return new HefixError(
    'DOCKER_IMAGE_MISSING',
    `The image ${image} is not available locally.`,
    `Run ${command} pull ${image}, or set SANDBOX_DOCKER_IMAGE to another image with Python 3.9 or newer.`,
  );
}

/** The image has no usable Python; `why` is part of a sentence. */
export function dockerImageUnfit(image: string, why: string): HefixError {
  return new HefixError(
    'DOCKER_IMAGE_UNFIT',
    `The image ${image} cannot run candidates: ${why}.`,
    'Set SANDBOX_DOCKER_IMAGE to an image with Python 3.9 or newer, such as python:3.13-slim.',
  );
}

export function dockerFailed(command: string, complaint: string): HefixError {
  return new HefixError(
    'DOCKER_FAILED',
    `${command} failed: ${complaint.replace(/\.$/, '')}.`,
    'Run hefix doctor to check it, or use --sandbox process.',
  );
}

/** For a value of an environment variable. */
export function settingInvalid(variable: string, value: string, expected: string): HefixError {
  return new HefixError(
    'OPTION_INVALID',
    `${variable} is ${JSON.stringify(value)}, expected ${expected}.`,
    'Change or unset the environment variable.',
  );
}

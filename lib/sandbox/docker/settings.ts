import { z } from 'zod';
import { settingInvalid } from './errors.ts';

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

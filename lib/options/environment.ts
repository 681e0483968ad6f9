import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment, and below it what `.env` in a folder says. The process's own environment stays as it is:
 * what it starts inherits no key from the file.
 */
export function readEnvironment(folder: string, environment: Environment): Environment {
  return { ...readEnvFile(join(folder, '.env')), ...environment };
}

/** Many have no such file, and some have a folder of that name. */
function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

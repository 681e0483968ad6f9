import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment, with `.env` in a folder as fallback. The process's own environment is unchanged, so that
 * child processes inherit no key from the file.
 */
export function readEnvironment(folder: string, environment: Environment): Environment {
  return { ...readEnvFile(join(folder, '.env')), ...environment };
}

/** The file is optional, and some folders contain a folder with that name. */
function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

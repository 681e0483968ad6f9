import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environmentBroken } from '../errors.ts';

/**
 * The project's interpreter: the one that was named, that of the active virtual environment, that of one in
 * the project's folder, or python3.
 * @throws HefixError `INTERPRETER_UNUSABLE`
 */
export function pythonOf(
  root: string,
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (given !== undefined) return /[/\\]/.test(given) ? resolve(given) : given;
  const inProject = ['.venv', 'venv', 'env'].map(name => join(root, name)).find(isEnvironment);
  const folder = env.VIRTUAL_ENV || inProject;
  if (!folder) return 'python3';
  const found = ['python', 'python3'].map(name => join(folder, 'bin', name)).find(existsSync);
  if (found === undefined) throw environmentBroken(folder);
  return found;
}

/** Whether a folder is a virtual environment; venv and virtualenv both write this file. */
export function isEnvironment(folder: string): boolean {
  return existsSync(join(folder, 'pyvenv.cfg'));
}

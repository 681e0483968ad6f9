import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The absolute path of a program, from PATH or the system's usual folders. */
export function findProgram(name: string): string | undefined {
  return findOnPath(name) ?? findIn(['/usr/bin', '/bin', '/usr/local/bin'], name);
}

/** The absolute path of a program, from PATH alone. */
export function findOnPath(name: string): string | undefined {
  return findIn((process.env.PATH ?? '').split(delimiter), name);
}

function findIn(folders: readonly string[], name: string): string | undefined {
  return folders
    .filter(isAbsolute)
    .map(folder => join(folder, name))
    .find(existsSync);
}

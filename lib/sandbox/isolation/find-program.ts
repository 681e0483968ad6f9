import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The absolute path of a program, from PATH or the system's usual folders. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/local/bin'];
  return folders
    .filter(isAbsolute)
    .map(folder => join(folder, name))
    .find(existsSync);
}

import { execFile } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { packageFile } from '../../files/package.ts';

/** The absolute path of a program, from PATH or the system's usual folders. */
export function findProgram(name: string): string | undefined {
  return findOnPath(name) ?? findIn(['/usr/bin', '/bin', '/usr/local/bin'], name);
}

/** The absolute path of a program, from PATH alone. */
export function findOnPath(
  name: string,
  folders: readonly string[] = (process.env.PATH ?? '').split(delimiter),
): string | undefined {
  return findIn(folders.filter(isTheUsers), name);
}

/** npm puts the programs of the current folder's packages first, which the folder decides. */
function isTheUsers(folder: string): boolean {
  return !folder.split('/').includes('node_modules');
}

function findIn(folders: readonly string[], name: string): string | undefined {
  return folders
    .filter(isAbsolute)
    .map(folder => join(folder, name))
    .find(existsSync);
}

const execute = promisify(execFile);

/** Asks an interpreter for all the files that it reads: itself, its modules, its shared libraries. */
export async function interpreterFiles(python: string): Promise<readonly string[]> {
  const script = packageFile('lib/sandbox/isolation/describe.py');
  const { stdout } = await execute(python, ['-I', script], {
    cwd: '/',
    timeout: 30_000,
    maxBuffer: OUTPUT_BYTES,
  });
  return [python, ...z.array(z.string()).parse(JSON.parse(stdout))];
}

/**
 * The files of a native program: itself, its loader, and the folders of shared libraries that this process,
 * assumed to be the same program, has loaded.
 */
export function programFiles(program: string): string[] {
  if (process.platform !== 'linux') return [program];
  // The loader's name is near the beginning of the file (ELF's PT_INTERP). The file may be anyone's: the name must be
  // that of a loader, without a way up.
  const loader = /(?:\/\w[\w+.-]*){0,9}\/ld[\w.-]*\.so(?:\.\d+)*(?=\0)/.exec(beginning(program))?.[0];
  const mapped = readFileSync('/proc/self/maps', 'utf8').match(/\/\S+\.so\S*$/gm) ?? [];
  const libraries = new Set(mapped.map(dirname));
  return [program, ...(loader === undefined ? [] : [loader]), ...libraries, '/etc/ld.so.cache'].filter(
    existsSync,
  );
}

/** Longer than any list of an interpreter's files. */
const OUTPUT_BYTES = 2 ** 26;

/** Only the first page of the file, since programs are large. */
function beginning(file: string): string {
  // A pipe would block.
  const descriptor = openSync(file, constants.O_NONBLOCK);
  try {
    const page = Buffer.alloc(4096);
    return page.toString('latin1', 0, readSync(descriptor, page));
  } finally {
    closeSync(descriptor);
  }
}

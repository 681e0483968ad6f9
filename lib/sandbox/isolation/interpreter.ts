import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { packageFile } from '../../files/package-root.ts';

/** Asks an interpreter for all the files that it reads: itself, its modules, its shared libraries. */
export async function interpreterFiles(python: string): Promise<readonly string[]> {
  const script = packageFile('lib/sandbox/isolation/describe.py');
  const { stdout } = await execa(python, ['-I', script], { timeout: 30_000 });
  return [python, ...z.array(z.string()).parse(JSON.parse(stdout))];
}

/**
 * The files of a native program: itself, its loader, and the folders of shared libraries that this process,
 * assumed to be the same program, has loaded.
 */
export function programFiles(program: string): string[] {
  if (process.platform !== 'linux') return [program];
  // The loader's name is near the beginning of the file (ELF's PT_INTERP).
  const loader = /\/[!-~]*\/ld[!-~]*\.so[!-~]*/.exec(beginning(program))?.[0];
  const mapped = readFileSync('/proc/self/maps', 'utf8').match(/\/\S+\.so\S*$/gm) ?? [];
  const libraries = new Set(mapped.map(dirname));
  return [program, ...(loader === undefined ? [] : [loader]), ...libraries, '/etc/ld.so.cache'].filter(
    existsSync,
  );
}

/** Only the first page of the file, since programs are large. */
function beginning(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const page = Buffer.alloc(4096);
    return page.toString('latin1', 0, readSync(descriptor, page));
  } finally {
    closeSync(descriptor);
  }
}

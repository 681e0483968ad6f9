import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { findProgram } from '../../isolation/find-program.ts';
import { linkerWords } from '../driver-command.ts';
import { realPath } from '../find-toolchain.ts';
import { crateNames, type RustTools, sharedLibrary } from './rustc.ts';

/** How `program.o` becomes `program`, with the standard library as a shared one. */
export interface RustLink {
  readonly command: readonly string[];
  /** The shared library, which the program loads. */
  readonly library: string;
}

/**
 * The linker's own command, without rustc and gcc, which would take as long to link as to compile. Null where Rust
 * comes without a shared library.
 * @throws TOOLCHAIN_FAILED
 */
export async function rustLink(tools: RustTools, crates: string): Promise<RustLink | null> {
  const library = sharedLibrary(tools);
  if (library === null) return null;
  const ask = async (name: string): Promise<string> =>
    dirname(realPath((await execa(tools.linker, [`-print-file-name=${name}`])).stdout.trim()));
  const folders = await Promise.all(['crtbegin.o', 'crt1.o', 'libc.so.6'].map(ask));
  const objects = [
    'program.o',
    ...crateNames.map(name => join(crates, `lib${name}.rlib`)),
    library,
    ...systemLibraries,
    ...['-s', `-Wl,-rpath,${dirname(library)}`],
  ];
  const words = await linkerWords(tools.linker, folders, objects, 'program');
  return { command: [linkerProgram(), ...words], library };
}

/** What rustc links programs with. */
const systemLibraries = ['-lutil', '-lrt', '-lpthread', '-lm', '-ldl'];

/** gold is the faster one. */
export function linkerProgram(): string {
  return realPath(findProgram('ld.gold') ?? findProgram('ld') ?? '/usr/bin/ld');
}

import { execa } from 'execa';
import { realPath } from '../../files/real-path.ts';
import { toolchainFailed } from './errors.ts';

/**
 * The arguments that GCC's driver passes to one of its programs.
 * @throws TOOLCHAIN_FAILED
 */
export async function driverCommand(
  driver: string,
  flags: readonly string[],
  program: string,
): Promise<string[]> {
  const options = { timeout: 30_000, env: { LC_ALL: 'C' }, reject: false } as const;
  const { stderr } = await execa(driver, ['-###', ...flags], options);
  const start = new RegExp(`^ ?"?\\S*/${program}"? `);
  const line = stderr.split('\n').find(text => start.test(text));
  if (line === undefined) throw toolchainFailed(driver, `it does not tell how it starts ${program}`);
  return (line.replace(start, '').match(/"[^"]*"|\S+/g) ?? []).map(word => word.replaceAll('"', ''));
}

/**
 * The linker's arguments that make a program at a fixed address of objects, archives and flags, with the C library in
 * `folders`.
 * @throws TOOLCHAIN_FAILED
 */
export async function linkerWords(
  driver: string,
  folders: readonly string[],
  objects: readonly string[],
  output: string,
): Promise<string[]> {
  const flags = ['-no-pie', '-fno-use-linker-plugin'];
  const words = await driverCommand(driver, [...flags, ...objects, '-o', output], 'collect2');
  // Some linkers fail on folders that cannot be read in a jail, even their own defaults.
  const isKnown = (word: string): boolean =>
    !word.startsWith('-L') || folders.includes(realPath(word.slice(2)));
  return ['-nostdlib', ...words.filter(isKnown)];
}

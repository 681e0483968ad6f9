import { execa } from 'execa';
import { realPath } from '../../files/paths.ts';
import { findOnPath } from '../isolation/programs.ts';
import { toolchainFailed, toolchainMissing, toolchainTooOld } from './errors.ts';

/** A program of a toolchain, and what to install if it is missing. */
export interface ToolRequirement {
  /** The program's name on the PATH: `go`. */
  readonly program: string;
  /** Name of the language in messages: `Go`. */
  readonly language: string;
  /** Debian packages that contain it. */
  readonly packages: string;
  /** The oldest supported version: `1.19`. */
  readonly minimum: string;
}

export const toolRequirements = {
  go: { program: 'go', language: 'Go', packages: 'golang-go', minimum: '1.19' },
  rust: { program: 'rustc', language: 'Rust', packages: 'rustc', minimum: '1.63' },
  cpp: { program: 'g++', language: 'C++', packages: 'g++', minimum: '12' },
  java: { program: 'javac', language: 'Java', packages: 'default-jdk-headless', minimum: '17' },
} as const satisfies Record<string, ToolRequirement>;

/**
 * The absolute path of a program on the PATH, symbolic links kept.
 * @throws TOOLCHAIN_MISSING
 */
export function requireTool({ program, language, packages }: ToolRequirement): string {
  const found = findOnPath(program);
  if (found === undefined) throw toolchainMissing(program, language, packages);
  return found;
}

/** @throws TOOLCHAIN_TOO_OLD */
export function requireVersion(path: string, found: string, minimum: string): void {
  if (isOlder(found, minimum)) throw toolchainTooOld(path, found, minimum);
}

/** Compares versions number by number: 1.9 is older than 1.19. */
export function isOlder(version: string, minimum: string): boolean {
  const parts = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
  const [have, need] = [parts(version), parts(minimum)];
  const at = need.findIndex((part, index) => (have[index] ?? 0) !== part);
  return at >= 0 && (have[at] ?? 0) < (need[at] ?? 0);
}

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

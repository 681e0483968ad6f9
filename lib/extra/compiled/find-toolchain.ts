import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { cacheFolder } from '../../files/own-cache.ts';
import { realPath } from '../../files/paths.ts';
import { removeLeftovers, removeUnused, temporaryName } from '../../files/write-file-atomic.ts';
import { findOnPath } from '../../sandbox/isolation/programs.ts';
import { toolchainFailed, toolchainMissing, toolchainTooOld } from './errors.ts';
import { runGroup } from './run-group.ts';

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
  /** Arguments with which it prints its version. */
  readonly versionWords: readonly string[];
}

/** Keeps tools of Java from writing `/tmp/hsperfdata_<user>`, wherever the folder for temporary files is. */
export const NO_PERFORMANCE_DATA = '-J-XX:-UsePerfData';

export const toolRequirements = {
  go: { program: 'go', language: 'Go', packages: 'golang-go', minimum: '1.19', versionWords: ['version'] },
  rust: {
    program: 'rustc',
    language: 'Rust',
    packages: 'rustc',
    minimum: '1.63',
    versionWords: ['--version'],
  },
  cpp: { program: 'g++', language: 'C++', packages: 'g++', minimum: '12', versionWords: ['--version'] },
  java: {
    ...{ program: 'javac', language: 'Java', packages: 'default-jdk-headless', minimum: '17' },
    versionWords: [NO_PERFORMANCE_DATA, '--version'],
  },
} as const satisfies Record<string, ToolRequirement>;

/**
 * The absolute path of a program on the PATH, symbolic links kept.
 * @throws TOOLCHAIN_MISSING
 */
export function requireTool({ program, language, packages }: ToolRequirement): string {
  const path = findOnPath(program);
  if (path === undefined) throw toolchainMissing(program, language, packages);
  return path;
}

/** @throws TOOLCHAIN_TOO_OLD */
export function requireVersion(path: string, version: string, minimum: string): void {
  if (isOlder(version, minimum)) throw toolchainTooOld(path, version, minimum);
}

/** Compares versions number by number: 1.9 is older than 1.19. */
export function isOlder(version: string, minimum: string): boolean {
  const parts = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
  const [have, need] = [parts(version), parts(minimum)];
  const index = need.findIndex((part, index) => (have[index] ?? 0) !== part);
  return index >= 0 && (have[index] ?? 0) < (need[index] ?? 0);
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
  const options = { cwd: '/', timeout: 30_000, env: { LC_ALL: 'C' }, reject: false } as const;
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
  const args = await driverCommand(driver, [...flags, ...objects, '-o', output], 'collect2');
  // Some linkers fail on folders that cannot be read in a jail, even their own defaults.
  const isKnown = (word: string): boolean =>
    !word.startsWith('-L') || folders.includes(realPath(word.slice(2)));
  return ['-nostdlib', ...args.filter(isKnown)];
}

/**
 * A folder with everything that is built once per toolchain: `toolchains/<name>-<hash>` in the cache folder.
 * The hash covers `parts`, all that its contents depend on. `build` fills a temporary folder, which is
 * renamed when complete, and those of the same name that were not used for 30 days are removed. If two processes build at
 * the same time, the second uses the folder of the first.
 */
export async function toolchainCache(
  name: string,
  parts: readonly string[],
  build: (temporary: string, final: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const root = join(cacheFolder(process.env), 'toolchains');
  const folder = join(root, `${name}-${hash}`);
  if (existsSync(folder)) {
    const now = new Date();
    // Its time says when it was last used.
    await utimes(folder, now, now).catch(() => {});
    return folder;
  }
  await ensureDirectory(root);
  await removeLeftovers(root);
  await removeUnused(root, `${name}-`);
  const temporary = temporaryName(folder);
  await mkdir(temporary, { mode: 0o700 });
  try {
    await build(temporary, folder);
    // Candidates' jails may run as another user, whatever mask the files were made with.
    await execa('chmod', ['-R', 'a+rX', temporary]);
    await rename(temporary, folder).catch(error => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The names and contents of all files in a folder, on which a cached folder depends. */
export function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
    .flatMap(path => [path.slice(folder.length), readFileSync(path, 'utf8')]);
}

/**
 * Messages in English. Go takes nothing from the current folder's modules, fetches no other version of itself, and
 * counts its use in no files: without a folder for its configuration, it has none for its counters.
 */
export const toolEnvironment = {
  LC_ALL: 'C',
  GOTOOLCHAIN: 'local',
  GO111MODULE: 'off',
  GOFLAGS: '',
  XDG_CONFIG_HOME: '.',
};

interface ToolRun {
  /** Milliseconds. */
  readonly timeout?: number;
  /** In addition to `toolEnvironment`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The part of its complaint that says why it failed; the first line if omitted. */
  readonly why?: (complaint: string) => string | undefined;
}

/**
 * Runs a program of a toolchain and returns its output.
 * @throws TOOLCHAIN_FAILED
 */
export async function runTool(
  program: string,
  args: readonly string[],
  { timeout = 30_000, environment, why = text => text.trim().split('\n')[0] }: ToolRun = {},
): Promise<string> {
  const env = { ...toolEnvironment, ...environment };
  try {
    return (await runGroup(program, args, { cwd: '/', timeout, env })).trim();
  } catch (cause) {
    const complaint = String((cause as { stderr?: unknown }).stderr ?? cause);
    throw toolchainFailed(program, why(complaint) ?? 'it failed', cause);
  }
}

import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import {
  detectIsolation,
  type Isolation,
  type Jail,
  type Limits,
  type ProcessIsolationLevel,
} from '../../sandbox/isolation/isolation.ts';
import { findOnPath, programFiles } from '../../sandbox/isolation/programs.ts';
import { isWithin } from '../project/boundary.ts';

export interface JailOptions {
  readonly memoryMiB: number;
  /** Wall-clock seconds of the whole repair; processes do not outlive it by much. */
  readonly seconds: number;
  readonly isolation: ProcessIsolationLevel | undefined;
  readonly requireIsolation: boolean;
  readonly allowNetwork: boolean;
  /** For the variables of a proxy, if there is a network. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Python and Node start a shell by the first name; the others do nothing that code in the jail could not do itself. */
const shellPrograms = [
  '/bin/sh',
  ...(
    'basename bash cat cp cut date dirname echo env expr false find grep head id less ln ls mkdir mv printenv printf ' +
    'pwd rm rmdir sed sleep sort tail tee test touch tr true uname uniq wc which xargs'
  )
    .split(' ')
    .map(name => join('/usr/bin', name)),
];

/** How processes that run a project's tests are isolated, in any language. */
export interface TestJail {
  readonly isolation: Isolation;
  readonly limits: Limits;
  /**
   * Files of the programs that tests may start: those that were named, a shell and its usual programs, and all in these
   * folders; empty if none may be started.
   */
  executable(programs: readonly string[], folders?: readonly string[]): readonly string[];
  /** The jail with the variables that tests need to find these programs. */
  finding(jail: Jail, programs: readonly string[]): Jail;
}

/**
 * @param python absolute path of the interpreter that closes the jails
 * @throws HefixError (`ISOLATION_UNAVAILABLE`, `ISOLATION_TOO_WEAK`)
 */
export async function testJail(
  python: string,
  { isolation: wanted, requireIsolation, memoryMiB, seconds, allowNetwork, env }: JailOptions,
): Promise<TestJail> {
  const isolation = await detectIsolation({ python, requireIsolation, ...(wanted && { wanted }) });
  const limits: Limits = {
    memoryMiB,
    // A backstop: the wall clock decides.
    cpuSeconds: Math.ceil(seconds) * 4 + 60,
    processes: 256,
    mayFork: true,
    network: allowNetwork ? 'machine' : 'loopback',
    // Node reads all modules of a large project at once.
    openFiles: 4096,
    fileSizeMiB: 64,
    workFolderMiB: 512,
  };
  // Elsewhere, the processes that a test starts would outlive it.
  const maySpawn = isolation.level === 'bubblewrap' || isolation.level === 'namespaces';
  const shellFiles = maySpawn ? filesOf(shellPrograms) : [];
  const proxies = Object.entries(env).filter(
    (entry): entry is [string, string] => allowNetwork && /_proxy$/i.test(entry[0]) && entry[1] !== undefined,
  );
  return {
    isolation,
    limits,
    executable(programs, folders = []) {
      return maySpawn ? [...new Set([...filesOf(programs), ...shellFiles, ...folders])] : [];
    },
    finding: (jail, programs) => ({
      ...jail,
      env: {
        ...jail.env,
        ...Object.fromEntries(proxies),
        PATH: [...new Set([...programs.map(program => dirname(program)), '/usr/bin', '/bin'])].join(':'),
      },
    }),
  };
}

/** Files of the programs that exist. */
function filesOf(programs: readonly string[]): string[] {
  return programs
    .filter(existsSync)
    .flatMap(program => [program, ...programFiles(realpathSync(program))])
    .filter(file => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** The python3 on PATH that closes jails: an active environment in the project is passed over. */
export function hostPython(root: string): string | undefined {
  const realRoot = realpathSync.native(root);
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const found = [...folders, '/usr/bin'].flatMap(folder => findOnPath('python3', [folder]) ?? []);
  return found.find(
    path => !isWithin(path, root) && !isWithin(realpathSync.native(join(path, '..')), realRoot),
  );
}

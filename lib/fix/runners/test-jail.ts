import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import {
  detectIsolation,
  type Isolation,
  type Jail,
  type Limits,
  type ProcessIsolationLevel,
} from '../../sandbox/isolation/isolation.ts';
import { userName } from '../../sandbox/isolation/levels.ts';
import { findOnPath, findProgram, programFiles } from '../../sandbox/isolation/programs.ts';
import { isWithin } from '../project/boundary.ts';

export interface JailOptions {
  readonly memoryMiB: number;
  /** Wall-clock seconds of the whole repair. */
  readonly seconds: number;
  readonly isolation: ProcessIsolationLevel | undefined;
  readonly requireIsolation: boolean;
  readonly allowNetwork: boolean;
  /** The user's variables, of which the tests see few. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that were named for the tests. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Python and Node start a shell by the first name; the others do nothing that code in the jail could not do itself. */
const shellPrograms = [
  '/bin/sh',
  ...(
    'basename bash cat cp cut date dirname echo env expr false find grep head id less ln ls mkdir mv printenv printf ' +
    'pwd rm rmdir sed sleep sort tail tee test touch tr true uname uniq wc which xargs ' +
    'awk chmod cmp comm diff dd du expand find fold gunzip gzip hostname id install join kill locale mktemp nl nproc od ' +
    'paste patch ps readlink realpath rev seq sha256sum md5sum shuf split stat strings tac tar time timeout tty unzip ' +
    'whoami yes zip git'
  )
    .split(' ')
    .map(name => join('/usr/bin', name)),
];

/** What git starts. */
const gitPrograms = '/usr/lib/git-core';

/** What programs read about a system; the same for every user, and of no project. */
const systemFiles = [
  '/etc/os-release',
  '/usr/lib/os-release',
  '/etc/debian_version',
  '/etc/lsb-release',
  '/etc/localtime',
  '/etc/timezone',
  '/etc/mime.types',
  '/etc/services',
  '/etc/protocols',
  '/etc/shells',
  '/etc/fonts',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/usr/share/ca-certificates',
  '/usr/share/fonts',
  '/usr/share/git-core',
  '/usr/share/mime',
  '/usr/share/zoneinfo',
  '/usr/lib/locale',
];

/** The user's variables that tests see: those about how text is shown, the time zone, the shell and CI. */
const testVariables =
  /^(?:TZ|LANG|LANGUAGE|LC_[A-Z]+|COLUMNS|LINES|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|SHELL)$/;

/** How processes that run a project's tests are isolated, in any language. */
export interface TestJail {
  readonly isolation: Isolation;
  readonly limits: Limits;
  /**
   * Files of the programs that tests may start: those that were named, a shell and its usual programs, and all in these
   * folders; empty if none may be started.
   */
  executable(programs: readonly string[], folders?: readonly string[]): readonly string[];
  /** Files of the system that the tests may read, besides what they need. */
  readonly readable: readonly string[];
  /** The jail with the variables that tests need to find these programs. */
  finding(jail: Jail, programs: readonly string[]): Jail;
}

/**
 * @param python absolute path of the interpreter that closes the jails
 * @throws HefixError (`ISOLATION_UNAVAILABLE`, `ISOLATION_TOO_WEAK`)
 */
export async function testJail(
  python: string,
  { isolation: wanted, requireIsolation, memoryMiB, seconds, allowNetwork, env, variables }: JailOptions,
): Promise<TestJail> {
  const isolation = await detectIsolation({ python, requireIsolation, ...(wanted && { wanted }) });
  const limits: Limits = {
    memoryMiB,
    // A backstop: the wall clock decides.
    cpuSeconds: Math.ceil(seconds) * 4 + 60,
    processes: 256,
    mayFork: true,
    network: allowNetwork ? 'machine' : 'loopback',
    namesUser: true,
    showsProcesses:
      isolation.level === 'namespaces' || (isolation.level === 'bubblewrap' && showsProcesses()),
    // Node reads all modules of a large project at once.
    openFiles: 4096,
    fileSizeMiB: 64,
    workFolderMiB: 512,
  };
  // Elsewhere, the processes that a test starts would outlive it.
  const maySpawn = isolation.level === 'bubblewrap' || isolation.level === 'namespaces';
  const shellFiles = maySpawn ? filesOf(shellPrograms) : [];
  const folders = maySpawn && existsSync(gitPrograms) ? [gitPrograms] : [];
  const testVariables = variablesOf(env, allowNetwork);
  return {
    isolation,
    limits,
    executable(programs, more = []) {
      return maySpawn ? [...new Set([...filesOf(programs), ...shellFiles, ...folders, ...more])] : [];
    },
    readable: systemFiles.filter(existsSync),
    finding: (jail, programs) => ({
      ...jail,
      env: {
        ...localeFree(jail.env, testVariables),
        ...testVariables,
        ...identity,
        ...variables,
        PATH: [...new Set([...programs.map(program => dirname(program)), '/usr/bin', '/bin'])].join(':'),
      },
    }),
  };
}

/** The user of the jail, for programs that ask for one. */
const identity = {
  ...{ USER: userName, LOGNAME: userName },
  ...{ GIT_AUTHOR_NAME: userName, GIT_COMMITTER_NAME: userName },
  ...{ GIT_AUTHOR_EMAIL: `${userName}@localhost`, GIT_COMMITTER_EMAIL: `${userName}@localhost` },
};

/** The variables of the user that the tests see. */
export function variablesOf(
  env: Readonly<Record<string, string | undefined>>,
  allowNetwork: boolean,
): Record<string, string> {
  const isShown = (name: string): boolean =>
    testVariables.test(name) || (allowNetwork && /_proxy$/i.test(name));
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => isShown(entry[0]) && entry[1] !== undefined,
    ),
  );
}

/** Without the time zone and the locale of a jail where the user's own are known. */
function localeFree(
  { TZ, LC_ALL, ...rest }: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const hasLocale = Object.keys(variables).some(name => /^(?:LANG|LC_ALL|LC_CTYPE)$/.test(name));
  return {
    ...rest,
    ...(TZ !== undefined && !existsSync('/etc/localtime') && { TZ }),
    ...(LC_ALL !== undefined && !hasLocale && { LC_ALL }),
  };
}

/** Some systems, such as containers that hide a part of their own /proc, refuse another. */
function showsProcesses(): boolean {
  const args = ['--unshare-pid', '--ro-bind', '/', '/', '--proc', '/proc', '--', '/bin/true'];
  return spawnSync(findProgram('bwrap') ?? 'bwrap', args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
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
  const programs = [...folders, '/usr/bin'].flatMap(folder => findOnPath('python3', [folder]) ?? []);
  return programs.find(
    path => !isWithin(path, root) && !isWithin(realpathSync.native(join(path, '..')), realRoot),
  );
}

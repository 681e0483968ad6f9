import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { TestResult } from '../../core/project-tests.ts';
import { findOnPath } from '../../sandbox/isolation/programs.ts';

/**
 * Which failing tests miss something that is there outside of the sandbox, or that no change of the code could give
 * them. A test that only asked for something counts only if this system has it.
 */

export interface Missing {
  readonly test: string;
  readonly kind: Kind;
  readonly name: string;
}

const kinds = [
  ...(['variable', 'file', 'program', 'module', 'library', 'network'] as const),
  ...(['permission', 'limit', 'user', 'locale', 'display', 'terminal'] as const),
];
type Kind = (typeof kinds)[number];

export interface Outside {
  /** Absolute path of the project. */
  readonly root: string;
  /** The user's variables, and the names of those that the tests see. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly shown: ReadonlySet<string>;
  /** Names of the project's own packages and modules. */
  readonly isOwnModule: (name: string) => boolean;
  /** Whether the copy has a file. */
  readonly has: (path: string) => boolean;
  readonly allowNetwork: boolean;
  /** Text of the project's JavaScript, whose reads of variables no run notes; null for Python. */
  readonly script: string | null;
}

/** The first thing that each failing test misses; none for a test that misses nothing. */
export function missingSurroundings(tests: readonly TestResult[], outside: Outside): Missing[] {
  const read = outside.script === null ? [] : variablesRead(outside.script);
  return tests.flatMap(test => {
    if (test.outcome !== 'failed') return [];
    const notes = [...(test.missing ?? []), ...said(test), ...read];
    const missingNote = notes.find(note => isMissing(note, outside));
    const kind = kinds.find(each => each === missingNote?.[0]);
    return missingNote && kind ? [{ test: test.id, kind, name: missingNote[1] }] : [];
  });
}

type Note = readonly [kind: string, name: string, isRaised: boolean];

/** Variables that every process has, and those that only say how a program was started. */
const COMMON =
  /^(?:PATH|HOME|PWD|OLDPWD|SHLVL|_|USER|LOGNAME|TMPDIR|NODE_ENV|PYTEST_\w*|npm_\w*|\w*_proxy)$/i;

function isMissing([kind, name, isRaised]: Note, outside: Outside): boolean {
  switch (kind) {
    case 'variable':
      if (COMMON.test(name) || outside.shown.has(name)) return false;
      return outside.env[name] !== undefined || isRaised;
    case 'file':
      if (!isAbsolute(name)) return !outside.has(name) && existsSync(join(outside.root, name));
      return existsSync(name) || (isRaised && SYSTEM.test(name));
    case 'program':
      return isRaised || findOnPath(name) !== undefined;
    case 'module':
      return !outside.isOwnModule(name.split('.')[0] ?? '');
    case 'network':
      return !outside.allowNetwork;
    default:
      return kinds.some(each => each === kind);
  }
}

/** Where the files of a system lie. */
const SYSTEM = /^\/(?:proc|sys|dev|run|var|etc|home|root|opt|usr|mnt|media|srv|boot|lib)\//;

/** What messages say: those of Node, and of libraries that turn one error into another. */
function said({ type = '', message = '' }: TestResult): Note[] {
  return patterns.flatMap(([pattern, kind, in_]) => {
    const match = pattern.exec(in_ === 'type' ? type : message);
    return match ? [[kind, match[1] ?? match[0], true] as const] : [];
  });
}

const patterns: readonly (readonly [RegExp, Kind, 'type' | 'message'])[] = [
  [
    /^(?:gaierror|URLError|ConnectionError|ConnectionRefusedError|ConnectError|ConnectTimeout|NewConnectionError|MaxRetryError|ClientConnectorError)$/,
    'network',
    'type',
  ],
  [
    /EAI_AGAIN|ENOTFOUND|listen EPERM|connect E(?:PERM|CONNREFUSED|NETUNREACH|HOSTUNREACH)|ENETUNREACH|fetch failed|Name or service not known|urlopen error|[Cc]onnection refused|getaddrinfo/,
    'network',
    'message',
  ],
  [/\bspawn(?:Sync)? ([^\s/]+) ENOENT/, 'program', 'message'],
  [/\b([\w.+-]{1,100}): (?:command )?not found$/m, 'program', 'message'],
  [/ENOENT: [^']*'(\/[^']+)'/, 'file', 'message'],
  [/E(?:ACCES|PERM): [^']*'(\/[^']+)'/, 'permission', 'message'],
  [/\bE(?:MFILE|NOSPC|FBIG|ROFS)\b[^']*/, 'limit', 'message'],
  [/uv_os_get_passwd|uv_os_homedir/, 'user', 'message'],
  [/Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*(?:\/[\w./-]*)?)'/, 'module', 'message'],
  [
    /Failed to (?:load|resolve)(?: entry for package| import)? "((?:@[\w.-]+\/)?[\w-][\w.-]*)"/,
    'module',
    'message',
  ],
];

/** Variables that JavaScript reads somewhere; whether a test depends on one is not known. */
function variablesRead(text: string): Note[] {
  const names = [...text.matchAll(/\b(?:process|import\.meta)\.env(?:\.(\w+)|\[['"](\w+)['"]\])/g)];
  return [...new Set(names.map(([, plain, quoted = '']) => plain ?? quoted))].map(
    name => ['variable', name, false] as const,
  );
}

/** Whole sentences: what is missing, for which tests, and what to do. @param passed whether a test passed for the user */
export function missingNotes(missing: readonly Missing[], passed: (test: string) => boolean): string[] {
  const groups = grouped(missing, ({ kind, name }) => (kind === 'network' ? kind : `${kind} ${name}`));
  return [...groups.values()].flatMap(group => {
    const [first] = group;
    if (!first) return [];
    const { reason, how } = sentences[first.kind](first.name);
    const names = group.slice(0, 3).map(({ test }) => test);
    const more = group.length > 3 ? ` and ${group.length - 3} more` : '';
    const cacheNote = group.every(({ test }) => passed(test))
      ? ' By the cache of the test runner, this passed when you ran it.'
      : '';
    return [`Not repaired, because the test ${reason}: ${names.join(', ')}${more}. ${how}${cacheNote}`];
  });
}

function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

const sentences: Readonly<Record<Kind, (name: string) => { reason: string; how: string }>> = {
  variable: name => ({
    reason: `needs the variable ${name}, which the sandbox does not have`,
    how: `Show it with --env ${name}.`,
  }),
  file: name => ({
    reason: `needs ${name}, which the sandbox does not have`,
    how: 'Let the test use a file of the project.',
  }),
  program: name => ({
    reason: `needs the program ${name}, which the sandbox does not have`,
    how: 'Let the test skip where it is missing.',
  }),
  module: name => ({
    reason: `needs the module ${name}, which is not installed`,
    how: 'Install it, or name the interpreter that has it with --python.',
  }),
  library: name => ({
    reason: `needs the library ${name}, which the sandbox does not have`,
    how: 'Let the test skip where it is missing.',
  }),
  network: () => ({ reason: 'needs the network', how: 'Allow it with --allow-network.' }),
  permission: name => ({
    reason: `does what the sandbox does not permit (${name})`,
    how: 'Let the test skip where it is not permitted.',
  }),
  limit: name => ({
    reason: `needs more than the sandbox gives (${name})`,
    how: 'Let the test use less, or skip.',
  }),
  user: name => ({
    reason: `needs a user that the sandbox does not have (${name})`,
    how: 'Let the test skip where there is none.',
  }),
  locale: name => ({
    reason: `needs a locale that is not here (${name})`,
    how: 'Let the test skip where it is missing.',
  }),
  display: () => ({ reason: 'needs a display', how: 'Let the test skip where there is none.' }),
  terminal: () => ({ reason: 'needs a terminal', how: 'Let the test skip where there is none.' }),
};

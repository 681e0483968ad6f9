import type { ChildProcess } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { packageFile } from '../../lib/files/package.ts';
import { findProgram } from '../../lib/sandbox/isolation/programs.ts';
import type { Need } from './needs.ts';
import { size } from './small-run.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a command did to the machine besides printing. */
export interface Footprint {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Files below `home`, `tmp` and `work` that were not in the project, sorted; digits and hashes are `#`. */
  readonly files: readonly string[];
  /** Addresses with their ports, and names, that a process asked for, besides its own. */
  readonly contacts: readonly string[];
}

export interface CleanMachine {
  /** Empty when the machine is made. */
  readonly home: string;
  /** For temporary files. */
  readonly tmp: string;
  /** Where commands run. */
  readonly work: string;
  /** Runs the compiled command line, to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<Footprint>;
  /** Runs another program of Node.js. */
  runProgram(path: string): Promise<Footprint>;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the command with a signal once it has written something: to its output, or this file in the working folder. */
  readonly end?: { readonly signal: 'SIGINT' | 'SIGKILL'; readonly after: RegExp | string };
}

/**
 * A user's machine on which hefix never ran: an empty home, an empty folder for temporary files, an empty working
 * folder or a copy of `project` there, and no variables such as CI, where some libraries keep silent.
 */
export async function cleanMachine(project?: string): Promise<CleanMachine> {
  const root = await temporaryFolder();
  const [home, tmp, work] = ['home', 'tmp', 'work'].map(name => join(root, name)) as [string, string, string];
  for (const folder of [home, tmp, work]) await mkdir(folder);
  if (project !== undefined) await cp(project, work, { recursive: true });
  const before = await filesIn(root, work);
  const trace = join(root, 'contacts');
  const hook = join(root, 'hook.cjs');
  await writeFile(hook, HOOK);
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, TMPDIR: tmp, NO_COLOR: '1' },
    // The user's: rustup would make another in the empty home.
    RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup'),
  };
  const start = async (
    words: readonly string[],
    { input = '', env: more, end }: RunOptions = {},
  ): Promise<Footprint> => {
    await writeFile(trace, '');
    const hooked = { ...env, NODE_OPTIONS: `--require=${hook}`, HEFIX_TEST_CONTACTS: trace };
    const [file = '', ...args] = [
      ...(strace === undefined ? withoutNetwork : [strace, ...TRACING, trace]),
      ...words,
    ];
    const child = execa(file, args, {
      ...{ cwd: work, extendEnv: false, reject: false, forceKillAfterDelay: false },
      env: { ...(strace === undefined ? hooked : env), ...more },
    });
    child.stdin.write(input);
    if (end === undefined) child.stdin.end();
    else {
      await moment(end.after, child, work);
      child.kill(end.signal);
    }
    const { exitCode, stdout, stderr } = await child;
    const files = (await Promise.all([home, tmp, work].map(folder => filesIn(root, folder)))).flat();
    const traced = await readFile(trace, 'utf8');
    return {
      ...{ exitCode, stdout, stderr },
      files: [...files.filter(name => !before.includes(name)), ...outsideIn(traced)].sort(),
      contacts: contactsIn(traced),
    };
  };
  return {
    ...{ home, tmp, work },
    run: (args, options) => start([...hefix, ...args], options),
    runProgram: path => start([process.execPath, path]),
  };
}

const strace = findProgram('strace');
/** Without it, no server can be reached in a test, not even one of this machine. */
export const tracing: Need = { what: 'strace (apt-get install strace)', isThere: strace !== undefined };

const hefix = [process.execPath, packageFile('dist/bin/hefix.js')];

/**
 * Arguments of strace, before the file that it writes. It is a grandchild, so that signals reach the command, and other
 * system calls do not wait for it.
 */
const TRACING = [
  '-D',
  '-f',
  '--seccomp-bpf',
  '-qq',
  '-e',
  'trace=connect,sendto,sendmsg,?mkdir,mkdirat',
  '-e',
  'signal=none',
  '-A',
  '-o',
];

/** Where strace is missing, native code that the hook does not see reaches nobody. */
const unshare = findProgram('unshare');
const withoutNetwork = await canUnshare();

async function canUnshare(): Promise<readonly string[]> {
  const words = unshare === undefined ? [] : [unshare, '--map-current-user', '--net', '--'];
  const [file, ...args] = [...words, 'true'];
  return file !== undefined && (await execa(file, args, { reject: false })).failed ? [] : words;
}

type Started = Pick<ChildProcess, 'stdout' | 'stderr' | 'exitCode'>;

/** When a process has written a text, or a file of this name is no longer empty. */
async function moment(after: RegExp | string, child: Started, work: string): Promise<void> {
  let written = '';
  const add = (chunk: unknown) => {
    written += String(chunk);
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  const isThere = async () =>
    after instanceof RegExp ? after.test(written) : (await size(join(work, after))) > 0;
  while (!(await isThere())) {
    if (child.exitCode !== null) throw new Error(`It ended too early: ${written}`);
    await wait(5);
  }
}

async function filesIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => !entry.isDirectory())
    .map(({ parentPath, name }) =>
      relative(root, join(parentPath, name))
        .replace(/[0-9a-f]{16,}/g, '#')
        .replace(/\d+/g, '#'),
    );
}

/** Folders of Java's performance data, which are in /tmp wherever TMPDIR is. */
function outsideIn(trace: string): string[] {
  return [...trace.matchAll(/mkdir(?:at\(AT_FDCWD, |\()"(\/tmp\/hsperfdata_[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
}

/** Of strace's lines, those to internet addresses; of the hook's, all. */
function contactsIn(trace: string): string[] {
  const lines = trace.split('\n');
  return [
    ...lines.flatMap(line => {
      const [, port, address] = /sa_family=AF_INET6?, sin6?_port=htons\((\d+)\).*?"([^"]+)"/.exec(line) ?? [];
      return address === undefined ? [] : `${address}:${port}`;
    }),
    ...lines.flatMap(line => /^(?:connect|lookup) .*/.exec(line)?.[0] ?? []),
  ];
}

/** Where strace is missing, what JavaScript asks for. */
const HOOK = `
const { appendFileSync } = require('node:fs');
const log = line => appendFileSync(process.env.HEFIX_TEST_CONTACTS, line + '\\n');
const net = require('node:net');
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof options === 'object' && options.path === undefined) log('connect ' + options.host + ':' + options.port);
  return connect.apply(this, args);
};
for (const api of [require('node:dns'), require('node:dns').promises])
  for (const name of Object.keys(api).filter(key => /^(lookup|resolve)/.test(key))) {
    const original = api[name];
    api[name] = function (host, ...rest) {
      log('lookup ' + host);
      return original.call(this, host, ...rest);
    };
  }
`;

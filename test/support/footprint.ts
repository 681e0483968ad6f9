import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { packageFile } from '../../lib/files/package-root.ts';
import { findProgram } from '../../lib/sandbox/isolation/programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a command did to the machine besides printing. */
export interface Footprint {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Files below `home`, `tmp` and `work`, sorted; digits and hashes are `#`. */
  readonly files: readonly string[];
  /** Addresses and names that a process asked for, besides its own. */
  readonly contacts: readonly string[];
}

export interface CleanMachine {
  /** Empty when the machine is made. */
  readonly home: string;
  /** For temporary files. */
  readonly tmp: string;
  /** Where commands run. */
  readonly work: string;
  /** Runs the compiled command line. */
  run(args: readonly string[]): Promise<Footprint>;
}

/**
 * A user's machine on which hefix never ran: an empty home, an empty folder for temporary files, an empty working
 * folder, and no variables such as CI, where some libraries keep silent.
 */
export async function cleanMachine(): Promise<CleanMachine> {
  const root = await temporaryFolder();
  const [home, tmp, work] = ['home', 'tmp', 'work'].map(name => join(root, name)) as [string, string, string];
  for (const folder of [home, tmp, work]) await mkdir(folder);
  const trace = join(root, 'contacts');
  const hook = join(root, 'hook.cjs');
  await writeFile(hook, HOOK);
  const strace = findProgram('strace');
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, TMPDIR: tmp, NO_COLOR: '1' },
    // The user's: rustup would make another in the empty home.
    RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup'),
  };
  return {
    home,
    tmp,
    work,
    async run(args) {
      await writeFile(trace, '');
      const traced = [...(strace === undefined ? [] : [strace, ...TRACING, trace]), ...hefix, ...args];
      const hooked = { ...env, NODE_OPTIONS: `--require=${hook}`, HEFIX_TEST_CONTACTS: trace };
      const [file = '', ...words] = traced;
      const child = execa(file, words, {
        ...{ cwd: work, extendEnv: false, reject: false },
        env: strace === undefined ? hooked : env,
      });
      const { exitCode, stdout, stderr } = await child;
      const files = await Promise.all([home, tmp, work].map(folder => filesIn(root, folder)));
      return {
        ...{ exitCode, stdout, stderr },
        files: files.flat().sort(),
        contacts: contactsIn(await readFile(trace, 'utf8')),
      };
    },
  };
}

const hefix = [process.execPath, packageFile('dist/bin/hefix.js')];

/** Arguments of strace, before the file that it writes. */
const TRACING = ['-f', '-qq', '-e', 'trace=connect,sendto,sendmsg', '-e', 'signal=none', '-A', '-o'];

async function filesIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => !entry.isDirectory())
    .map(({ parentPath, name }) =>
      relative(root, join(parentPath, name))
        .replace(/[0-9a-f]{32,}/g, '#')
        .replace(/\d+/g, '#'),
    );
}

/** Of strace's lines, those to internet addresses; of the hook's, all. */
function contactsIn(trace: string): string[] {
  const lines = trace.split('\n');
  return [
    ...lines.flatMap(line => /sa_family=AF_INET6?,.*?("[^"]+")/.exec(line)?.[1] ?? []),
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

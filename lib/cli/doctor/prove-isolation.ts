import { createSocket } from 'node:dgram';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageFile } from '../../files/package.ts';
import {
  detectIsolation,
  type Isolation,
  type Limits,
  type ProcessIsolationLevel,
} from '../../sandbox/isolation/isolation.ts';
import { levelsOn } from '../../sandbox/isolation/levels.ts';
import { interpreterFiles, probeLimits } from '../../sandbox/isolation/programs.ts';
import { createWorkFolder } from '../../sandbox/isolation/work-folder.ts';
import { preparePython } from '../../sandbox/python/host/python-programs.ts';

/** Which protections held at a level of isolation, as tried from inside. */
export interface ProvenLevel {
  readonly level: ProcessIsolationLevel;
  /** Why the level is not available; null if it is. */
  readonly missing: string | null;
  readonly protections: ReadonlyArray<{
    readonly name: string;
    readonly held: boolean;
    readonly how: string;
  }>;
}

const limits: Limits = { ...probeLimits, memoryMiB: 256, fileSizeMiB: 4 };

/** In which jail the attempts are made: that of Python candidates, or that of programs in other languages. */
const jails = ['python', 'programs'] as const;

/** All of prove.py but that for the work folder; macOS has no extended attributes in Python. */
const ATTEMPTS = process.platform === 'darwin' ? 21 : 22;

/** Creates a file, a server and a process, and tries to reach them from a jail of each level. */
export async function proveIsolation(python?: string): Promise<readonly ProvenLevel[]> {
  const { executable } = await preparePython(python);
  const proven: ProvenLevel[] = [];
  for (const { name } of levelsOn(process.platform)) proven.push(await proveLevel(name, executable));
  return proven;
}

/**
 * Tries to change the metadata of a file of ours from a jail of the strongest level; rejects if there is no
 * level.
 */
export async function proveMetadata(python: string): Promise<ProvenLevel> {
  return tryProtections(await detectIsolation({ python }), python, 'python', 'metadata: ', 5);
}

async function proveLevel(level: ProcessIsolationLevel, python: string): Promise<ProvenLevel> {
  const isolation = await detectIsolation({ python, wanted: level }).catch((error: Error) => error);
  if (isolation instanceof Error) return { level, missing: isolation.message, protections: [] };
  const [ofPython, others] = await Promise.all(
    jails.map(jail => tryProtections(isolation, python, jail, '', ATTEMPTS)),
  );
  const named = others?.protections.map(protection => ({
    ...protection,
    name: `other languages: ${protection.name}`,
  }));
  return { level, missing: null, protections: [...(ofPython?.protections ?? []), ...(named ?? [])] };
}

/** Tries the protections whose names start with `only`; there must be at least `count` of them. */
async function tryProtections(
  isolation: Isolation,
  python: string,
  kind: (typeof jails)[number],
  only: string,
  count: number,
): Promise<ProvenLevel> {
  const targets = await prepareTargets();
  try {
    const parameters = {
      ...targets.words,
      memory: limits.memoryMiB * 2 ** 20,
      files: limits.openFiles,
      file_size: limits.fileSizeMiB,
      processes: limits.processes,
      // Not limited at the weakest level, nor on macOS.
      work_folder: ['bubblewrap', 'namespaces'].includes(isolation.level) ? limits.workFolderMiB : 0,
      only,
    };
    const [script, confine] = ['isolation/prove.py', 'python/programs/jail/confine.py'].map(name =>
      packageFile(`lib/sandbox/${name}`),
    ) as [string, string];
    const argv = [python, '-I', '-S', '-B', script, confine, JSON.stringify(parameters)];
    const jail =
      kind === 'python'
        ? isolation.command(argv, limits)
        : isolation.program(argv, [script, ...(await interpreterFiles(python))], limits);
    const { file, args, env, cwd } = jail;
    const options = {
      env,
      extendEnv: false,
      cwd,
      timeout: 60_000,
      killSignal: 'SIGKILL',
      reject: false,
    } as const;
    const { stdout, stderr } = await execa(file, args, options).finally(jail.release);
    const protections = stdout
      .split('\n')
      .filter(Boolean)
      .map(line => line.split('\t'))
      .map(([name = '', state, how = '']) => ({ name, held: state === 'held', how }));
    const disturbed = targets.disturbed();
    return {
      level: isolation.level,
      missing: null,
      protections: [
        ...protections,
        {
          name: 'all of them were tried',
          held: protections.length >= count,
          how: stderr.trim().split('\n').at(-1) ?? '',
        },
        { name: 'the host is unchanged', held: disturbed === null, how: disturbed ?? '' },
      ],
    };
  } finally {
    await targets.clear();
  }
}

async function prepareTargets() {
  const work = createWorkFolder(null);
  const folder = work.path;
  const [secret, own] = [join(folder, 'secret'), join(folder, 'own')];
  for (const path of [secret, own]) writeFileSync(path, 'x', { mode: 0o600 });
  const metadata = () => JSON.stringify([secret, own, '/dev/zero'].map(metadataOf));
  const before = metadata();
  let connections = 0;
  const server = createServer(() => {
    connections++;
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const datagrams = createSocket('udp4', () => {
    connections++;
  });
  await new Promise<void>(resolve => datagrams.bind(0, '127.0.0.1', resolve));
  const path = join(folder, 'socket');
  const local = createServer(() => {
    connections++;
  });
  await new Promise<void>(resolve => local.listen(path, resolve));
  const victim = execa(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    cwd: '/',
    stdio: 'ignore',
    reject: false,
  });
  return {
    words: {
      ...{ secret, own, folder, victim: victim.pid ?? 0 },
      port: typeof address === 'object' && address ? address.port : 0,
      datagrams: datagrams.address().port,
      socket: path,
    },
    /** What has changed on the host; null if nothing has. */
    disturbed(): string | null {
      if (connections > 0) return 'a connection came through';
      if (victim.exitCode !== null || victim.signalCode !== null) return 'a process was ended';
      return metadata() === before ? null : 'metadata of a file has changed';
    },
    async clear() {
      server.close();
      datagrams.close();
      local.close();
      victim.kill('SIGKILL');
      await work.remove();
    },
  };
}

function metadataOf(path: string): readonly unknown[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return [stats?.mode, stats?.uid, stats?.nlink, stats?.size, stats?.mtimeMs, stats?.ctimeMs];
}

/** A line for each protection and a column for each level; whole lines. */
export function provenText(proven: readonly ProvenLevel[]): string {
  const tried = proven.filter(({ missing }) => missing === null);
  const names = [...new Set(tried.flatMap(({ protections }) => protections.map(({ name }) => name)))];
  const width = Math.max(...names.map(name => name.length), 0);
  const cell = ({ protections }: ProvenLevel, name: string) => {
    const protection = protections.find(one => one.name === name);
    return protection === undefined ? 'not tried' : protection.held ? 'held' : 'OPEN';
  };
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}  ${cells.map(text => text.padEnd(10)).join('  ')}`.trimEnd();
  return [
    line(
      '',
      tried.map(({ level }) => level),
    ),
    ...names.map(name =>
      line(
        name,
        tried.map(one => cell(one, name)),
      ),
    ),
    ...proven.flatMap(({ missing }) => (missing === null ? [] : [missing])),
  ]
    .map(text => `${text}\n`)
    .join('');
}

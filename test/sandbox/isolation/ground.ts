import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdir, realpath } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFile } from '../../../lib/files/package.ts';
import type { Bait } from './programs.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65534;

/** The users who start jails: both kinds are tried if the tests run as root. */
export interface User {
  readonly name: string;
  readonly uid: number | undefined;
}
export const users: readonly User[] = isRoot
  ? [
      { name: 'root', uid: undefined },
      { name: 'an ordinary user', uid: nobody },
    ]
  : [{ name: 'an ordinary user', uid: undefined }];

export interface Ground {
  readonly bait: Bait;
  /** The package's folder, readable by all users. */
  readonly root: string;
  readonly python: string;
  /** Command lines of remaining jail processes, identified by the marker. */
  left(): string[];
  disturbances(): string[];
  clear(): void;
}

/** Creates what no jail may reach: servers, a process, files. */
export async function layGround(marker: string): Promise<Ground> {
  const folder = await realpath(mkdtempSync(join(tmpdir(), 'hefix-test-')));
  await chmod(folder, 0o755);
  const openFolder = join(folder, 'open');
  await mkdir(openFolder);
  await chmod(openFolder, 0o777);
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, 'secret', { mode: 0o644 });
  const ownFiles = users.map(({ uid }, number) => {
    const path = join(folder, `own-${number}`);
    writeFileSync(path, 'own', { mode: 0o600 });
    if (uid !== undefined) chownSync(path, uid, uid);
    return path;
  });
  const watched = [...ownFiles, secretFile, '/dev/zero', '/dev/null'];
  const metadata = () => watched.map(metadataOf);
  const before = metadata();
  const disturbances: string[] = [];
  const tcp = await listen(0, () => disturbances.push('tcp'));
  const socketPath = join(openFolder, 'socket');
  const unix = await listen(socketPath, () => disturbances.push('unix'));
  await chmod(socketPath, 0o777);
  const abstractName = `hefix-${process.pid}`;
  const abstract = await listen(`\0${abstractName}`, () => disturbances.push('abstract'));
  const udp = await bind(() => disturbances.push('udp'));
  const victims = users.map(({ uid }) =>
    spawn('sleep', ['86400'], { stdio: 'ignore', ...(uid === undefined ? {} : { uid, gid: uid }) }),
  );
  const victim = victims.at(-1) as ChildProcess;
  const tcpAddress = tcp.address();
  return {
    bait: {
      tcpPort: typeof tcpAddress === 'object' && tcpAddress ? tcpAddress.port : 0,
      udpPort: udp.address().port,
      socketPath,
      abstractName,
      victim: victim.pid as number,
      secretFile,
      ownFiles,
      openFolder,
      home: homedir(),
    },
    root: copyPackage(folder),
    python: pythonForAll(),
    left: () =>
      commandLines().filter(
        line => line.includes(marker) && line.includes('confine') && !line.includes('run-jails'),
      ),
    disturbances: () => [
      ...disturbances,
      ...victims
        .filter(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
        .map(() => 'victim'),
      ...readdirSync(openFolder).filter(name => name !== 'socket'),
      ...['/planted', '/tmp/planted', '/dev/shm/planted'].filter(existsSync),
      ...(readFileSync(secretFile, 'utf8') === 'secret' ? [] : ['secret']),
      ...metadata().filter((now, place) => now !== before[place]),
    ],
    clear() {
      for (const server of [tcp, unix, abstract]) server.close();
      udp.close();
      for (const process of victims) process.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** File metadata that nothing in a jail may change. */
function metadataOf(path: string): string {
  const { mode, uid, gid, nlink, mtimeMs, ctimeMs, size } = statSync(path);
  return JSON.stringify({ path, mode, uid, gid, nlink, mtimeMs, ctimeMs, size });
}

/** A copy of the parts of the package that jails need, since this one may be readable only by its owner. */
function copyPackage(folder: string): string {
  const root = join(folder, 'package');
  for (const path of [
    'package.json',
    'dist/lib',
    'lib/sandbox',
    ...[...packagesOf(['zod', 'execa', 'leven'])].map(name => `node_modules/${name}`),
    'test/sandbox/isolation',
  ]) {
    cpSync(packageFile(path), join(root, path), { recursive: true, dereference: true });
  }
  spawnSync('chmod', ['-R', 'a+rX', root]);
  return root;
}

/** Packages with all their dependencies. */
function packagesOf(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names.filter(each => !found.has(each))) {
    found.add(name);
    const manifest = readFileSync(packageFile(`node_modules/${name}/package.json`), 'utf8');
    const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
    packagesOf(Object.keys(dependencies), found);
  }
  return found;
}

/** The first Python on the PATH that other users can start too. */
function pythonForAll(): string {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/bin'];
  const own = folders.map(folder => join(folder, 'python3')).filter(existsSync);
  const starts = own.find(python => {
    const options = isRoot ? { uid: nobody, gid: nobody, cwd: '/' } : {};
    return spawnSync(python, ['-I', '-c', 'import ctypes'], { ...options, env: {} }).status === 0;
  });
  return starts ?? join(dirname(own[0] ?? '/usr/bin/python3'), 'python3');
}

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    });
}

function listen(address: number | string, onConnection: () => void): Promise<Server> {
  const server = createServer(onConnection);
  return new Promise(resolve => {
    if (typeof address === 'number') server.listen(address, '127.0.0.1', () => resolve(server));
    else server.listen(address, () => resolve(server));
  });
}

function bind(onMessage: () => void): Promise<DatagramSocket> {
  const socket = createSocket('udp4', onMessage);
  return new Promise(resolve => socket.bind(0, '127.0.0.1', () => resolve(socket)));
}

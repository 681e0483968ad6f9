import { execFile } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { HefixError } from '../../core/errors.ts';
import { cacheFolder, openOwnCache } from '../../files/own-cache.ts';
import { packageFile } from '../../files/package.ts';
import type { Jail, Limits, OuterJail } from './jail.ts';

/** The absolute path of a program, from PATH or the system's usual folders. */
export function findProgram(name: string): string | undefined {
  return findOnPath(name) ?? findIn(['/usr/bin', '/bin', '/usr/local/bin'], name);
}

/** The absolute path of a program, from PATH alone. */
export function findOnPath(
  name: string,
  folders: readonly string[] = (process.env.PATH ?? '').split(delimiter),
): string | undefined {
  return findIn(folders.filter(isTheUsers), name);
}

/** npm puts the programs of the current folder's packages first, which the folder decides. */
function isTheUsers(folder: string): boolean {
  return !folder.split('/').includes('node_modules');
}

function findIn(folders: readonly string[], name: string): string | undefined {
  return folders
    .filter(isAbsolute)
    .map(folder => join(folder, name))
    .find(existsSync);
}

const execute = promisify(execFile);

/** Asks an interpreter for all the files that it reads: itself, its modules, its shared libraries. */
export async function interpreterFiles(python: string): Promise<readonly string[]> {
  const script = packageFile('lib/sandbox/isolation/describe.py');
  const { stdout } = await execute(python, ['-I', script], {
    cwd: '/',
    timeout: 30_000,
    maxBuffer: OUTPUT_BYTES,
  });
  return [python, ...z.array(z.string()).parse(JSON.parse(stdout))];
}

/**
 * The files of a native program: itself, its loader, and the folders of shared libraries that this process,
 * assumed to be the same program, has loaded.
 */
export function programFiles(program: string): string[] {
  if (process.platform !== 'linux') return [program];
  // The loader's name is near the beginning of the file (ELF's PT_INTERP). The file may be anyone's: the name must be
  // that of a loader, without a way up.
  const loader = /(?:\/\w[\w+.-]*){0,9}\/ld[\w.-]*\.so(?:\.\d+)*(?=\0)/.exec(beginning(program))?.[0];
  const mapped = readFileSync('/proc/self/maps', 'utf8').match(/\/\S+\.so\S*$/gm) ?? [];
  const libraries = new Set(mapped.map(dirname));
  return [program, ...(loader === undefined ? [] : [loader]), ...libraries, '/etc/ld.so.cache'].filter(
    existsSync,
  );
}

/** Longer than any list of an interpreter's files. */
const OUTPUT_BYTES = 2 ** 26;

/** Only the first page of the file, since programs are large. */
function beginning(file: string): string {
  // A pipe would block.
  const descriptor = openSync(file, constants.O_NONBLOCK);
  try {
    const page = Buffer.alloc(4096);
    return page.toString('latin1', 0, readSync(descriptor, page));
  } finally {
    closeSync(descriptor);
  }
}

/** Enough for any interpreter to start and answer. */
export const probeLimits: Limits = {
  memoryMiB: 1024,
  cpuSeconds: 10,
  processes: 16,
  openFiles: 64,
  fileSizeMiB: 1,
  workFolderMiB: 16,
};

export type Probe =
  | { readonly works: true /** What the kernel gave besides. */; readonly holds: readonly string[] }
  | { readonly works: false; readonly reason: string };

/** Starts a trusted program in a jail, closes the jail from inside, and runs a computation there. */
export async function probe(
  python: string,
  command: (argv: readonly string[], limits: Limits) => Jail,
): Promise<Probe> {
  return tryOut(() => command([python, ...programs()], probeLimits));
}

/** The same for a jail inside a jail. */
export async function probeAround(
  python: string,
  command: (argv: readonly string[], limits: Limits) => OuterJail,
): Promise<Probe> {
  const jails = packageFile('lib/sandbox/python/programs/jail/jails.py');
  const inner = made(() => command([], probeLimits).inner());
  if (inner instanceof HefixError) return { works: false, reason: inner.message };
  try {
    return await tryOut(() => command([python, ...programs(), jails, inner.description], probeLimits));
  } finally {
    await inner.release();
  }
}

/** What a function makes, or the error that it throws. */
function made<T>(make: () => T): T | HefixError {
  try {
    return make();
  } catch (error) {
    if (error instanceof HefixError) return error;
    throw error;
  }
}

function programs(): string[] {
  const script = packageFile('lib/sandbox/isolation/probe.py');
  return ['-I', '-S', script, packageFile('lib/sandbox/python/programs/jail/confine.py')];
}

async function tryOut(make: () => Jail): Promise<Probe> {
  const jail = made(make);
  if (jail instanceof HefixError) return { works: false, reason: jail.message };
  const { file, args, env, cwd } = jail;
  const options = {
    env,
    cwd,
    timeout: 30_000,
    killSignal: 'SIGKILL',
  } as const;
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, options);
    const [first, ...holds] = stdout.trim().split(/\s+/);
    if (first === 'held') return { works: true, holds };
    return { works: false, reason: lastLine(stderr) || 'it ended without a word' };
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    return { works: false, reason: lastLine(stderr) || lastLine(message) || 'it ended without a word' };
  } finally {
    await jail.release();
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}

/** What the probes of a level found. */
const probedSchema = z.object({
  /** What confine.py established, and has to establish in every jail from now on. */
  holds: z.array(z.string()),
  /** Whether confine.py can seal device files. */
  seal: z.boolean(),
  /** Whether jails inside a jail hold as much. */
  hasOuter: z.boolean(),
});
export type ProbedLevel = z.infer<typeof probedSchema>;

/**
 * What an earlier process found about the strongest level. A stale entry cannot weaken a jail: each jail establishes
 * all that was found, or does not start.
 */
interface RememberedLevel {
  read(): Promise<ProbedLevel | undefined>;
  /** Undefined to forget it. */
  write(probed: ProbedLevel | undefined): Promise<void>;
}

/** @param files the files that the interpreter reads */
export function rememberedLevel(files: readonly string[]): RememberedLevel {
  const cache = openOwnCache(join(cacheFolder(process.env), 'isolation'));
  const key = JSON.stringify([...systemState(), ...files]);
  return {
    read: async () => probedSchema.safeParse(await cache.read(key)).data,
    write: probed => cache.write(key, probed ?? null),
  };
}

/** Changes with a restart, in another container or as another user, and with bubblewrap and confine.py. */
function systemState(): string[] {
  const programs = [findProgram('bwrap') ?? '', packageFile('lib/sandbox/python/programs/jail/confine.py')];
  return [
    ...['/proc/sys/kernel/random/boot_id', '/proc/self/uid_map'].map(
      attempt(path => readFileSync(path, 'utf8')),
    ),
    ...['mnt', 'net', 'user'].map(attempt(name => readlinkSync(`/proc/self/ns/${name}`))),
    ...programs.map(attempt(path => `${path} ${statSync(path).mtimeMs}`)),
    String(process.geteuid?.()),
  ];
}

function attempt(read: (path: string) => string): (path: string) => string {
  return path => {
    try {
      return read(path);
    } catch {
      return '';
    }
  };
}

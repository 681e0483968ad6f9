import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { HefixError } from '../../../core/errors.ts';
import { cacheFolder, openOwnCache } from '../../../files/own-cache.ts';
import { packageFile } from '../../../files/package.ts';
import { readNamed } from '../../../files/untrusted-file.ts';
import { pythonMissing, pythonNotCPython, pythonTooOld } from '../../errors.ts';
import { findOnPath } from '../../isolation/programs.ts';

/** A Python interpreter, and the sandbox's own programs compiled by it. */
export interface PythonPrograms {
  /** The real interpreter, not a shim that would cost its own start each time. */
  readonly executable: string;
  /** `Python 3.11.7`. */
  readonly version: string;
  /** Where numpy and other installed packages lie. */
  readonly packages: readonly string[];
  /** All files and folders that it reads: itself, its modules, its shared libraries. */
  readonly files: readonly string[];
  /** What the programs are started with; see `isolatedFlags`. */
  readonly environment: Readonly<Record<string, string>>;
  /** The arguments that start one of the programs. */
  arguments(program: Program, ...extra: string[]): string[];
}

type Program = 'candidate' | 'candidates' | 'judges' | 'syntax' | 'builder' | 'builders' | 'programs';

/** No `site`, whose .pth files cost more than the interpreter's own start on some systems, and no .pyc files. */
const flags = ['-S', '-B'];

/**
 * What runs candidates needs a fixed hash seed, which `-I` ignores: with a random one the order of a set of strings,
 * and what order-dependent candidates do, differs from run to run. It gets all else that `-I` does: `-s` leaves out
 * the user's packages, the environment has no other variable of Python's, and `-P`, from Python 3.11 on, or
 * the loader take the working folder off the path.
 */
function isolatedFlags(program: Program, minor: number): string[] {
  if (program !== 'candidate' && program !== 'candidates') return ['-I', ...flags];
  return [...(minor >= 11 ? ['-P'] : []), '-s', ...flags];
}

/** Arguments: in how many pieces the compiled modules come, those pieces, the program's own word, folders of packages. The last module's `main` is the program. */
const loader = `import marshal, sys
from binascii import a2b_base64
from zlib import decompress
count = int(sys.argv[1])
modules, word, packages = ''.join(sys.argv[2 : 2 + count]), sys.argv[2 + count : 3 + count], sys.argv[3 + count :]
sys.argv[1:] = []
sys.path[:] = [path for path in sys.path if path] + packages
own = dict(vars(sys.modules['builtins']))
for name, code in marshal.loads(decompress(a2b_base64(modules))):
    module = sys.modules[name] = type(sys)(name)
    module.__builtins__ = own
    exec(code, module.__dict__)
module.main(*filter(None, word))`;

/**
 * Finds Python and the sandbox's programs compiled with it. Candidates hash strings with `hashSeed`, from 0 to
 * 4294967295; judges with a random seed.
 * Throws HefixErrors with the codes PYTHON_MISSING, PYTHON_TOO_OLD and PYTHON_NOT_CPYTHON.
 */
export async function preparePython(command = 'python3', hashSeed = 0): Promise<PythonPrograms> {
  return programsOf(await describePython(command), hashSeed);
}

/** Takes what bundle.py printed in a container. */
export function readPrograms(about: string, command: string, hashSeed: number): PythonPrograms {
  return programsOf(readAbout(about, command), hashSeed);
}

function programsOf(about: AboutPython, hashSeed: number): PythonPrograms {
  const { executable, version, implementation, packages, files, programs = {} } = about;
  const [major, minor] = version;
  if (major < 3 || (major === 3 && minor < 9)) throw pythonTooOld(executable, version.join('.'));
  if (implementation !== 'cpython') throw pythonNotCPython(executable, implementation);
  return {
    executable,
    version: `Python ${version.join('.')}`,
    packages,
    files: [executable, ...files],
    // Each arena reserves 128 MiB of the address space, which is limited.
    environment: { PYTHONHASHSEED: String(hashSeed), MALLOC_ARENA_MAX: '1' },
    arguments: (program, word = '') => [
      ...isolatedFlags(program, minor),
      ...['-c', loader, ...pieces(programs[program] ?? ''), word, ...packages],
    ],
  };
}

/** One argument of a command line holds 128 KiB at most. */
function pieces(text: string): string[] {
  const chunks = text.match(/.{1,100000}/gs) ?? [];
  return [String(chunks.length), ...chunks];
}

const execute = promisify(execFile);

/** What programs/bundle.py prints. */
const aboutSchema = z.object({
  executable: z.string().min(1),
  version: z.tuple([z.number(), z.number(), z.number()]),
  /** Python's own name of its implementation: `cpython`, `pypy`. */
  implementation: z.string().default('cpython'),
  /** Folders of installed packages. */
  packages: z.array(z.string()).default([]),
  /** All files and folders that it reads. */
  files: z.array(z.string()).default([]),
  /** The sandbox's programs compiled by it, as base64 text; missing if it cannot run them. */
  programs: z.record(z.string(), z.string()).optional(),
});
type AboutPython = z.infer<typeof aboutSchema>;

const entrySchema = z.object({ about: aboutSchema, states: z.string() });

/**
 * Asks a Python about itself, and lets it compile the sandbox's programs. The answer is kept in the cache folder until
 * the interpreter, its packages or the programs change.
 * @throws HefixError (`PYTHON_MISSING`)
 */
export async function describePython(command: string): Promise<AboutPython> {
  const cache = openOwnCache(join(cacheFolder(process.env), 'python'));
  const bundle = packageFile('lib/sandbox/python/programs/bundle.py');
  const files = packageFile('lib/sandbox/isolation/describe.py');
  const sources = hashOf([...filesIn(dirname(bundle)), files]);
  const keyOf = (executable: string) => JSON.stringify([executable, process.env.LD_LIBRARY_PATH, sources]);
  const recall = async (executable: string) => {
    const { data } = entrySchema.safeParse(await cache.read(keyOf(executable)));
    return data?.states === statesOf(data?.about) ? data?.about : undefined;
  };
  const path = isAbsolute(command) ? command : findOnPath(command);
  const started = path === undefined ? command : (behindPyenvShim(path) ?? path);
  const recalled = await recall(started);
  if (recalled) return recalled;
  try {
    // A shim decides each time which interpreter it starts.
    const told = (await run(started, ['-S', '-c', 'import sys; print(sys.executable)'])).trim();
    const executable = existsSync(told) ? told : started;
    const knownBehind = await recall(executable);
    if (knownBehind) return knownBehind;
    const about = readAbout(await run(executable, [bundle, files]), command);
    if (about.programs) await cache.write(keyOf(about.executable), { about, states: statesOf(about) });
    return about;
  } catch (error) {
    throw error instanceof HefixError ? error : pythonMissing(command, error);
  }
}

/** @throws HefixError (`PYTHON_MISSING`) if this is not what bundle.py prints. */
function readAbout(text: string, command: string): AboutPython {
  try {
    return aboutSchema.parse(JSON.parse(text));
  } catch {
    throw pythonMissing(command, 'it does not answer as Python does');
  }
}

async function run(python: string, args: readonly string[]): Promise<string> {
  // Shims choose an interpreter by files of the current folder, which may name one in it.
  const options = { cwd: '/', timeout: 120_000, maxBuffer: 2 ** 26 };
  return (await execute(python, ['-E', '-s', '-B', ...args], options)).stdout;
}

/** Changes with the interpreter, the system's libraries and the folders that `.pth` files lie in. */
function statesOf(about: AboutPython | undefined): string {
  if (about === undefined) return '';
  const { executable, packages } = about;
  const settings = join(dirname(executable), '..', 'pyvenv.cfg');
  return [executable, settings, '/etc/ld.so.cache', ...packages]
    .map(path => statSync(path, { throwIfNoEntry: false }))
    .map(stats => (stats ? [stats.ino, stats.size, stats.mtimeMs].join() : ''))
    .join('\n');
}

function filesIn(folder: string): string[] {
  const paths = readdirSync(folder, { encoding: 'utf8', recursive: true });
  return paths
    .filter(path => path.endsWith('.py'))
    .sort()
    .map(path => join(folder, path));
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${basename(path)}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

/**
 * The interpreter that one of pyenv's shims starts, by pyenv's own rules but without its scripts, which take longer
 * than everything else that is done before an execution. Undefined if the path is not such a shim, or if
 * the version is chosen in a way that only pyenv knows: several versions, a prefix, `system`.
 */
export function behindPyenvShim(path: string): string | undefined {
  const { PWD, PYENV_DIR, PYENV_VERSION } = process.env;
  const [folder, root] = [dirname(path), dirname(dirname(path))];
  if (basename(folder) !== 'shims' || PYENV_DIR || PWD !== process.cwd()) return undefined;
  const version = PYENV_VERSION || chosenVersion(root);
  if (!/^\w[\w.-]*$/.test(version)) return undefined;
  const interpreter = join(root, 'versions', version, 'bin', basename(path));
  return existsSync(interpreter) ? interpreter : undefined;
}

/** From the first `.python-version` in this folder or above, or the user's own choice. */
function chosenVersion(root: string): string {
  let folder = process.cwd();
  while (!existsSync(join(folder, '.python-version')) && folder !== '/') folder = dirname(folder);
  const local = join(folder, '.python-version');
  return (readNamed(existsSync(local) ? local : join(root, 'version'))?.toString('utf8') ?? '').trim();
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { HefixError } from '../../../core/errors.ts';
import { cacheFolder } from '../../../files/cache-folder.ts';
import { openOwnCache } from '../../../files/own-cache.ts';
import { packageFile } from '../../../files/package-root.ts';
import { pythonMissing } from '../../errors.ts';
import { findOnPath } from '../../isolation/find-program.ts';

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
export type AboutPython = z.infer<typeof aboutSchema>;

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
  const found = isAbsolute(command) ? command : findOnPath(command);
  const started = found === undefined ? command : (behindPyenvShim(found) ?? found);
  const known = await recall(started);
  if (known) return known;
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
export function readAbout(text: string, command: string): AboutPython {
  try {
    return aboutSchema.parse(JSON.parse(text));
  } catch {
    throw pythonMissing(command, 'it does not answer as Python does');
  }
}

async function run(python: string, words: readonly string[]): Promise<string> {
  // Shims choose an interpreter by files of the current folder, which may name one in it.
  const options = { cwd: '/', timeout: 120_000, maxBuffer: 2 ** 26 };
  return (await execute(python, ['-E', '-s', '-B', ...words], options)).stdout;
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
  try {
    return readFileSync(existsSync(local) ? local : join(root, 'version'), 'utf8').trim();
  } catch {
    return '';
  }
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { HefixError, pythonMissing, pythonTooOld } from '../../../core/errors.ts';
import { cacheFolder } from '../../../files/cache-folder.ts';
import { packageFile } from '../../../files/package-root.ts';
import { openProgramCache } from './program-cache.ts';

const execute = promisify(execFile);

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
  arguments(program: Program, ...words: string[]): string[];
}

type Program = 'candidate' | 'candidates' | 'judges' | 'syntax' | 'builder' | 'builders' | 'programs';

/** No `site`, whose .pth files cost more than the interpreter's own start on some systems, and no .pyc files. */
const flags = ['-S', '-B'];

/**
 * What runs candidates needs a fixed hash seed, which `-I` ignores: with a random one the order of a set of strings,
 * and what order-dependent candidates do, differs from run to run. It gets all else that `-I` does: `-s` leaves out
 * the user's packages, the environment is empty but for that seed, and `-P`, from Python 3.11 on, or
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
for name, code in marshal.loads(decompress(a2b_base64(modules))):
    module = sys.modules[name] = type(sys)(name)
    exec(code, module.__dict__)
module.main(*filter(None, word))`;

const aboutSchema = z.object({
  executable: z.string().min(1),
  version: z.tuple([z.number(), z.number(), z.number()]),
  packages: z.array(z.string()).default([]),
  files: z.array(z.string()).default([]),
  /** Interpreters with the same id run each other's compiled code. */
  id: z.string().optional(),
  programs: z.record(z.string(), z.string()).optional(),
});
type About = z.infer<typeof aboutSchema>;

/**
 * Finds Python and the sandbox's programs compiled with it, in one start of it; the compiled programs are kept in the
 * cache folder. Candidates hash strings with `hashSeed`, from 0 to 4294967295; judges with a random seed.
 * Throws HefixErrors with the codes PYTHON_MISSING and PYTHON_TOO_OLD.
 */
export async function preparePython(command = 'python3', hashSeed = 0): Promise<PythonPrograms> {
  const sources = packageFile('lib/sandbox/python/programs');
  const cache = await openProgramCache(join(cacheFolder(process.env), 'python-programs'), sources);
  let about = await describe(command, cache.ids);
  if (about.id !== undefined && !about.programs) {
    const programs = await cache.read(about.id);
    if (programs) return programsOf({ ...about, programs }, hashSeed);
    about = await describe(command, []);
  }
  if (about.id !== undefined && about.programs) await cache.write(about.id, about.programs);
  return programsOf(about, hashSeed);
}

async function describe(command: string, known: readonly string[]): Promise<About> {
  const bundle = packageFile('lib/sandbox/python/programs/bundle.py');
  const files = packageFile('lib/sandbox/isolation/describe.py');
  const words = ['-E', '-s', '-B', bundle, files, ...known];
  try {
    const { stdout } = await execute(command, words, { timeout: 120_000, maxBuffer: 2 ** 26 });
    return parse(stdout, command);
  } catch (error) {
    throw error instanceof HefixError ? error : pythonMissing(command, error);
  }
}

/** Takes what bundle.py printed in a container. */
export function readPrograms(about: string, command: string, hashSeed: number): PythonPrograms {
  return programsOf(parse(about, command), hashSeed);
}

function programsOf(about: About, hashSeed: number): PythonPrograms {
  const { executable, version, packages, files, programs = {} } = about;
  const [major, minor] = version;
  if (major < 3 || (major === 3 && minor < 9)) throw pythonTooOld(executable, version.join('.'));
  return {
    executable,
    version: `Python ${version.join('.')}`,
    packages,
    files: [executable, ...files],
    environment: { PYTHONHASHSEED: String(hashSeed) },
    arguments: (program, word = '') => [
      ...isolatedFlags(program, minor),
      ...['-c', loader, ...pieces(programs[program] ?? ''), word, ...packages],
    ],
  };
}

function parse(about: string, command: string): About {
  try {
    return aboutSchema.parse(JSON.parse(about));
  } catch {
    throw pythonMissing(command, 'it does not answer as Python does');
  }
}

/** One argument of a command line holds 128 KiB at most. */
function pieces(text: string): string[] {
  const found = text.match(/.{1,100000}/gs) ?? [];
  return [String(found.length), ...found];
}

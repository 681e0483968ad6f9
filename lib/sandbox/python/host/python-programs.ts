import { pythonNotCPython, pythonTooOld } from '../../errors.ts';
import { type AboutPython, describePython, readAbout } from './describe-python.ts';

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
  const found = text.match(/.{1,100000}/gs) ?? [];
  return [String(found.length), ...found];
}

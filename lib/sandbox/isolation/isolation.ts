import { existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { packageFile } from '../../files/package.ts';
import { isolationTooWeak, isolationUnavailable, noSandboxOnWindows } from '../errors.ts';
import type { Jail, Limits, OuterJail, Plan, ProcessIsolationLevel } from './jail.ts';
import { type Level, levels, levelsOn, weaknesses } from './levels.ts';
import { type Mounts, networkFiles, viewOf } from './mounts.ts';
import {
  interpreterFiles,
  type Probe,
  type ProbedLevel,
  probe,
  probeAround,
  programFiles,
  rememberedLevel,
} from './programs.ts';
import { sweepWorkFolders } from './work-folder.ts';

export type { InnerJail, Jail, Limits, OuterJail, ProcessIsolationLevel } from './jail.ts';

export interface Isolation {
  readonly level: ProcessIsolationLevel;
  /** One sentence on what is not isolated and how to change that; null if everything is. */
  readonly warning: string | null;
  /**
   * Wraps a Python command so that it runs inside a jail. `argv[0]` is the detected interpreter; files named
   * in `argv` are readable inside under the same paths. Standard streams are inherited. The command must call
   * `confine()` of `confine.py` before it reads untrusted code: the outer half of the jail is set up
   * here, the inner half there. SIGKILL to the started process ends everything inside.
   */
  command(argv: readonly string[], limits: Limits): Jail;
  /**
   * Wraps a program other than Python. Python sets up the jail and then executes the program. `argv[0]` is
   * the program's absolute path; `readable` are the files and folders that it reads in addition to its shared
   * libraries, and `executable` the programs that it may start where `mayFork` allows that. Descriptors 0 to 3 are
   * inherited, or as many as `descriptors` says. `memoryMiB` limits private writable memory.
   */
  program(
    argv: readonly string[],
    readable: readonly string[],
    limits: Limits,
    executable?: readonly string[],
    descriptors?: number,
  ): Jail;
  /**
   * Like `command`, for a Python program of hefix that starts the programs in `executable` (files or
   * folders). The limits apply to each of them.
   */
  compiler(argv: readonly string[], files: JailFiles, limits: Limits): Jail;
  /**
   * Like `command`, for a Python program of hefix that forks others, each into a jail of its own inside, with
   * python/programs/jail/jails.py. Null if this system does not allow jails inside a jail.
   */
  readonly outer: ((argv: readonly string[], limits: Limits) => OuterJail) | null;
  /** Like `outer`, for children that become the programs in `executable`. */
  readonly outerPrograms: OuterFiles | null;
  /** Like `outer`, for children that start those programs, such as compilers. */
  readonly outerCompiler: OuterFiles | null;
}

/** Files and folders that a jail reads, and those that it executes. */
export interface JailFiles {
  readonly readable: readonly string[];
  readonly executable: readonly string[];
  /** What `/proc/self/exe` refers to, for programs that do not start without it and get no /proc. */
  readonly selfProgram?: string;
}

type OuterFiles = (argv: readonly string[], files: JailFiles, limits: Limits) => OuterJail;

export interface DetectOptions {
  /** Absolute path of the Python interpreter that runs in the jails. */
  readonly python: string;
  /** The files that it reads; it is asked for them if they are omitted. */
  readonly files?: readonly string[];
  /** The required level; if omitted, the strongest that works. */
  readonly wanted?: ProcessIsolationLevel | undefined;
  /** Refuse `ulimit`, the weakest level. */
  readonly requireIsolation?: boolean | undefined;
  /**
   * True uses what an earlier process found about the strongest level, which may have changed: jails then fail to
   * start. False determines it again and remembers it.
   */
  readonly recall?: boolean | undefined;
  /** That of this process, unless given. */
  readonly platform?: NodeJS.Platform;
}

const detected = new Map<string, Promise<Isolation>>();

/**
 * Finds the strongest isolation that works by running a probe at each level until one passes. The result is
 * kept for the life of this process. Rejects with ISOLATION_UNAVAILABLE or ISOLATION_TOO_WEAK.
 */
export function detectIsolation(options: DetectOptions): Promise<Isolation> {
  const { python, wanted, requireIsolation, recall, platform } = options;
  // Tools such as bubblewrap are looked up on the PATH.
  const key = JSON.stringify([python, wanted, requireIsolation, recall, platform, process.env.PATH]);
  const earlier = detected.get(key);
  if (earlier) return earlier;
  const detection = detect(options);
  detected.set(key, detection);
  detection.catch(() => detected.delete(key));
  return detection;
}

/** Tries every level of this system, for `hefix doctor`. */
export async function surveyIsolation(
  python: string,
): Promise<ReadonlyArray<Probe & { readonly level: ProcessIsolationLevel }>> {
  const interpreter = await interpreterFiles(python);
  return Promise.all(
    levelsOn(process.platform).map(async level => ({
      level: level.name,
      ...(await probeJail(level, python, interpreter)).result,
    })),
  );
}

async function detect(options: DetectOptions): Promise<Isolation> {
  const { python, wanted, requireIsolation, platform = process.platform } = options;
  if (platform === 'win32') throw noSandboxOnWindows();
  await sweepWorkFolders();
  const interpreter = options.files ?? (await interpreterFiles(python));
  const [strongest] = levelsOn(platform);
  const memory = options.recall === undefined ? undefined : rememberedLevel(interpreter);
  const reasons: string[] = [];
  for (const level of levels) {
    const { name, jail, outerJail } = level;
    if (wanted !== undefined && name !== wanted) continue;
    if (level.platform !== null && level.platform !== platform) {
      if (wanted !== undefined) reasons.push(`${name}: only ${systemNames[level.platform]} has it`);
      continue;
    }
    const remembered = level === strongest && options.recall ? await memory?.read() : undefined;
    const probed = remembered ?? (await probeLevel(level, python, interpreter));
    const works = !('reason' in probed);
    if (level === strongest && !remembered) await memory?.write(works ? probed : undefined);
    if (!works) {
      reasons.push(`${name}: ${probed.reason}`);
      continue;
    }
    if (name === 'ulimit' && requireIsolation) throw isolationTooWeak(reasons);
    const { holds, seal, hasOuter } = probed;
    const facts = { needs: holds, seal };
    const make = makerOf(jail, interpreter, facts);
    const makeOuter = outerJail && hasOuter ? makerOf(outerJail, interpreter, facts) : null;
    return {
      level: name,
      warning: weaknesses(name, holds, platform),
      command: commandOf(make),
      program: programOf(make, python),
      compiler: compilerOf(make, true),
      outer: makeOuter && commandOf(makeOuter),
      outerPrograms: makeOuter && compilerOf(makeOuter, false),
      outerCompiler: makeOuter && compilerOf(makeOuter, true),
    };
  }
  throw isolationUnavailable(wanted, reasons);
}

const systemNames = { linux: 'Linux', darwin: 'macOS' } as const;

async function probeLevel(
  { name, jail, outerJail }: Level,
  python: string,
  interpreter: readonly string[],
): Promise<ProbedLevel | { readonly reason: string }> {
  const [{ result, seal }, around] = await Promise.all([
    probeJail({ name, jail }, python, interpreter),
    outerJail && probeAround(python, commandOf(makerOf(outerJail, interpreter, { seal: true }))),
  ]);
  if (!result.works) return result;
  const hasOuter = around?.works === true && result.holds.every(need => around.holds.includes(need));
  return { holds: [...result.holds], seal, hasOuter };
}

/** On some systems bubblewrap cannot keep the capabilities with which device files are made read-only. */
async function probeJail(
  { name, jail }: Pick<Level, 'name' | 'jail'>,
  python: string,
  interpreter: readonly string[],
): Promise<{ readonly result: Probe; readonly seal: boolean }> {
  const result = await probe(python, commandOf(makerOf(jail, interpreter, { seal: true })));
  if (result.works || name !== 'bubblewrap') return { result, seal: true };
  return { result: await probe(python, commandOf(makerOf(jail, interpreter, { seal: false }))), seal: false };
}

/**
 * What is known about this system: what confine.py has to establish, and whether it may seal device files.
 */
interface Known {
  readonly needs?: readonly string[];
  readonly seal: boolean;
}

/** Makes a jail in which the interpreter, these files and no others can be read; `links` are added to the root folder. */
type MakeJail<T> = (
  plan: Pick<Plan, 'argv' | 'limits'> & Partial<Plan>,
  files: readonly string[],
  links?: readonly (readonly [path: string, target: string])[],
) => T;

function makerOf<T extends Jail>(
  start: (plan: Plan) => T,
  interpreter: readonly string[],
  { needs = [], seal }: Known,
): MakeJail<T> {
  // The same files need the same mounts; resolving them takes a system call per path component.
  const views = new Map<string, Mounts>();
  return (plan, files, links = []) => {
    const network = plan.limits.network === 'machine' ? networkFiles : [];
    const all = [...interpreter, ...files, ...network];
    const key = all.join('\n');
    const view = views.get(key) ?? viewOf(all);
    views.set(key, view);
    const mounts = { ...view, links: new Map([...view.links, ...links]) };
    return start({ executable: [], needs, architecture: process.arch, seal, mounts, ...plan });
  };
}

function commandOf<T extends Jail>(make: MakeJail<T>): (argv: readonly string[], limits: Limits) => T {
  return (argv, limits) =>
    make(
      { argv, limits },
      argv.slice(1).filter(word => isAbsolute(word) && existsSync(word)),
    );
}

/** Started as a program, confine.py confines itself and then executes the requested program. */
function programOf(make: MakeJail<Jail>, python: string): Isolation['program'] {
  const confine = packageFile('lib/sandbox/python/programs/jail/confine.py');
  const filesOf = new Map<string, string[]>();
  return (argv, readable, limits, executable = [], descriptors = 4) => {
    const [program = ''] = argv;
    const files = filesOf.get(program) ?? programFiles(program);
    filesOf.set(program, files);
    const jail = make(
      {
        argv: [python, '-I', '-S', '-B', confine, String(descriptors), ...argv],
        limits,
        executable: [...files.filter(file => !statSync(file).isDirectory()), ...executable],
      },
      [confine, ...files, ...readable, ...executable],
    );
    // Node exits if its TLS configuration exists and cannot be read.
    return { ...jail, env: { ...jail.env, OPENSSL_CONF: '/dev/null' } };
  };
}

function compilerOf<T extends Jail>(
  make: MakeJail<T>,
  forks: boolean,
): (argv: readonly string[], files: JailFiles, limits: Limits) => T {
  return (argv, { readable, executable, selfProgram }, limits) =>
    make(
      { argv, limits, executable, forks },
      [...executable, ...readable],
      selfProgram ? [['/proc/self/exe', selfProgram]] : [],
    );
}

import { existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isolationTooWeak, isolationUnavailable } from '../../errors.ts';
import { packageFile } from '../../package-root.ts';
import type { Cell, Limits, OuterCell, Plan, ProcessIsolationLevel } from './cell.ts';
import { interpreterFiles, programFiles } from './interpreter.ts';
import { levels } from './levels.ts';
import { type Probe, probe, probeAround } from './probe.ts';
import { seccompFilter } from './seccomp-filter.ts';
import { type View, viewOf } from './view.ts';
import { weaknesses } from './weaknesses.ts';
import { sweepWorkFolders } from './work-folder.ts';

export type { Cell, InnerCell, Limits, OuterCell, ProcessIsolationLevel } from './cell.ts';

export interface Isolation {
  readonly level: ProcessIsolationLevel;
  /** One sentence for people on what is not isolated and how to get it; null if nothing is open. */
  readonly warning: string | null;
  /**
   * Wraps a Python command so that it runs inside a cell. `argv[0]` is the interpreter that was detected
   * with; files named in `argv` are readable inside, under their own paths. Standard streams pass through. The command must call `confine()` of `python/confine.py` before it reads foreign code:
   * the outer half of the cell is closed here, the inner half there.
   * Killing the started process with SIGKILL ends everything inside.
   */
  command(argv: readonly string[], limits: Limits): Cell;
  /**
   * Wraps a program other than Python, which cannot close its own cell: Python closes it and then becomes the
   * program. `argv[0]` is the program's absolute path, `readable` are the files and folders that it reads besides
   * its shared libraries. Descriptors 0 to 3 pass through. `memoryMiB` limits private writable memory.
   */
  program(argv: readonly string[], readable: readonly string[], limits: Limits): Cell;
  /**
   * The same as `command` for a Python program of ours that forks others, each into a cell of its own inside, with
   * python/cells.py. Null where this machine does not let cells be made inside a cell.
   */
  readonly outer: ((argv: readonly string[], limits: Limits) => OuterCell) | null;
}

export interface DetectOptions {
  /** Absolute path of the Python interpreter that will run in the cells. */
  readonly python: string;
  /** Take this level or fail; without it the strongest that works. */
  readonly wanted?: ProcessIsolationLevel;
  /** Refuse the weakest level, `ulimit`. */
  readonly requireIsolation?: boolean;
}

const detected = new Map<string, Promise<Isolation>>();

/**
 * Finds the strongest isolation that works here, by running a probe inside each level until one holds.
 * The answer is kept for the life of this process. Throws HefixErrors with the codes ISOLATION_UNAVAILABLE
 * and ISOLATION_TOO_WEAK.
 */
export function detectIsolation(options: DetectOptions): Promise<Isolation> {
  const key = JSON.stringify([options.python, options.wanted, options.requireIsolation]);
  const known = detected.get(key);
  if (known) return known;
  const found = detect(options);
  detected.set(key, found);
  found.catch(() => detected.delete(key));
  return found;
}

/** Tries every level once: for people who want to know what this machine offers. */
export async function surveyIsolation(
  python: string,
): Promise<ReadonlyArray<Probe & { readonly level: ProcessIsolationLevel }>> {
  const interpreter = await interpreterFiles(python);
  return Promise.all(
    levels.map(async level => ({
      level: level.name,
      ...(await probe(python, commandOf(level.cell, interpreter, []))),
    })),
  );
}

async function detect({ python, wanted, requireIsolation }: DetectOptions): Promise<Isolation> {
  await sweepWorkFolders();
  const interpreter = await interpreterFiles(python);
  const reasons: string[] = [];
  for (const { name, cell, outerCell } of levels) {
    if (wanted !== undefined && name !== wanted) continue;
    const [found, around] = await Promise.all([
      probe(python, commandOf(cell, interpreter, [])),
      probeAround(python, commandOf(outerCell, interpreter, [])),
    ]);
    if (!found.works) {
      reasons.push(`${name}: ${found.reason}`);
      continue;
    }
    if (name === 'ulimit' && requireIsolation) throw isolationTooWeak(reasons);
    const hold = around.works && found.holds.every(what => around.holds.includes(what));
    return {
      level: name,
      warning: weaknesses(name, found.holds),
      command: commandOf(cell, interpreter, found.holds),
      program: programOf(cell, python, interpreter, found.holds),
      outer: hold ? commandOf(outerCell, interpreter, found.holds) : null,
    };
  }
  throw isolationUnavailable(wanted, reasons);
}

function commandOf<T extends Cell>(
  start: (plan: Plan) => T,
  interpreter: readonly string[],
  needs: readonly string[],
): (argv: readonly string[], limits: Limits) => T {
  const seccomp = seccompFilter(process.arch);
  const view = remember(viewOf);
  return (argv, limits) =>
    start({
      argv,
      view: view([...interpreter, ...argv.slice(1).filter(word => isAbsolute(word) && existsSync(word))]),
      executable: [],
      needs,
      seccomp,
      limits,
    });
}

/** confine.py, started as a program, confines itself and then becomes the program that is asked for. */
function programOf(
  start: (plan: Plan) => Cell,
  python: string,
  interpreter: readonly string[],
  needs: readonly string[],
): Isolation['program'] {
  const confine = packageFile('lib/sandbox/python/confine.py');
  const seccomp = seccompFilter(process.arch, true);
  const view = remember(viewOf);
  const filesOf = new Map<string, string[]>();
  return (argv, readable, limits) => {
    const [program = ''] = argv;
    const files = filesOf.get(program) ?? programFiles(program);
    filesOf.set(program, files);
    const cell = start({
      argv: [python, '-I', '-S', '-B', confine, ...argv],
      view: view([...interpreter, confine, ...files, ...readable]),
      executable: files.filter(file => !statSync(file).isDirectory()),
      needs,
      seccomp,
      limits,
    });
    // Node gives up if its TLS configuration exists and cannot be read.
    return { ...cell, env: { ...cell.env, OPENSSL_CONF: '/dev/null' } };
  };
}

/** The same files have the same view: finding it costs a call of the kernel for each part of each path. */
function remember(find: (files: readonly string[]) => View): (files: readonly string[]) => View {
  const known = new Map<string, View>();
  return files => {
    const key = files.join('\n');
    const view = known.get(key) ?? find(files);
    known.set(key, view);
    return view;
  };
}

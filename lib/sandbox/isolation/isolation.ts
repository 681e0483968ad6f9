import { isolationTooWeak, isolationUnavailable } from '../../errors.ts';
import type { IsolationLevel } from '../../verdict.ts';
import { interpreterFiles } from './interpreter.ts';
import { levels } from './levels.ts';
import { probe } from './probe.ts';
import { weaknesses } from './weaknesses.ts';
import { sweepWorkFolders } from './work-folder.ts';

/** The levels that a process on this machine can have; Docker has a sandbox of its own. */
export type ProcessIsolationLevel = Exclude<IsolationLevel, 'docker'>;

/** What a cell may use at most. MiB are 2^20 bytes. */
export interface Limits {
  /** Address space of the process; it cannot fork where seccomp works, so it is the cell's memory. */
  readonly memoryMiB: number;
  /** Processor time, all threads together; the kernel kills the process one second later. */
  readonly cpuSeconds: number;
  /** Processes and threads alive at once, the interpreter included. */
  readonly processes: number;
  readonly openFiles: number;
  /** Size of any one file. */
  readonly fileSizeMiB: number;
  /** All files in the work folder together; not enforced at the `ulimit` level. */
  readonly workFolderMiB: number;
}

/** How to start one process inside a cell of its own. */
export interface Cell {
  readonly file: string;
  readonly args: string[];
  /** The whole environment: give it to `spawn` as it is. */
  readonly env: Record<string, string>;
  readonly cwd: string;
  /** Removes what the cell has on the host; call it once the process has ended. */
  release(): Promise<void>;
}

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

async function detect({ python, wanted, requireIsolation }: DetectOptions): Promise<Isolation> {
  sweepWorkFolders();
  const files = await interpreterFiles(python);
  const reasons: string[] = [];
  for (const [level, command] of levels) {
    if (wanted !== undefined && level !== wanted) continue;
    const found = await probe(python, (argv, limits) => command({ files, needs: [] }, argv, limits));
    if (!found.works) {
      reasons.push(`${level}: ${found.reason}`);
      continue;
    }
    if (level === 'ulimit' && requireIsolation) throw isolationTooWeak(reasons);
    return {
      level,
      warning: weaknesses(level, found.holds),
      command: (argv, limits) => command({ files, needs: found.holds }, argv, limits),
    };
  }
  throw isolationUnavailable(wanted, reasons);
}

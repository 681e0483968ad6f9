import type { Candidate } from '../../../machines/actors.ts';
import type { Progress, Tried } from '../../../machines/project-actors.ts';
import type { TestResult } from '../../core/project-tests.ts';
import type { ProjectFunction } from '../localise/functions.ts';
import { bytesOf, encoded, readSource, type SourceFile } from '../patch/source-file.ts';
import { keepsExamples } from '../project/test-code.ts';
import type { Runner } from '../runners/runner.ts';
import { withAnyObject, withConstantGuard } from './arbitrary-versions.ts';
import type { FileTask } from './function-task.ts';
import { createReserve, type Turn } from './reserve.ts';
import { goalsOf, limitsFor, type Trial, tryCandidate } from './trial.ts';

export interface JudgeInput {
  /** Seconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly tests: readonly TestResult[];
  /** Files with all repairs so far, by path. */
  readonly repaired: ReadonlyMap<string, SourceFile>;
  /** Each tries one candidate at a time. */
  readonly runners: readonly Runner[];
  /** A process that has run nothing yet, for the test of the repair; started once a candidate passes. */
  readonly fresh: Runner;
  readonly onTried: (tried: Tried) => void;
  readonly onJudged: () => void;
  /** Resolves when the next candidate may be tried; at once without it. */
  readonly turn?: () => Promise<void>;
}

/** What the tests say about a candidate. */
export interface Judged {
  /**
   * Whether it makes all failing tests pass that execute the function, and no other fail. An enumerated edit does not
   * count if the tests pass with any object in place of a name that it exchanges, nor if they pass with an added guard
   * that always holds and another repair was found in time.
   */
  readonly isRepair: boolean;
  /** Failing tests that it makes pass. */
  readonly passed: number;
  /** The test that decides against it; null if there is none, or it could not be run. */
  readonly failure: TestResult | null;
  /** How many tests pass. */
  readonly counts?: Trial['counts'];
}

/** A candidate, and the version of the function, or of two, that it stands for. */
export interface JudgedCandidate {
  readonly origin: Candidate['origin']['kind'];
  /** Null if it is none. */
  readonly code: string | null;
}

/** Number of candidates sent to a runner at once. */
export const IN_FLIGHT = 4;

/** Tries a candidate with one of the runners; the same code only once. */
export type JudgeCandidate = (candidate: JudgedCandidate, worker?: number) => Promise<Judged>;

/**
 * Judges candidates of one function, or of two, by the project's tests: those that failed first, then all.
 * @param place the suspect's place in its round
 */
export function createCandidateJudge(
  { timeout, signal, repaired, tests, runners, fresh, onTried, onJudged, turn: ready }: JudgeInput,
  place: number,
  functions: readonly ProjectFunction[],
  task: FileTask,
  current: SourceFile,
): JudgeCandidate {
  const { path } = current;
  const goals = goalsOf(tests, functions);
  const limits = limitsFor(tests, timeout);
  const judged = new Map<string, Promise<Judged>>();
  const before = bytesOf(repaired);
  let above = 0;

  const reserve = createReserve();

  const attempt = async (
    code: string,
    { origin }: JudgedCandidate,
    worker: number,
    turn: Turn,
  ): Promise<Judged> => {
    await ready?.();
    const runner = runners[worker % runners.length];
    const file = fileOf(task, code, current);
    if (!runner || !file) return unusable;
    const isExplained = origin === 'sample';
    const tried = async ({ bytes }: SourceFile): Promise<Trial> => {
      const files = new Map([...before, [path, bytes]]);
      return await tryCandidate({ runner, goals, files, path, limits, above, isExplained, signal });
    };
    const trial = await tried(file);
    const { isRepair, passed } = await confirmed(trial, origin, code, tried, turn);
    const isProgress = trial.isProgress && passed > above;
    if (isProgress && !isRepair) above = passed;
    const progress: Progress | null = isProgress ? { place, code, origin, passed } : null;
    if (trial.isTried) onTried({ type: 'tried', place, passed, of: goals.failing.size, progress });
    if (isRepair) fresh.start();
    return { isRepair, passed, failure: trial.failure, counts: trial.counts };
  };
  /** Asks of an edit that passes whether the tests decide on it. */
  const confirmed = async (
    { isRepair, passed }: Trial,
    origin: JudgedCandidate['origin'],
    code: string,
    tried: (file: SourceFile) => Promise<Trial>,
    turn: Turn,
  ): Promise<Pick<Judged, 'isRepair' | 'passed'>> => {
    if (!isRepair || origin !== 'edit') return { isRepair, passed: passed.length };
    const { buggy, language } = task.task;
    const passes = async (version: string): Promise<boolean> => {
      const other = fileOf(task, version, current);
      return other !== null && (await tried(other)).isRepair;
    };
    for (const version of withAnyObject(buggy, code, language))
      if (await passes(version)) return { isRepair: false, passed: 0 };
    const always = withConstantGuard(buggy, code, language);
    const isOpen = always !== null && (await passes(always));
    if (!isOpen) turn.decide();
    return { isRepair: isOpen ? await turn.hold() : isRepair, passed: passed.length };
  };
  return async (candidate, worker = 0) => {
    const { code } = candidate;
    onJudged();
    if (code === null) return unusable;
    const known = judged.get(code);
    if (known) return await known;
    const turn = reserve.trying();
    const result = attempt(code, candidate, worker, turn);
    judged.set(code, result);
    result.finally(() => turn.end()).catch(() => {});
    return await result;
  };
}

const unusable: Judged = { isRepair: false, passed: 0, failure: null };

/** The file with a candidate in it; null if that is not possible, changes nothing, or changes an example that is a test. */
export function fileOf(task: FileTask, code: string, current: SourceFile): SourceFile | null {
  const text = task.fileWith(code);
  if (text === null || text === current.text || !keepsExamples(current.text, text)) return null;
  const bytes = encoded(current, text);
  return bytes && readSource(current.path, bytes);
}

import type { Found } from '../../../machines/project-actors.ts';
import type { TestResult } from '../../core/project-tests.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { FixOptions, FixParts } from '../options.ts';
import { bytesOf, changedFile, encoded, readSource, type SourceFile } from '../patch/source-file.ts';
import type { FixReport } from '../report.ts';
import type { Runner } from '../runners/runner.ts';
import type { FunctionTask } from './function-task.ts';
import { goalsOf, limitsFor } from './goals.ts';
import type { Candidate } from './ordered-candidates.ts';
import { type Trial, tryCandidate } from './trial.ts';

/** What a round counts, across its functions. */
export interface Counts {
  tried: number;
  best: FixReport['best'];
}

export interface JudgeInput {
  readonly options: Pick<FixOptions, 'timeout'>;
  readonly parts: Pick<FixParts, 'onEvent'>;
  readonly signal: AbortSignal;
  readonly tests: readonly TestResult[];
  /** Files with all repairs so far, by path. */
  readonly repaired: ReadonlyMap<string, SourceFile>;
  /** Each tries one candidate at a time. */
  readonly runners: readonly Runner[];
  /** A process that has run nothing yet, for the test of the repair; started once a candidate passes. */
  readonly fresh: Runner;
  readonly counts: Counts;
}

/** What the tests say about a candidate. */
export interface Judged {
  /** Null unless it makes all failing tests pass that execute the function, and no other fail. */
  readonly found: Found | null;
  /** The test that decides against it; null if there is none, or it could not be run. */
  readonly failure: TestResult | null;
  /** How many tests pass. */
  readonly counts?: Trial['counts'];
}

export type JudgeCandidate = (candidate: Candidate, worker?: number) => Promise<Judged>;

export interface CandidateJudge {
  /** Tries a candidate with one of the runners; the same code only once. */
  readonly judge: JudgeCandidate;
  /** Failing tests that each code made pass. */
  readonly passedBy: ReadonlyMap<string, number>;
  progress(): Found | null;
}

/** Judges candidates of one function by the project's tests: those that failed first, then all. */
export function createCandidateJudge(
  { options, signal, repaired, tests, runners, fresh, counts, parts }: JudgeInput,
  suspect: Suspect,
  task: FunctionTask,
  current: SourceFile,
): CandidateJudge {
  const { qualified, headerLine } = suspect.function;
  const { path } = current;
  const goals = goalsOf(tests, suspect);
  const limits = limitsFor(tests, options.timeout);
  const passedBy = new Map<string, number>();
  const judged = new Map<string, Promise<Judged>>();
  const before = bytesOf(repaired);
  let progress: Found | null = null;

  const attempt = async ({ code, origin }: Candidate, worker: number): Promise<Judged> => {
    const runner = runners[worker % runners.length];
    const file = fileOf(task, code, current);
    if (!runner || !file) return { found: null, failure: null };
    const files = new Map([...before, [path, file.bytes]]);
    const above = progress?.passed ?? 0;
    const isExplained = origin === 'sample';
    const trial = await tryCandidate({ runner, goals, files, path, limits, above, isExplained, signal });
    const passed = trial.passed.length;
    passedBy.set(code, passed);
    counts.tried++;
    if (passed > (counts.best?.passed ?? -1))
      counts.best = { function: qualified, passed, of: goals.failing.size };
    parts.onEvent({ kind: 'tried', function: qualified, tried: counts.tried, best: counts.best });
    const repair = { file: path, function: qualified, line: headerLine, origin };
    const found = (): Found => ({ change: changedFile(file), repair, passed });
    if (trial.isRepair) {
      fresh.start();
      return { found: found(), failure: null };
    }
    if (trial.isProgress && passed > (progress?.passed ?? 0)) progress = found();
    return { found: null, failure: trial.failure, counts: trial.counts };
  };
  return {
    judge(candidate, worker = 0) {
      const result = judged.get(candidate.code) ?? attempt(candidate, worker);
      judged.set(candidate.code, result);
      return result;
    },
    passedBy,
    progress: () => progress,
  };
}

function fileOf(task: FunctionTask, code: string, current: SourceFile): SourceFile | null {
  const text = task.fileWith(code);
  const bytes = text === null || text === current.text ? null : encoded(current, text);
  return bytes && readSource(current.path, bytes);
}

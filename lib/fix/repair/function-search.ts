import { reason } from '../../core/errors.ts';
import type { Suspect } from '../localise/suspects.ts';
import { encoded, readSource, type SourceFile } from '../patch/source-file.ts';
import type { Repair } from '../report.ts';
import { bestFirst } from './best-first.ts';
import { calledFunctions } from './called-functions.ts';
import { functionEdits, MAX_EDITS } from './function-edits.ts';
import { type FunctionTask, functionTask } from './function-task.ts';
import { goalsOf, limitsFor } from './goals.ts';
import {
  type Candidate,
  type CandidateParts,
  pairedCandidates,
  rankedCandidates,
} from './ordered-candidates.ts';
import { bytesOf, type RoundInput } from './repair-state.ts';
import { sampledCandidates } from './sampled-candidates.ts';
import { tryCandidate } from './trial.ts';

/** A file with one more repaired function. */
export interface Found {
  readonly file: SourceFile;
  readonly repair: Repair;
  /** Failing tests that it makes pass. */
  readonly passed: number;
}

/** The search for a repair of one function. */
export interface FunctionSearch {
  /**
   * The most promising single edits, with the model's answers and in its order if there is a model; null if aborted.
   * Never rejects.
   */
  ranked(): Promise<readonly Candidate[] | null>;
  /** Tries this many of the best, and others while the model ranks them; all if infinite. */
  trySingles(count: number): Promise<Found | null>;
  tryPairs(): Promise<Found | null>;
  /** The candidate that made the most failing tests pass without breaking another. */
  progress(): Found | null;
  close(): void;
}

/** Number of edits that are tried while the model loads, and of those that it ranks, which takes time. */
const MAX_RANKED = 300;
/** If some lines are more suspicious than others, the best are taken of this many. */
const MAX_WEIGHED = 900;
/** Number of candidates sent to a runner at once. */
const IN_FLIGHT = 4;
/** How long a repair waits for the model to say whether another is likelier. */
const PATIENCE_MS = 5_000;

export function searchFunction(input: RoundInput, suspect: Suspect): FunctionSearch {
  const { parser, project, options, signal, runners, parts } = input;
  const { function: found, lines } = suspect;
  const current = input.state.repaired.get(found.file.path) ?? project.source(found.file.path);
  const functionAsTask = functionTask(parser, project.language, current.text, found);
  const candidateParts: CandidateParts = {
    ...{ parser, signal },
    beams: options.beams,
    maxNewTokens: options.maxNewTokens,
  };
  const edits = functionEdits(functionAsTask, lines, candidateParts);
  const weighed = new Set(lines.values()).size > 1 ? MAX_WEIGHED : MAX_RANKED;
  const { attempt, passedBy, progress } = attempts(input, suspect, functionAsTask, current);

  const early = once(() => edits.upTo(MAX_RANKED));
  const promising = once(async () => (await edits.upTo(weighed)).slice(0, MAX_RANKED));
  const ranked = once(async () => {
    try {
      const [known, model] = await Promise.all([promising(), input.model]);
      if (!model) return known;
      if (model.answer === 'edit')
        return (await rankedCandidates(functionAsTask, known, model, candidateParts)) ?? known;
      const failing = input.tests.find(({ id }) => goalsOf(input.tests, suspect).failing.has(id));
      const called = calledFunctions(parser, current, found);
      const sampleInput = { model, parser, options, signal, called };
      return [...(await sampledCandidates(functionAsTask.task, failing, sampleInput)), ...known];
    } catch (error) {
      // If the model fails, the enumerated edits remain; if it was aborted, that is reported elsewhere.
      if (signal.aborted) return null;
      parts.onWarning?.(reason(error));
      return await promising().catch(() => null);
    }
  });
  const all = once(async () => {
    const first = (await ranked()) ?? [];
    const codes = new Set(first.map(({ code }) => code));
    return [...first, ...(await edits.upTo(MAX_EDITS)).filter(({ code }) => !codes.has(code))];
  });
  const shared = {
    atOnce: runners.length * IN_FLIGHT,
    attempt,
    isOver: () => signal.aborted,
    patience: PATIENCE_MS,
  };
  return {
    ranked,
    async trySingles(count) {
      if (count < Number.POSITIVE_INFINITY)
        return await bestFirst({ ...shared, items: await early(), better: ranked(), count });
      const better = all().catch(() => null);
      return await bestFirst({ ...shared, items: (await ranked()) ?? [], better, count });
    },
    async tryPairs() {
      const known = await all();
      const passed = known.map(candidate => passedBy.get(candidate) ?? 0);
      const items = await pairedCandidates(functionAsTask, known, passed, candidateParts);
      return await bestFirst({ ...shared, items, better: Promise.resolve(null), count: items.length });
    },
    progress,
    close: edits.close,
  };
}

interface Attempts {
  /** Tries a candidate; the same one only once. */
  attempt(candidate: Candidate, worker: number): Promise<Found | null>;
  /** Failing tests that each candidate made pass. */
  readonly passedBy: ReadonlyMap<Candidate, number>;
  progress(): Found | null;
}

function attempts(
  { options, signal, state, tests, runners, fresh, parts }: RoundInput,
  suspect: Suspect,
  task: FunctionTask,
  current: SourceFile,
): Attempts {
  const { qualified, headerLine } = suspect.function;
  const { path } = current;
  const goals = goalsOf(tests, suspect);
  const limits = limitsFor(tests, options.timeout);
  const passedBy = new Map<Candidate, number>();
  const tried = new Map<Candidate, Promise<Found | null>>();
  let progress: Found | null = null;

  const attempt = async (candidate: Candidate, worker: number): Promise<Found | null> => {
    const runner = runners[worker % runners.length];
    const file = fileOf(task, candidate, current);
    if (!runner || !file) return null;
    const files = new Map([...bytesOf(state.repaired), [path, file.bytes]]);
    const above = progress?.passed ?? 0;
    const trial = await tryCandidate({ runner, goals, files, path, limits, above, signal });
    const passed = trial.passed.length;
    passedBy.set(candidate, passed);
    state.tried++;
    if (passed > (state.best?.passed ?? -1))
      state.best = { function: qualified, passed, of: goals.failing.size };
    parts.onEvent({ kind: 'tried', function: qualified, tried: state.tried, best: state.best });
    const repair = { file: path, function: qualified, line: headerLine, origin: candidate.origin };
    if (trial.isRepair) {
      fresh.start();
      return { file, repair, passed };
    }
    if (trial.isProgress && passed > (progress?.passed ?? 0)) progress = { file, repair, passed };
    return null;
  };
  return {
    attempt(candidate, worker) {
      const trial = tried.get(candidate) ?? attempt(candidate, worker);
      tried.set(candidate, trial);
      return trial;
    },
    passedBy,
    progress: () => progress,
  };
}

function fileOf(task: FunctionTask, { code }: Candidate, current: SourceFile): SourceFile | null {
  const text = task.fileWith(code);
  const bytes = text === null || text === current.text ? null : encoded(current, text);
  return bytes && readSource(current.path, bytes);
}

function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

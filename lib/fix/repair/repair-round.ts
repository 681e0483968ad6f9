import { reason } from '../../core/errors.ts';
import { joinSignals } from '../../core/join-signals.ts';
import type { TextModel } from '../../core/ports.ts';
import type { Suspect } from '../localise/suspects.ts';
import { encoded, readSource, type SourceFile } from '../patch/source-file.ts';
import type { Repair } from '../report.ts';
import type { Runner, TestResult } from '../runners/runner.ts';
import { bestFirst } from './best-first.ts';
import { calledFunctions } from './called-functions.ts';
import { type FunctionTask, functionTask } from './function-task.ts';
import {
  type Candidate,
  type CandidateParts,
  EARLY_EDITS,
  enumeratedCandidates,
  MAX_EDITS,
  pairedCandidates,
  rankedCandidates,
} from './ordered-candidates.ts';
import { bytesOf, type RepairInput, type RepairState } from './repair-state.ts';
import { sampledCandidates } from './sampled-candidates.ts';
import { type Goals, type Trial, type TrialLimits, tryCandidate } from './trial.ts';

export interface RoundInput extends Omit<RepairInput, 'runner'> {
  /** Null for none. Never rejects. */
  readonly model: Promise<TextModel | null>;
  readonly state: RepairState;
  /** Each tries one candidate at a time. */
  readonly runners: readonly Runner[];
}

/** A file with one more repaired function. */
export interface Found {
  readonly file: SourceFile;
  readonly repair: Repair;
  /** Failing tests that it makes pass. */
  readonly passed: number;
}

/** Number of functions to try, and of candidates of each before the next function gets its turn. */
const MAX_SUSPECTS = 8;
const FIRST_CANDIDATES = 60;
const MAX_PAIRED_SUSPECTS = 3;
/** Number of candidates sent to a runner at once. */
const IN_FLIGHT = 4;
/** How long a repair waits for the model to say whether another is likelier. */
const PATIENCE_MS = 5_000;

/**
 * Searches for the repair of one function: the most promising candidates of each suspect, then their other
 * candidates, then pairs. A candidate that makes all failing tests pass that execute its function is taken at
 * once; otherwise the one that makes most of them pass. Null if no candidate makes any pass without breaking
 * another.
 */
export async function repairRound(input: RoundInput): Promise<Found | null> {
  // Results of the model that arrive after the round are not needed.
  const over = new AbortController();
  const joined = joinSignals(input.signal, over.signal);
  try {
    return await searchAll({ ...input, signal: joined.signal });
  } finally {
    over.abort();
    joined.release();
  }
}

async function searchAll(input: RoundInput): Promise<Found | null> {
  const { signal } = input;
  const searches = input.suspects.slice(0, MAX_SUSPECTS).map(suspect => searchOf(input, suspect));
  for (const count of [FIRST_CANDIDATES, Number.POSITIVE_INFINITY]) {
    for (const [place, search] of searches.entries()) {
      // The model ranks candidates of the next function while this one is tried.
      void search.ranked().then(() => searches[place + 1]?.ranked());
      const found = await search.trySingles(count);
      if (found) return found;
      signal.throwIfAborted();
    }
  }
  const best = searches
    .flatMap(({ progress }) => progress() ?? [])
    .toSorted((a, b) => b.passed - a.passed)[0];
  if (best) return best;
  for (const search of searches.slice(0, MAX_PAIRED_SUSPECTS)) {
    const found = await search.tryPairs();
    if (found) return found;
  }
  return searches.flatMap(({ progress }) => progress() ?? [])[0] ?? null;
}

interface Search {
  /** The single edits, in the model's order if there is a model; null if aborted. Never rejects. */
  ranked(): Promise<readonly Candidate[] | null>;
  /** Tries this many of the best, and others while the model ranks them. */
  trySingles(count: number): Promise<Found | null>;
  tryPairs(): Promise<Found | null>;
  /** The candidate that made the most failing tests pass without breaking another. */
  progress(): Found | null;
}

function searchOf(input: RoundInput, suspect: Suspect): Search {
  const { parser, project, options, signal, state, runners, parts } = input;
  const { function: found } = suspect;
  const { path } = found.file;
  const current = state.repaired.get(path) ?? project.source(path);
  const functionAsTask = functionTask(parser, project.language, current.text, found);
  const goals = goalsOf(input.tests, suspect);
  const limits = limitsFor(input.tests, options.timeout);
  const candidateParts: CandidateParts = {
    ...{ parser, signal },
    beams: options.beams,
    maxNewTokens: options.maxNewTokens,
  };
  const passedBy = new Map<Candidate, number>();
  let progress: Found | null = null;

  const attempt = async (candidate: Candidate, worker: number): Promise<Found | null> => {
    const runner = runners[worker % runners.length];
    const file = fileOf(functionAsTask, candidate, current);
    if (!runner || !file) return null;
    const files = new Map([...bytesOf(state.repaired), [path, file.bytes]]);
    const above = progress?.passed ?? 0;
    const trial: Trial = await tryCandidate({ runner, goals, files, path, limits, above, signal });
    const passed = trial.passed.length;
    passedBy.set(candidate, passed);
    state.tried++;
    if (passed > (state.best?.passed ?? -1))
      state.best = { function: found.qualified, passed, of: goals.failing.size };
    parts.onEvent({ kind: 'tried', function: found.qualified, tried: state.tried, best: state.best });
    const repair = {
      file: path,
      function: found.qualified,
      line: found.headerLine,
      origin: candidate.origin,
    };
    if (trial.isRepair) return { file, repair, passed };
    if (trial.isProgress && passed > (progress?.passed ?? 0)) progress = { file, repair, passed };
    return null;
  };

  const suspicious = new Set(suspect.lines.flatMap(line => functionAsTask.lineOf(line) ?? []));
  const enumerate = (limit: number): Promise<Candidate[]> =>
    enumeratedCandidates(functionAsTask, suspicious, candidateParts, limit);
  const early = once(() => enumerate(EARLY_EDITS));
  const singles = once(async () => {
    const known = new Map((await early()).map(candidate => [candidate.code, candidate]));
    return (await enumerate(MAX_EDITS)).map(candidate => known.get(candidate.code) ?? candidate);
  });
  const ranked = once(async () => {
    try {
      const [known, model] = await Promise.all([singles(), input.model]);
      if (!model) return known;
      if (model.answer === 'edit')
        return (await rankedCandidates(functionAsTask, known, model, candidateParts)) ?? known;
      const failing = input.tests.find(({ id }) => goals.failing.has(id));
      const called = calledFunctions(parser, current, found);
      const sampleInput = { model, parser, options, signal, called };
      return [...(await sampledCandidates(functionAsTask.task, failing, sampleInput)), ...known];
    } catch (error) {
      // If the model fails, the enumerated edits remain; if it was aborted, that is reported elsewhere.
      if (signal.aborted) return null;
      parts.onWarning?.(reason(error));
      return await singles().catch(() => null);
    }
  });
  const tried = new Map<Candidate, Promise<Found | null>>();
  const tryOnce = (candidate: Candidate, worker: number): Promise<Found | null> => {
    const trial = tried.get(candidate) ?? attempt(candidate, worker);
    tried.set(candidate, trial);
    return trial;
  };
  const shared = {
    atOnce: runners.length * IN_FLIGHT,
    attempt: tryOnce,
    isOver: () => signal.aborted,
    patience: PATIENCE_MS,
  };
  return {
    ranked,
    trySingles: async count => await bestFirst({ ...shared, items: await early(), better: ranked(), count }),
    async tryPairs() {
      const known = (await ranked()) ?? (await singles());
      const passed = known.map(candidate => passedBy.get(candidate) ?? 0);
      const items = await pairedCandidates(functionAsTask, known, passed, candidateParts);
      return await bestFirst({ ...shared, items, better: Promise.resolve(null), count: items.length });
    },
    progress: () => progress,
  };
}

function fileOf(task: FunctionTask, { code }: Candidate, current: SourceFile): SourceFile | null {
  const text = task.fileWith(code);
  const bytes = text === null || text === current.text ? null : encoded(current, text);
  return bytes && readSource(current.path, bytes);
}

/** The failing tests that execute the function; all failing tests if that is unknown. */
function goalsOf(tests: readonly TestResult[], { function: found }: Suspect): Goals {
  const failing = tests.filter(({ outcome }) => outcome === 'failed');
  const executing = failing.filter(({ lines = {} }) =>
    (lines[found.file.path] ?? []).some(line => found.bodyLine <= line && line <= found.lastLine),
  );
  const ids = (of: readonly TestResult[]): Set<string> => new Set(of.map(({ id }) => id));
  return {
    failing: ids(executing.length > 0 ? executing : failing),
    passing: ids(tests.filter(({ outcome }) => outcome === 'passed')),
  };
}

/**
 * Limit for one test of a candidate: five times the slowest test that ended, but long enough for a slow
 * machine.
 */
function limitsFor(tests: readonly TestResult[], timeout: number): TrialLimits {
  const ended = tests.filter(test => test.outcome !== 'skipped' && !test.timeout);
  const slowest = Math.max(0, ...ended.map(({ seconds = 0 }) => seconds));
  return {
    seconds: Math.min(timeout, Math.max(1, 5 * slowest)),
    cpuSeconds: Math.min(timeout, Math.max(0.3, 5 * slowest)),
  };
}

function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

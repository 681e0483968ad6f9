import type { Found } from '../../../machines/project-actors.ts';
import { reason } from '../../core/errors.ts';
import type { TextModel } from '../../core/ports.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { FixOptions, FixParts } from '../options.ts';
import type { OpenProject } from '../project/open-project.ts';
import { bestFirst } from './best-first.ts';
import { calledFunctions } from './called-functions.ts';
import { functionEdits, MAX_EDITS } from './function-edits.ts';
import { functionTask } from './function-task.ts';
import { goalsOf } from './goals.ts';
import { createCandidateJudge, type JudgeInput } from './judge-candidate.ts';
import {
  type Candidate,
  type CandidateParts,
  pairedCandidates,
  rankedCandidates,
} from './ordered-candidates.ts';
import { knowingProject } from './project-prompt.ts';
import { rewritten } from './rewritten.ts';
import { sampledCandidates } from './sampled-candidates.ts';

/** What the searches of a round share. */
export interface RoundInput extends JudgeInput {
  readonly project: OpenProject;
  readonly options: FixOptions;
  readonly parts: FixParts;
  /** Null for none. Never rejects. */
  readonly model: Promise<TextModel | null>;
  /** Aborts if the model cannot be opened. */
  readonly failed: AbortSignal;
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
  /** Whether the model writes whole functions, so that `rewrite` can show it what its function does wrong. */
  isWritten(): Promise<boolean>;
  /** Lets the model write the function again, as often as this, with the test that its last version fails. */
  rewrite(iterations: number): Promise<Found | null>;
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
  const { project, options, signal, runners, parts } = input;
  const { parser } = project;
  const { function: found, lines } = suspect;
  const current = input.repaired.get(found.file.path) ?? project.source(found.file.path);
  const functionAsTask = functionTask(parser, project.language, current.text, found);
  const candidateParts: CandidateParts = {
    ...{ parser, signal },
    beams: options.beams,
    maxNewTokens: options.maxNewTokens,
  };
  const edits = functionEdits(functionAsTask, lines, candidateParts);
  const weighed = new Set(lines.values()).size > 1 ? MAX_WEIGHED : MAX_RANKED;
  const { judge, passedBy, progress } = createCandidateJudge(input, suspect, functionAsTask, current);

  /** The model with what the project says about the function; null for a model that writes edits, and for none. */
  const writer = once(async () => {
    const model = options.candidates > 0 ? await input.model : null;
    if (!model || model.answer === 'edit') return null;
    const failing = input.tests.find(({ id }) => goalsOf(input.tests, suspect).failing.has(id));
    const called = calledFunctions(parser, current, found);
    return knowingProject(model, { language: functionAsTask.task.language, failing, called });
  });
  const early = once(() => edits.upTo(MAX_RANKED));
  const promising = once(async () => (await edits.upTo(weighed)).slice(0, MAX_RANKED));
  const ranked = once(async () => {
    try {
      const [known, model] = await Promise.all([promising(), input.model]);
      if (!model) return known;
      if (model.answer === 'edit')
        return (await rankedCandidates(functionAsTask, known, model, candidateParts)) ?? known;
      const written = await writer();
      if (!written) return known;
      const sampled = sampledCandidates(functionAsTask.task, { model: written, parser, options, signal });
      return [...(await sampled), ...known];
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
    attempt: async (candidate: Candidate, worker: number) => (await judge(candidate, worker)).found,
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
      const passed = known.map(candidate => passedBy.get(candidate.code) ?? 0);
      const items = await pairedCandidates(functionAsTask, known, passed, candidateParts);
      return await bestFirst({ ...shared, items, better: Promise.resolve(null), count: items.length });
    },
    isWritten: async () => (await writer()) !== null,
    async rewrite(iterations) {
      const model = await writer();
      if (!model) return null;
      const { task } = functionAsTask;
      return await rewritten(task, { model, parser, project, judge, iterations, options, signal, parts });
    },
    progress,
    close: edits.close,
  };
}

function once<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}

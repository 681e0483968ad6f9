import type { Suite } from '../../machines/actors.ts';
import type { Answers, SearchSettings } from '../../machines/context.ts';
import type { TextModel } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import type { SamplingOptions } from './actors/actor-parts.ts';
import { beamsOf, DEFAULT_BUDGET, DEFAULT_SEARCH_SECONDS } from './defaults.ts';
import { isCompiled } from './enumerate/words.ts';

/** What options and model mean for the machine: what the model is asked for, and what candidates are run on. */
export function searchSettings(
  model: Pick<TextModel, 'beams' | 'languages'>,
  options: SamplingOptions,
  task: Task,
): SearchSettings {
  const { agent, protocol, candidates = 1, search, searchSeconds } = options;
  const { budget, rank, joins = false } = search ?? { budget: DEFAULT_BUDGET, rank: true };
  const shared = { seconds: searchSeconds ?? DEFAULT_SEARCH_SECONDS, suite: suiteOf(options, task) };
  // To compile all of them would cost more than a ranking.
  const screening = agent === 'search' || isCompiled(task.language) ? 'first' : 'all';
  const edits = { budget, screening, ranked: rank, pairs: true } as const;
  if (agent === 'search') return { ...shared, answers: { kind: 'none' }, edits };
  const beams = beamsOf(model, beamOptions(options), task.language);
  if (beams === null && joins && options.answer !== 'edit') {
    return { ...shared, answers: { kind: 'one' }, edits };
  }
  if (beams === null) {
    const isOne = protocol !== undefined || candidates === 1;
    const answers: Answers = isOne ? { kind: 'one' } : { kind: 'samples', most: candidates };
    return { ...shared, answers, edits: null };
  }
  if (beams === 0) return { ...shared, answers: { kind: 'none' }, edits: { ...edits, ranked: false } };
  return { ...shared, answers: { kind: 'likeliest', most: beams }, edits };
}

function suiteOf({ agent, protocol, feedback }: SamplingOptions, { exampleTests }: Task): Suite | null {
  if (agent === 'one-shot' || protocol || feedback === 'none') return null;
  if (agent !== 'search') return 'known';
  if (feedback === 'tests') return 'tests';
  return exampleTests.trim() === '' ? null : 'examples';
}

function beamOptions(options: SamplingOptions) {
  const { agent, protocol, answer = 'whole', beams, maxIterations = 0 } = options;
  return { agent, protocol, answer, beams, iterations: maxIterations };
}

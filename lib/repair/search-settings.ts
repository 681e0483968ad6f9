import type { Suite } from '../../machines/actors.ts';
import type { SearchSettings } from '../../machines/context.ts';
import type { TextModel } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import type { SamplingOptions } from './actors/agent-actors.ts';
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
  const shared = { budget, seconds: searchSeconds ?? DEFAULT_SEARCH_SECONDS, suite: suiteOf(options, task) };
  if (agent === 'search') return { ...shared, asks: 'nothing', answers: 0, ranks: rank, screensAll: false };
  const beams = beamsOf(model, beamOptions(options), task.language);
  if (beams === null && joins && options.answer !== 'edit') {
    return {
      ...shared,
      asks: 'answer and edits',
      answers: 1,
      ranks: rank,
      screensAll: !isCompiled(task.language),
    };
  }
  if (beams === null) {
    const answers = protocol ? 1 : candidates;
    const asks = answers === 1 ? 'answer' : 'samples';
    return { ...shared, asks, answers, ranks: false, screensAll: false };
  }
  return {
    ...shared,
    asks: beams === 0 ? 'nothing' : 'likeliest',
    answers: beams,
    ranks: beams > 0 && rank,
    // To compile all of them would cost more than a ranking.
    screensAll: !isCompiled(task.language),
  };
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

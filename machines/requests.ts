import type { Node } from '../lib/core/attempt.ts';
import type {
  ChooseInput,
  CombineInput,
  CompareInput,
  EnumerateInput,
  ExamineInput,
  ExecuteInput,
  ProposeInput,
  RankInput,
  ScreenInput,
} from './actors.ts';
import { sampleTemperature } from './answers.ts';
import { candidatesToCompare, candidatesToRun } from './conditions.ts';
import type { AgentContext } from './context.ts';
import { choosable, remaining } from './pool.ts';
import { temperatureAt } from './temperature.ts';
import { finalCandidate } from './verdicts.ts';

/** The inputs that the machines give to their actors. */

export function promptOf(context: AgentContext, node: Node): ProposeInput {
  const { answers } = context.search;
  const beams = answers.kind === 'likeliest' && node !== 'diagnose' ? answers.most : null;
  return requestOf(context, node, 0, beams);
}

/** The last prompt again: its next sample, or one answer where no edit can be proposed. */
export function sampleOf(context: AgentContext): ProposeInput {
  const { search, pool, proposal } = context;
  const sample = search.answers.kind === 'samples' ? pool.candidates.length : 0;
  return requestOf(context, proposal?.node ?? 'draft', sample, null);
}

function requestOf(context: AgentContext, node: Node, sample: number, beams: number | null): ProposeInput {
  const { task, iteration, attempts } = context;
  return { task, node, iteration, attempts, sample, beams, temperature: sampleTemperature(context, sample) };
}

export function enumerateOf({ task, search, proposal, time }: AgentContext): EnumerateInput {
  return { task, limit: search.edits?.budget ?? 0, answers: proposal?.answers ?? null, time };
}

export function screenOf(context: AgentContext): ScreenInput {
  const { task, attempts, search, time } = context;
  const { asked, isAll } = candidatesToRun(context);
  const candidates = at(context, asked);
  const until = isAll ? 'all' : 'first';
  return { task, attempts, candidates, suite: search.suite, until, time };
}

export function rankOf(context: AgentContext): RankInput {
  const { task, pool, proposal, time, iteration } = context;
  const candidates = at(context, remaining(pool));
  const temperature = temperatureAt(iteration, context.temperature);
  return { task, candidates, prompt: proposal?.prompt ?? null, iteration, temperature, time };
}

export function combineOf({ task, search, pool, time }: AgentContext): CombineInput {
  const { candidates, trials } = pool;
  // A ranking decides which of two equal ones comes first.
  const order = search.suite === 'known' ? candidates.map((_, index) => index) : pool.order;
  return {
    task,
    candidates: order.flatMap(index => candidates[index] ?? []),
    assertionsPassed: order.map(index => trials[index]?.assertionsPassed ?? 0),
    limit: (search.edits?.budget ?? 0) - candidates.length,
    time,
  };
}

export function compareOf(context: AgentContext): CompareInput {
  const { task, attempts, time } = context;
  return { task, attempts, candidates: at(context, candidatesToCompare(context)), time };
}

export function chooseOf(context: AgentContext): ChooseInput {
  const { task, attempts, pool } = context;
  const limit = pool.closest ? MAX_CLOSEST : pool.candidates.length;
  return { task, attempts, candidates: at(context, choosable(pool)), limit };
}

/** If this many candidates cannot be run, the bug is outside of the edited code. */
const MAX_CLOSEST = 50;

export function completionOf({ task, answer, attempts }: AgentContext): ExamineInput {
  return { task, completion: answer?.completion ?? '', code: answer?.code ?? null, attempts };
}

/** The current candidate, and the tests whose results the agent may see. */
export function candidateOf({ task, examination, feedback }: AgentContext): ExecuteInput {
  const suite = feedback === 'tests' ? 'tests' : 'examples';
  return { task, candidate: examination?.candidate ?? '', suite };
}

export function finalCandidateOf({ task, attempts }: AgentContext): ExecuteInput {
  return { task, candidate: finalCandidate(attempts) ?? '', suite: 'tests' };
}

function at({ pool }: AgentContext, indices: readonly number[]) {
  return indices.flatMap(index => pool.candidates[index] ?? []);
}

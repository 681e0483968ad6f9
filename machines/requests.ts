import type { Node } from '../lib/core/attempt.ts';
import type {
  CombinePairsInput,
  EnumerateInput,
  ExamineInput,
  ExecuteInput,
  GenerateInput,
  PrescreenInput,
  RankInput,
} from './actors.ts';
import { finalCandidate } from './final-candidate.ts';
import type { AgentContext } from './setup.ts';
import { temperatureAt } from './temperature.ts';

/** The inputs that the machines give to their actors. */

export function requestOf(
  { task, iteration, temperature, attempts }: AgentContext,
  node: Node,
): GenerateInput {
  return {
    task,
    node,
    iteration,
    temperature: temperatureAt(iteration, temperature),
    warmer: temperatureAt(Math.max(1, iteration), temperature),
    attempts,
  };
}

export function completionOf({ task, proposal, attempts }: AgentContext): ExamineInput {
  return { task, completion: proposal?.completion ?? '', attempts };
}

/** The current candidate, and the tests whose results the agent may see. */
export function candidateOf({ task, examination, feedback }: AgentContext): ExecuteInput {
  const suite = feedback === 'tests' ? 'tests' : 'examples';
  return { task, candidate: examination?.candidate ?? '', suite };
}

export function finalCandidateOf({ task, attempts }: AgentContext): ExecuteInput {
  return { task, candidate: finalCandidate(attempts) ?? '', suite: 'tests' };
}

export function enumerateOf({ task, search }: AgentContext): EnumerateInput {
  return { task, limit: search?.budget ?? 0 };
}

export function rankOf({ task, progress }: AgentContext): RankInput {
  return { task, edits: progress?.edits ?? [] };
}

export function prescreenOf({ task, feedback, progress }: AgentContext): PrescreenInput {
  const suite = feedback === 'tests' ? 'tests' : 'examples';
  return { task, edits: progress?.edits.slice(progress.tried) ?? [], suite };
}

export function combinePairsOf({ task, search, progress }: AgentContext): CombinePairsInput {
  const { edits = [], assertionsPassed = [] } = progress ?? {};
  return { task, edits, assertionsPassed, limit: (search?.budget ?? 0) - edits.length };
}

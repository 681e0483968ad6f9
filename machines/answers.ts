import type { Node } from '../lib/core/attempt.ts';
import type { Examination, Judgement, Proposal, UntimedAttempt } from './actors.ts';
import type { AgentContext, Answer } from './context.ts';
import { isTimeUp } from './context.ts';
import { noTokens, type Pool, selectionOf } from './pool.ts';
import { temperatureAt } from './temperature.ts';
import type { Failure } from './verdicts.ts';

/** Which prompt follows on which failure. */
export const nodesAfter = {
  malformed: 'syntax',
  repeated: 'repeat',
  unrunnable: 'syntax',
  failed: 'reflect',
} as const satisfies Record<Failure, Node>;

/** The prompt of a node without an answer. */
export function unasked(node: Node): Proposal {
  return { node, prompt: [], answers: [], isAnswered: false, temperature: null, tokens: noTokens };
}

export function answerOf(
  { iteration }: AgentContext,
  { node, prompt, temperature, tokens }: Proposal,
  completion: string,
): Answer {
  return { iteration, node, temperature, prompt, completion, code: null, tokens };
}

/**
 * The answer of a candidate. Tokens of a prompt that was asked before are not counted again.
 * @param completion the candidate's answer
 */
export function chosenAnswer(context: AgentContext, pool: Pool, at: number, completion: string): Answer {
  const { proposal, attempts, feedback } = context;
  const code = pool.candidates[at]?.code ?? null;
  const selection = selectionOf(pool, at, isTimeUp(context));
  if (!proposal) {
    const position = pool.order.indexOf(at);
    const iteration = feedback === 'tests' ? position : 0;
    const { prompt, tokens } = pool;
    const temperature = drawTemperature(pool, at);
    return { iteration, node: 'search', temperature, prompt, completion, code, tokens };
  }
  const { node, temperature } = proposal;
  const recorded = selection && { selection };
  const kind = pool.candidates[at]?.origin.kind;
  if (kind === 'sample' && context.search.answers.kind === 'samples') {
    const sampled = { ...proposal, temperature: sampleTemperature(context, at) };
    return { ...answerOf(context, sampled, completion), ...recorded };
  }
  const isAsked = attempts.some(({ prompt }) => sameTurns(prompt, proposal.prompt));
  const tokens = {
    prompt: proposal.tokens.prompt + pool.tokens.prompt,
    completion: proposal.tokens.completion + pool.tokens.completion,
  };
  return {
    iteration: context.iteration,
    node,
    temperature: kind === 'sample' ? temperature : drawTemperature(pool, at),
    prompt: proposal.isAnswered || pool.prompt.length > 0 ? proposal.prompt : [],
    completion,
    code,
    tokens: isAsked ? noTokens : tokens,
    ...recorded,
  };
}

/** At which a candidate was drawn; null if it was taken in a fixed order, as pairs are unless nothing passes. */
function drawTemperature({ candidates, closest, temperature }: Pool, at: number): number | null {
  const isPair = candidates[at]?.origin.kind === 'pair';
  return isPair && closest === null ? null : temperature;
}

/** Of the first sample, and of the others. */
export function sampleTemperature({ iteration, temperature }: AgentContext, sample: number): number {
  return temperatureAt(sample === 0 ? iteration : Math.max(1, iteration), temperature);
}

export function sumOfTokens(
  tokens: Proposal['tokens'],
  before: Proposal['tokens'] = noTokens,
): Proposal['tokens'] {
  const isDrafted = tokens.drafted !== undefined || before.drafted !== undefined;
  return {
    prompt: before.prompt + tokens.prompt,
    completion: before.completion + tokens.completion,
    ...(isDrafted && {
      drafted: (before.drafted ?? 0) + (tokens.drafted ?? 0),
      accepted: (before.accepted ?? 0) + (tokens.accepted ?? 0),
    }),
  };
}

function sameTurns(one: Proposal['prompt'], other: Proposal['prompt']): boolean {
  const turns = (messages: Proposal['prompt']) =>
    JSON.stringify(messages.map(({ role, content }) => [role, content]));
  return turns(one) === turns(other);
}

export function attemptOf(
  { answer }: AgentContext,
  examination: Examination | null,
  judgement: Judgement | undefined,
): UntimedAttempt[] {
  if (!answer || !examination) return [];
  const { code: _code, ...asked } = answer;
  const { candidate, repeated, unchanged } = examination;
  const { verdict = examination.verdict, seconds: _, ...run } = judgement ?? {};
  return [{ ...asked, candidate, verdict, ...run, repeated, unchanged }];
}

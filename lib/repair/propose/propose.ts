import type { Examination, Proposal, ProposeInput } from '../../../machines/actors.ts';
import { indexToImprove } from '../../../machines/verdicts.ts';
import type { Attempt, Node } from '../../core/attempt.ts';
import type { AnswerFormat } from '../../core/choices.ts';
import { HefixError } from '../../core/errors.ts';
import type {
  Completion,
  GenerateOptions,
  GenerateRequest,
  Message,
  Sandbox,
  TextModel,
} from '../../core/ports.ts';
import { derivedSeed } from '../../core/random.ts';
import { shownCode } from '../../syntax/code-blocks.ts';
import { editOutline } from '../../syntax/edits/edits.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { ActorParts, StyleOptions } from '../actors/actor-parts.ts';
import { type AnswerInput, examine, examineEdit } from '../actors/examine.ts';
import { unlessTooLong } from '../actors/rank.ts';
import type { LastAttempt } from '../prompt/prompts.ts';
import { promptOf } from '../prompt/prompts.ts';

/** Asks the model with the prompt of a node: for one sampled answer. */
export async function sampled(
  { model, options, onText }: ActorParts,
  style: Style,
  input: ProposeInput,
  signal: AbortSignal,
): Promise<Proposal> {
  const { node, iteration, temperature, sample } = input;
  const { topP, topK, maxNewTokens, maxLength, thinking } = options;
  const seed = derivedSeed(options.seed, iteration, ...seedParts(node, sample));
  const sampling = { topP, topK, maxNewTokens, maxLength, thinking, temperature, seed };
  const answer = await ask(model, style, input, sampling, { signal, ...(onText ? { onText } : {}) });
  const { completion } = answer;
  return {
    node,
    prompt: answer.prompt.map(recorded),
    answers: [style.textOf(completion)],
    isAnswered: true,
    temperature,
    tokens: tokensOf(completion),
    seconds: completion.seconds,
  };
}

/** The same for its likeliest answers, in edits. With `--beam-prompt first`, later attempts use the first prompt. */
export async function likeliest(
  { model, options }: ActorParts,
  style: Style,
  input: ProposeInput,
  beams: number,
  signal: AbortSignal,
): Promise<Proposal> {
  const { node, task } = input;
  const isFirst = options.beamPrompt === 'first';
  const { messages } = style.request(isFirst ? { ...input, node: 'draft', attempts: [] } : input);
  const outline = editOutline(shownCode(task.buggy)) ?? undefined;
  const request = { messages, beams, maxNewTokens: options.maxNewTokens, outline };
  const found = (await model.beams?.(request, { signal }).catch(unlessTooLong)) ?? null;
  return {
    node,
    prompt: messages.map(({ role, content }) => ({ role, content })),
    answers: found?.beams.map(({ text }) => text) ?? [],
    isAnswered: found !== null,
    temperature: null,
    tokens: { prompt: found?.promptTokens ?? 0, completion: found?.completionTokens ?? 0 },
    seconds: found?.seconds,
  };
}

function tokensOf({ promptTokens, completionTokens, drafted, accepted }: Completion): Attempt['tokens'] {
  return {
    prompt: promptTokens,
    completion: completionTokens,
    ...(drafted !== undefined && { drafted, accepted: accepted ?? 0 }),
  };
}

function recorded({ role, content, toolCalls }: Message): Attempt['prompt'][number] {
  return { role, content, ...(toolCalls ? { toolCalls: toolCalls.map(call => ({ ...call })) } : {}) };
}

/** Distinguishes a request from the others of its iteration. */
function seedParts(node: Node, sample: number): (string | number)[] {
  if (node === 'diagnose') return [node];
  return sample === 0 ? [] : ['sample', sample];
}

type PromptInput = Pick<ProposeInput, 'task' | 'node' | 'attempts'>;

interface Answer {
  /** The prompt and the prefill. */
  readonly prompt: readonly Message[];
  readonly completion: Completion;
}

/**
 * Asks a model. If a conversation does not fit its context, the oldest attempts are dropped one by one as
 * long as that shortens it; after that the model's error is thrown.
 */
export async function ask(
  model: TextModel,
  style: Style,
  input: PromptInput,
  sampling: Omit<GenerateRequest, 'messages'>,
  options: GenerateOptions,
): Promise<Answer> {
  let { attempts } = input;
  for (;;) {
    const request = style.request({ ...input, attempts });
    const { messages, prefill = '' } = request;
    try {
      const completion = await model.generate({ ...sampling, ...request }, options);
      const begun = prefill === '' ? [] : [{ role: 'assistant', content: prefill } as const];
      return { prompt: [...messages, ...begun], completion };
    } catch (error) {
      const fewer = attempts.slice(1);
      const isShorter = style.request({ ...input, attempts: fewer }).messages.length < messages.length;
      if (!(error instanceof HefixError && isTooLong(error.code)) || fewer.length === 0 || !isShorter)
        throw error;
      attempts = fewer;
    }
  }
}

/** The parts of a style that affect a request. */
type StyleRequest = Pick<GenerateRequest, 'messages' | 'tools' | 'prefill' | 'stop' | 'endAfter' | 'raw'>;

/** How an agent talks to its model: the prompts, and how answers are read. */
export interface Style {
  request(input: Pick<ProposeInput, 'task' | 'node' | 'attempts'>): StyleRequest;
  /** The answer as a single text for the record. */
  textOf(completion: Completion): string;
  examine(
    parser: SyntaxParser,
    sandbox: Pick<Sandbox, 'checkSyntax'>,
    input: AnswerInput,
    signal?: AbortSignal,
  ): Promise<Examination>;
}

/** Prompts that ask for code, or for edits of it. */
export async function codeStyle(options: StyleOptions): Promise<Style> {
  const { agent, feedback, fewShot = 0, answer = 'whole', search } = options;
  const worked = fewShot > 0 ? await import('../prompt/worked-examples/few-shot.ts') : null;
  return {
    request({ node, task, attempts }) {
      const prompt = promptOf(node, task, shownAttempt(attempts, answer), { feedback, answer });
      const messages =
        worked?.withExamples(prompt, task.language, fewShot, worked.answeredIn[answer]) ?? prompt;
      return answer === 'whole' && node !== 'diagnose' ? { messages, endAfter: 'fence' } : { messages };
    },
    textOf: ({ text }) => text,
    examine: agent === 'search' || answer === 'edit' || search?.joins ? examineEdit : examine,
  };
}

/** What the prompt is about. Models that write edits are trained with their last answer. */
function shownAttempt(attempts: ProposeInput['attempts'], answer: AnswerFormat): LastAttempt | undefined {
  const last = attempts.at(-1);
  const index = indexToImprove(attempts);
  const best = attempts[index];
  if (answer === 'edit' || !best || best === last) return last;
  // The diagnosis was asked with the best attempt, and is part of the last.
  return { ...best, diagnosis: last?.diagnosis, later: attempts.length - 1 - index };
}

/** Whether the prompt exceeds the model's context, so that a retry would fail too. */
export function isTooLong(code: string): boolean {
  return code === 'MODEL_PROMPT_TOO_LONG' || code === 'BACKEND_CONTEXT_TOO_LONG';
}

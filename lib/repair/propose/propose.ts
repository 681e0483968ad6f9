import type { Examination, Proposal, ProposeInput, RankInput, Ranking } from '../../../machines/actors.ts';
import { noTokens } from '../../../machines/pool.ts';
import { indexToImprove } from '../../../machines/verdicts.ts';
import type { Attempt, Node } from '../../core/attempt.ts';
import type { AnswerFormat } from '../../core/choices.ts';
import { HefixError, isTooLong } from '../../core/errors.ts';
import { sumOf } from '../../core/numbers.ts';
import type {
  Completion,
  GenerateOptions,
  GenerateRequest,
  Message,
  Sandbox,
  ScoreRequest,
  TextModel,
} from '../../core/ports.ts';
import { derivedSeed, seededRandom } from '../../core/random.ts';
import type { Task } from '../../core/task.ts';
import { shownCode } from '../../syntax/code-blocks.ts';
import { editOutline } from '../../syntax/edits/edits.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { ActorParts, StyleOptions } from '../actors/actor-parts.ts';
import { type AnswerInput, examine, examineEdit } from '../actors/examine.ts';
import { answerOf } from '../candidates.ts';
import { createSearchClock } from '../enumerate/search-clock.ts';
import { type LastAttempt, promptOf } from '../prompt/prompts.ts';
import { fenced, promptForCode, promptWithCode, taskMessages } from '../prompt/task-messages.ts';

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
  { model, options }: Pick<ActorParts, 'model' | 'options'>,
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
  const completion = (await model.beams?.(request, { signal }).catch(unlessTooLong)) ?? null;
  return {
    node,
    prompt: messages.map(({ role, content }) => ({ role, content })),
    answers: completion?.beams.map(({ text }) => text) ?? [],
    isAnswered: completion !== null,
    temperature: null,
    tokens: { prompt: completion?.promptTokens ?? 0, completion: completion?.completionTokens ?? 0 },
    seconds: completion?.seconds,
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

/**
 * Draws an order of edits, or functions, by the model's likelihood and the temperature; at 0 the likeliest come first.
 * Beyond its favourites the rest keep their order, since few are ever tried. All keep it if the model provides no
 * likelihoods, or the task is too long for it.
 * The model is asked twice: for the likelihood of the edit, or of the edited function, as an answer, and for that of the
 * edited function within the prompt, or after a description without the buggy code. Their errors are different, so that
 * the product is better than either.
 */
export async function rank(
  { model, options }: RankParts,
  { task, candidates, prompt, time, iteration, temperature }: RankInput,
  signal: AbortSignal,
): Promise<Ranking> {
  const clock = createSearchClock(time);
  const { answer = 'whole' } = options;
  const draw = { temperature, seed: derivedSeed(options.seed, iteration, 'draw') };
  const messages = prompt ?? taskMessages(task, answer);
  const ask = async (request: ScoreRequest) =>
    (await model.score?.(request, { signal }).catch(unlessTooLong)) ?? null;
  const ranked = await clock.during(async () => {
    const answers = candidates.map(candidate =>
      answer === 'edit' ? answerOf(task, candidate) : fenced(task.language, candidate.code ?? ''),
    );
    const scores = await ask({ messages, answers, limit: MAX_RANKED });
    if (!scores) return null;
    const byAnswer = candidates
      .map(({ code }, index) => ({
        at: index,
        code: code ?? '',
        likelihood: scores.logLikelihoods[index] ?? Number.NEGATIVE_INFINITY,
      }))
      .toSorted((a, b) => (a.likelihood === b.likelihood ? 0 : b.likelihood - a.likelihood));
    const best = byAnswer.slice(0, MAX_WEIGHED);
    const codes = best.map(({ code }) => code);
    const request = answer === 'edit' ? codesInPrompt(task, codes) : codesAfterPurpose(task, codes);
    const weighed = best.length === 0 ? null : await ask(request);
    const products = best.map(
      ({ likelihood }, index) => likelihood + CODE_WEIGHT[answer] * (weighed?.logLikelihoods[index] ?? 0),
    );
    const rest = byAnswer.slice(best.length);
    const drawn = <Part>(parts: readonly Part[], likelihoods: readonly number[]) =>
      drawnOrder(likelihoods, draw).flatMap(index => parts[index] ?? []);
    const order = [
      ...drawn(best, products),
      ...drawn(
        rest,
        rest.map(({ likelihood }) => likelihood),
      ),
    ];
    const parts = weighed ? [scores, weighed] : [scores];
    return {
      order: order.map(({ at: index }) => index),
      temperature,
      prompt: messages.map(({ role, content }) => ({ role, content })),
      tokens: {
        prompt: sumOf(parts, ({ promptTokens }) => promptTokens),
        completion: sumOf(parts, ({ completionTokens }) => completionTokens),
      },
      seconds: sumOf(parts, ({ seconds }) => seconds),
    };
  });
  const unranked = { order: [...candidates.keys()], temperature: null, prompt: [], tokens: noTokens };
  return { ...(ranked ?? unranked), time: clock.time() };
}

interface RankParts {
  readonly model: TextModel;
  readonly options: Pick<ActorParts['options'], 'answer' | 'seed'>;
}

/** Number of edits to look for by likelihood, and of those whose functions are scored as well. */
const MAX_RANKED = 100;
const MAX_WEIGHED = 25;
const CODE_WEIGHT: Readonly<Record<AnswerFormat, number>> = { edit: 0.7, whole: 1.5 };

/** The task's prompt up to its code, which the edited programs continue. */
function codesInPrompt(task: Task, codes: readonly string[]): ScoreRequest {
  const [system, user] = taskMessages(task, 'edit');
  const { before } = promptWithCode(task, task.buggy);
  const answers = codes.map(code => promptWithCode(task, code).code);
  return { messages: [system, { ...user, content: before }], answers, continues: true };
}

/** The edited functions as the model would write them without having seen the buggy one. */
function codesAfterPurpose(task: Task, codes: readonly string[]): ScoreRequest {
  const { before } = promptForCode(task, task.buggy);
  const answers = codes.map(code => promptForCode(task, code).code);
  return { messages: [{ role: 'user', content: before }], answers, continues: true };
}

/** Null for a prompt that is too long for the model; rethrows any other error. */
function unlessTooLong(error: unknown): null {
  const { code } = Object(error) as { code?: unknown };
  if (code === 'MODEL_PROMPT_TOO_LONG') return null;
  throw error;
}

/**
 * The order in which candidates are drawn without replacement, each with its likelihood to the power of 1/temperature.
 * At temperature 0, the likeliest comes first. Ties at 0, and candidates without a likelihood (minus infinity, always
 * last), keep their order.
 * Sorting by the sum of log likelihood / temperature and Gumbel noise is such a draw (Gumbel-top-k, arXiv:1903.06059).
 *
 * @param logLikelihoods one a candidate
 * @returns their indices
 */
export function drawnOrder(
  logLikelihoods: readonly number[],
  { temperature, seed }: { readonly temperature: number; readonly seed: number },
): number[] {
  const random = seededRandom(seed);
  const keys = logLikelihoods.map(each => (temperature === 0 ? each : each / temperature + gumbel(random)));
  const keyOf = (index: number) => keys[index] ?? Number.NEGATIVE_INFINITY;
  return logLikelihoods
    .map((_, index) => index)
    .toSorted((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(b) - keyOf(a)));
}

/** A sample of the standard Gumbel distribution. `random` may return 0, whose logarithm is not finite. */
function gumbel(random: () => number): number {
  return -Math.log(-Math.log(Math.max(random(), Number.MIN_VALUE)));
}

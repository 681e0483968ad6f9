import type { RankInput, Ranking } from '../../../machines/actors.ts';
import { noTokens } from '../../../machines/pool.ts';
import type { AnswerFormat } from '../../core/choices.ts';
import { sumOf } from '../../core/numbers.ts';
import type { ScoreRequest, TextModel } from '../../core/ports.ts';
import { derivedSeed, seededRandom } from '../../core/random.ts';
import type { Task } from '../../core/task.ts';
import { answerOf } from '../candidates.ts';
import { createSearchClock } from '../enumerate/search-clock.ts';
import { fenced, promptForCode, promptWithCode, taskMessages } from '../prompt/task-messages.ts';
import type { ActorParts } from './actor-parts.ts';

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
      .map(({ code }, at) => ({
        at,
        code: code ?? '',
        likelihood: scores.logLikelihoods[at] ?? Number.NEGATIVE_INFINITY,
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
      order: order.map(({ at }) => at),
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

export interface RankParts {
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
export function unlessTooLong(error: unknown): null {
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
  const keyOf = (at: number) => keys[at] ?? Number.NEGATIVE_INFINITY;
  return logLikelihoods
    .map((_, at) => at)
    .toSorted((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(b) - keyOf(a)));
}

/** A sample of the standard Gumbel distribution. `random` may return 0, whose logarithm is not finite. */
function gumbel(random: () => number): number {
  return -Math.log(-Math.log(Math.max(random(), Number.MIN_VALUE)));
}

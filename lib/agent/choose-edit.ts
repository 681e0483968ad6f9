import type { GenerateInput, Proposal } from '../../machines/actors.ts';
import type { Attempt, Check, Selection } from '../core/attempt.ts';
import type { BeamCompletion, Message } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import { editOutline } from '../edits/edit-outline.ts';
import { shownCode } from '../prompt/fence.ts';
import { editPairs, singleEdits } from '../search/candidates.ts';
import { collected } from '../search/collect.ts';
import { firstAgreeing } from '../search/first-agreeing.ts';
import { type Ranked, rankEdits, unlessTooLong } from '../search/rank.ts';
import type { SearchClock } from '../search/search-clock.ts';
import type { ActorParts } from './actor-parts.ts';
import { type Candidate, pairsOf, poolOf } from './edit-pool.ts';
import { examineEdit } from './examine-edit.ts';
import { DEFAULT_BUDGET } from './search-defaults.ts';

/** What a node asks of the model, and what its candidates have to hold. */
export interface EditRequest {
  readonly messages: readonly Message[];
  /** How many of the model's likeliest answers join the enumerated edits; 0 if the model is not asked. */
  readonly beams: number;
  readonly maxNewTokens: number;
  readonly checks: readonly Check[];
}

/** What is proposed, and what that took. */
export type Choice = Pick<Proposal, 'prompt' | 'completion' | 'tokens' | 'seconds' | 'screeningSeconds'> & {
  readonly selection: Selection;
};

export type ChooseEdit = (
  input: Pick<GenerateInput, 'task' | 'attempts'>,
  request: EditRequest,
  signal: AbortSignal,
) => Promise<Choice | null>;

/**
 * Chooses an edit: the model's likeliest answers and the enumerated edits are put in the order of their likelihood, and
 * the first is taken that is new, applies, parses, keeps the signature and holds all checks. If no single edit does,
 * pairs of them are tried; then the one that holds the most is taken, and the selection says so.
 * Null if there is no candidate.
 */
export function createEditChooser(parts: ActorParts, clock: SearchClock): ChooseEdit {
  const { model, sandbox, parser, options, now } = parts;
  const most = options.search?.budget ?? DEFAULT_BUDGET;
  const enumerate = keptForTask((task, signal) => collected(singleEdits(parser, task, most), clock, signal));

  return async (input, { messages, beams, maxNewTokens, checks }, signal) => {
    const { task, attempts } = input;
    const started = now();
    const outline = editOutline(shownCode(task.buggy)) ?? undefined;
    const request = { messages, beams, maxNewTokens, outline };
    const found =
      beams === 0 ? null : ((await model.beams?.(request, { signal }).catch(unlessTooLong)) ?? null);
    const { candidates, unusable } = poolOf(parser, task, found?.beams ?? [], await enumerate(task, signal));
    const ranked =
      beams === 0 || options.search?.rank === false
        ? null
        : await rankEdits(model, task, candidates.map(textOf), 'edit', { messages, signal });
    const singles = ranked ? inOrder(candidates, ranked.edits) : candidates;
    const proposed = now();

    const isNew = async ({ text }: Candidate) => {
      const seen = await examineEdit(parser, sandbox, { task, completion: text, attempts }, signal);
      return seen.verdict === null && !seen.repeated;
    };
    const screen = (programs: readonly Candidate[]) =>
      firstAgreeing(programs, isNew, { parser, sandbox, task, checks, clock, signal });
    const first = await screen(singles);
    const wanted = first.agreeing || checks.length === 0 ? 0 : most - singles.length;
    const texts =
      wanted > 0 && !clock.isUp()
        ? await collected(editPairs(parser, task, singles.map(textOf), first.held, wanted), clock, signal)
        : [];
    const pairs = pairsOf(task, texts);
    const second = pairs.length > 0 ? await screen(pairs) : null;
    const agreeing = first.agreeing ?? second?.agreeing ?? null;
    const held = [...first.held, ...(second?.held ?? [])];
    const chosen = agreeing ?? (await closest([...singles, ...pairs], held, isNew));
    if (!chosen) return null;

    const isAsked = attempts.some(({ prompt }) => sameTurns(prompt, messages));
    return {
      prompt: found || ranked ? messages.map(({ role, content }) => ({ role, content })) : [],
      completion: chosen.text,
      tokens: isAsked ? { prompt: 0, completion: 0 } : tokensOf(found, ranked),
      seconds: (proposed - started) / 1000,
      screeningSeconds: (now() - proposed) / 1000,
      selection: {
        origin: chosen.origin,
        ranked: ranked !== null,
        left_out: unusable + first.barred + (second?.barred ?? 0),
        checks: checks.map((check, index) => ({
          ...check,
          rejected: (first.rejected[index] ?? 0) + (second?.rejected[index] ?? 0),
        })),
        agrees: agreeing !== null,
        time_up: agreeing === null && clock.isUp(),
      },
    };
  };
}

/**
 * Where none holds all checks: the first that was not tried, as the time was up; else of those that may be handed in the
 * one that held most.
 */
async function closest(
  candidates: readonly Candidate[],
  held: readonly number[],
  isNew: (candidate: Candidate) => Promise<boolean>,
): Promise<Candidate | null> {
  const byMerit = candidates
    .map((candidate, place) => ({ candidate, held: held[place] ?? Number.POSITIVE_INFINITY }))
    .toSorted((a, b) => (a.held === b.held ? 0 : b.held - a.held));
  for (const { candidate } of byMerit.slice(0, MOST_EXAMINED)) {
    if (await isNew(candidate)) return candidate;
  }
  return null;
}

/** If so many cannot be run, the bug lies in what is not edited. */
const MOST_EXAMINED = 50;

/** Asks again only for another task: an agent's parts belong to one. */
function keptForTask<T>(
  compute: (task: Task, signal: AbortSignal) => Promise<T>,
): (task: Task, signal: AbortSignal) => Promise<T> {
  let last: { readonly code: string; readonly value: T } | null = null;
  return async (task, signal) => {
    if (last?.code === task.buggy) return last.value;
    const value = await compute(task, signal);
    last = { code: task.buggy, value };
    return value;
  };
}

function inOrder(candidates: readonly Candidate[], texts: readonly string[]): Candidate[] {
  const byText = new Map(candidates.map(candidate => [candidate.text, candidate]));
  return texts.flatMap(text => byText.get(text) ?? []);
}

function textOf({ text }: Candidate): string {
  return text;
}

function tokensOf(found: BeamCompletion | null, ranked: Ranked | null): Attempt['tokens'] {
  return {
    prompt: (found?.promptTokens ?? 0) + (ranked?.tokens.prompt ?? 0),
    completion: (found?.completionTokens ?? 0) + (ranked?.tokens.completion ?? 0),
  };
}

function sameTurns(one: readonly Message[], other: readonly Message[]): boolean {
  const turns = (messages: readonly Message[]) =>
    JSON.stringify(messages.map(({ role, content }) => [role, content]));
  return turns(one) === turns(other);
}

import type { GenerateInput, Proposal } from '../../../machines/actors.ts';
import type { Attempt, Check, Selection } from '../../core/attempt.ts';
import { sumOf } from '../../core/numbers.ts';
import type { BeamCompletion, Message } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { editOutline } from '../../edits/edit-outline.ts';
import { shownCode } from '../../prompt/fence.ts';
import type { ActorParts } from '../actor-parts.ts';
import { DEFAULT_BUDGET } from '../defaults.ts';
import { collected } from '../enumerate/collect.ts';
import { type Candidate, pairsOf, poolOf } from '../enumerate/edit-pool.ts';
import type { SearchClock } from '../enumerate/search-clock.ts';
import { examineEdit } from '../examine/examine-edit.ts';
import { type Ranked, rankEdits, unlessTooLong } from '../rank/rank.ts';
import { allAgreeing, type Failures, firstAgreeing } from '../screen/first-agreeing.ts';
import type { Trial } from '../screen/trials.ts';
import { editPairs, singleEdits } from '../single-edits.ts';

/** What a node asks of the model, and the checks that candidates must pass. */
interface EditRequest {
  readonly messages: readonly Message[];
  /** Number of the model's likeliest answers that join the enumerated edits; 0 if the model is not asked. */
  readonly beams: number;
  readonly maxNewTokens: number;
  readonly checks: readonly Check[];
}

/** The proposed candidate, with its cost. */
type Choice = Pick<Proposal, 'prompt' | 'completion' | 'tokens' | 'seconds' | 'screeningSeconds'> & {
  readonly selection: Selection;
};

export type ChooseEdit = (
  input: Pick<GenerateInput, 'task' | 'attempts'>,
  request: EditRequest,
  signal: AbortSignal,
) => Promise<Choice | null>;

/**
 * Chooses an edit: the model's likeliest answers and the enumerated edits are ranked by likelihood, and the
 * first one is taken that is new, applies, parses, keeps the signature and passes all checks. If no single
 * edit does, pairs are tried; after that the candidate that passes the most checks is taken, and the
 * selection says so. Null if there is no candidate.
 */
export function createEditChooser(parts: ActorParts, clock: SearchClock): ChooseEdit {
  const { model, sandbox, parser, options, now } = parts;
  const limit = options.search?.budget ?? DEFAULT_BUDGET;
  const failures: Failures = new Map();
  const enumerate = keptForTask((task, signal) => collected(singleEdits(parser, task, limit), clock, signal));

  /** Ranked by likelihood; null if the model is not asked, or the time is up. */
  const rank = async (
    task: Task,
    candidates: readonly Candidate[],
    { messages, beams }: EditRequest,
    signal: AbortSignal,
  ): Promise<Ordered | null> => {
    const isWanted = beams > 0 && options.search?.rank !== false && candidates.length > 0;
    if (!isWanted || clock.isUp()) return null;
    const texts = candidates.map(textOf);
    const ranked = await clock.during(() => rankEdits(model, task, texts, 'edit', { messages, signal }));
    const byText = new Map(candidates.map(candidate => [candidate.text, candidate]));
    return ranked && { ...ranked, candidates: ranked.edits.flatMap(text => byText.get(text) ?? []) };
  };

  return async (input, asked, signal) => {
    const { task, attempts } = input;
    const { messages, beams, maxNewTokens, checks } = asked;
    const started = now();
    const outline = editOutline(shownCode(task.buggy)) ?? undefined;
    const request = { messages, beams, maxNewTokens, outline };
    const found =
      beams === 0 ? null : ((await model.beams?.(request, { signal }).catch(unlessTooLong)) ?? null);
    const { candidates, unusable } = poolOf(parser, task, found?.beams ?? [], await enumerate(task, signal));
    const screening = { parser, sandbox, task, checks, clock, signal };
    const generated = now();
    const all = await allAgreeing(candidates, screening, failures);
    const screened = now();
    const ranked = await rank(task, all.left, asked, signal);
    const singles = ranked?.candidates ?? all.left;
    const proposed = now();

    const isNew = async ({ text }: Candidate) => {
      const seen = await examineEdit(parser, sandbox, { task, completion: text, attempts }, signal);
      return seen.verdict === null && !seen.repeated;
    };
    // Candidates that pass all checks need not be run again.
    const left = { ...screening, checks: all.isComplete ? [] : checks };
    const first = await firstAgreeing(singles, isNew, left, failures);
    const trials = new Map(candidates.map((candidate, index) => [candidate, all.trials[index]]));
    if (!all.isComplete) note(trials, singles, first.trials);
    // Pairs that failed before still fail when more is known.
    const isHopeless = attempts.some(({ selection }) => selection?.agrees === false && !selection.time_up);
    const wanted =
      first.agreeing || checks.length === 0 || isHopeless || clock.isUp() ? 0 : limit - candidates.length;
    const merits = candidates.map(candidate => trials.get(candidate)?.assertionsPassed ?? 0);
    const pairs =
      wanted > 0
        ? pairsOf(
            task,
            await collected(editPairs(parser, task, candidates.map(textOf), merits, wanted), clock, signal),
          )
        : [];
    const second = pairs.length > 0 ? await firstAgreeing(pairs, isNew, screening) : null;
    note(trials, pairs, second?.trials ?? []);
    const agreeing = first.agreeing ?? second?.agreeing ?? null;
    const closest = agreeing ? [] : closestOf([...candidates, ...pairs], trials);
    const rankedClosest = await rank(task, closest, asked, signal);
    const chosen = agreeing ?? (await firstNew(rankedClosest?.candidates ?? closest, isNew));
    if (!chosen) return null;

    const isAsked = attempts.some(({ prompt }) => sameTurns(prompt, messages));
    const parts = [ranked, rankedClosest].filter(part => part !== null);
    return {
      prompt: found || parts.length > 0 ? messages.map(({ role, content }) => ({ role, content })) : [],
      completion: chosen.text,
      tokens: isAsked ? { prompt: 0, completion: 0 } : tokensOf(found, parts),
      seconds: (proposed - started - (screened - generated)) / 1000,
      screeningSeconds: (screened - generated + now() - proposed) / 1000,
      selection: {
        origin: chosen.origin,
        ranked: parts.length > 0,
        left_out: unusable + first.barred + (second?.barred ?? 0),
        checks: checks.map((check, index) => ({
          ...check,
          rejected: [all, first, second].reduce((sum, part) => sum + (part?.rejected[index] ?? 0), 0),
        })),
        agrees: agreeing !== null,
        time_up: agreeing === null && clock.isUp(),
      },
    };
  };
}

/** Stores how each candidate did. */
function note(
  trials: Map<Candidate, Trial | undefined>,
  candidates: readonly Candidate[],
  made: readonly Trial[],
): void {
  for (const [index, candidate] of candidates.slice(0, made.length).entries()) {
    trials.set(candidate, made[index]);
  }
}

interface Ordered extends Ranked {
  readonly candidates: readonly Candidate[];
}

/**
 * If none passes all checks: those that were not tried because of the time limit, then the others by the
 * number of checks passed. Those that do not end are left out unless there are no others: they would only
 * run until the tests' time limit.
 */
function closestOf(
  candidates: readonly Candidate[],
  trials: ReadonlyMap<Candidate, Trial | undefined>,
): Candidate[] {
  const ending = candidates.filter(candidate => !trials.get(candidate)?.overran);
  const eligible = ending.length > 0 ? ending : candidates;
  const merit = (candidate: Candidate) => trials.get(candidate)?.assertionsPassed ?? Number.POSITIVE_INFINITY;
  const merits = [...new Set(eligible.map(merit))].toSorted((a, b) => (a === b ? 0 : b - a));
  let closest: Candidate[] = [];
  for (const floor of merits) {
    if (closest.length >= MIN_CLOSE) break;
    closest = eligible.filter(candidate => merit(candidate) >= floor);
  }
  return closest;
}

/** More than an agent has attempts, so that one of them is new. */
const MIN_CLOSE = 10;

async function firstNew(
  candidates: readonly Candidate[],
  isNew: (candidate: Candidate) => Promise<boolean>,
): Promise<Candidate | null> {
  for (const candidate of candidates.slice(0, MAX_EXAMINED)) {
    if (await isNew(candidate)) return candidate;
  }
  return null;
}

/** If this many candidates cannot be run, the bug is outside of the edited code. */
const MAX_EXAMINED = 50;

/** Cached per task: an agent's actors belong to one task. */
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

function textOf({ text }: Candidate): string {
  return text;
}

function tokensOf(found: BeamCompletion | null, ranked: readonly Ranked[]): Attempt['tokens'] {
  const sum = (kind: 'prompt' | 'completion') => sumOf(ranked, ({ tokens }) => tokens[kind]);
  return {
    prompt: (found?.promptTokens ?? 0) + sum('prompt'),
    completion: (found?.completionTokens ?? 0) + sum('completion'),
  };
}

function sameTurns(one: readonly Message[], other: readonly Message[]): boolean {
  const turns = (messages: readonly Message[]) =>
    JSON.stringify(messages.map(({ role, content }) => [role, content]));
  return turns(one) === turns(other);
}

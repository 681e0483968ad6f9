import { sumOf } from '../../core/numbers.ts';
import type { Language } from '../../core/task.ts';
import type { Input } from './generate.ts';
import { ENDED, type Outcome, OVERRAN, sameOutcome } from './outcome.ts';
import { type ObjectCall, shownCall, shownOutcome } from './shown.ts';
import { isOpaque, type Value } from './value.ts';

/** An input on which programs differ that agree with everything known. */
export interface Question {
  readonly input: Input;
  readonly object?: ObjectCall | undefined;
  /** The call as the language writes it, shortened. */
  readonly call: string;
  /** How many different behaviours the programs have. */
  readonly behaviours: number;
  /** What they do with the input: that of the first program first, then those of most programs. */
  readonly answers: readonly Answer[];
}

export interface Answer {
  readonly outcome: Outcome;
  /** `returns 0`, `raises IndexError`. */
  readonly does: string;
  /** Indices of the programs. */
  readonly programs: readonly number[];
}

/** Of one program, for each input; undefined if it was not called with it. */
type Outcomes = readonly (Outcome | undefined)[];

/** What programs did with inputs. */
export interface Observed {
  readonly inputs: readonly Input[];
  readonly outcomes: readonly Outcomes[];
  /** If a method was called; then the entry point is its class. */
  readonly object?: ObjectCall | undefined;
}

/** Programs that do the same with all inputs, by their indices; in the order of their first members. */
export function behavioursOf({ inputs, outcomes }: Observed, language: Language): number[][] {
  const isSame = (a: Outcomes, b: Outcomes) =>
    inputs.every((_, index) => sameAt(a[index], b[index], language));
  return grouped(outcomes, isSame);
}

/**
 * The input on which programs differ the most, of those with usual characters if there are some; of several, one for which
 * the first program does not raise, and the shortest and plainest. Null if they do the same with all of them, or no
 * difference can be described.
 * @param entryPoint as the call names it
 * @param calls of the tests, whose characters are usual
 */
export function questionAbout(
  observed: Observed,
  entryPoint: string,
  language: Language,
  calls: readonly Input[] = [],
): Question | null {
  const { inputs, outcomes, object } = observed;
  const behaviours = behavioursOf(observed, language).length;
  if (behaviours < 2) return null;
  const divided = inputs.flatMap((input, index) => {
    const results = outcomes.map(each => each[index]);
    if (!results.every(canBeDescribed)) return [];
    const groups = grouped(results, (a, b) => sameAt(a, b, language));
    // Where the first program raises, the input may be outside of what it is meant for.
    return [{ input, found: results, groups, raises: results[0]?.raised === undefined ? 0 : 1 }];
  });
  const oddness = oddnessAmong(calls);
  const [best] = divided
    .filter(({ groups }) => groups.length > 1)
    .map(each => ({ ...each, ...oddness(each.input) }))
    .toSorted(
      (a, b) =>
        Number(a.isOdd) - Number(b.isOdd) ||
        b.groups.length - a.groups.length ||
        a.raises - b.raises ||
        a.length - b.length,
    );
  if (!best) return null;
  const [first = [], ...others] = best.groups;
  const answers = [first, ...others.toSorted((a, b) => b.length - a.length)].flatMap((programs): Answer[] => {
    const outcome = best.found[programs[0] ?? -1];
    return outcome ? [{ outcome, does: described(outcome, language), programs }] : [];
  });
  const call = shownCall(entryPoint, best.input, language, object);
  return { input: best.input, object, call, behaviours, answers };
}

/** How hard an input is to read: whether it has unusual characters, and its length with its new arguments counted twice. */
function oddnessAmong(
  calls: readonly Input[],
): (input: Input) => { readonly isOdd: boolean; readonly length: number } {
  const usual = JSON.stringify(calls);
  const usualValues = new Set(calls.flatMap(call => call.map((value, index) => keyOf(value, index))));
  return input => {
    const symbols = JSON.stringify(input).match(/\\[^"\\]|[^ -~]/g) ?? [];
    const lengths = input.map((value, index) => {
      const key = keyOf(value, index);
      return usualValues.has(key) ? key.length : 2 * key.length;
    });
    return { isOdd: !symbols.every(symbol => usual.includes(symbol)), length: sumOf(lengths, each => each) };
  };
}

function keyOf(value: Value, index: number): string {
  return `${index} ${JSON.stringify(value)}`;
}

/**
 * Whether two programs do the same with at least `count` inputs that both were called with, as far as their outcomes are
 * plain data.
 */
export function behavesTheSame(
  { inputs, outcomes }: Observed,
  [one, other]: readonly [number, number],
  language: Language,
  count: number,
): boolean {
  const both = inputs.flatMap((_, index) => {
    const [a, b] = [outcomes[one]?.[index], outcomes[other]?.[index]];
    return a && b ? [[a, b] as const] : [];
  });
  const isPlain = ({ value, changed = [] }: Outcome) =>
    ![...(value === undefined ? [] : [value]), ...changed].some(isOpaque);
  return both.length >= count && both.every(([a, b]) => isPlain(a) && isPlain(b) && sameAt(a, b, language));
}

function grouped<Item>(items: readonly Item[], isSame: (a: Item, b: Item) => boolean): number[][] {
  const groups: { readonly of: Item; readonly members: number[] }[] = [];
  for (const [index, item] of items.entries()) {
    const group = groups.find(({ of }) => isSame(of, item));
    if (group) group.members.push(index);
    else groups.push({ of: item, members: [index] });
  }
  return groups.map(({ members }) => members);
}

/** An input that one of them was not called with tells nothing. */
function sameAt(a: Outcome | undefined, b: Outcome | undefined, language: Language): boolean {
  return a === undefined || b === undefined || sameOutcome(a, b, { language, tolerance: 0 });
}

/** Whether a reader can tell what happened. */
function canBeDescribed(outcome: Outcome | undefined): outcome is Outcome {
  if (outcome === undefined || outcome.raised === ENDED) return false;
  return ![...(outcome.value === undefined ? [] : [outcome.value]), ...(outcome.changed ?? [])].some(
    isOpaque,
  );
}

function described(outcome: Outcome, language: Language): string {
  if (outcome.raised === OVERRAN) return 'does not end';
  return outcome.raised === undefined
    ? `returns ${shownOutcome(outcome, language)}`
    : `raises ${outcome.raised}`;
}

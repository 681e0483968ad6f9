import type { RecordFacts } from '../core/record-facts.ts';

/**
 * What a run's first candidate was chosen with before the hidden tests saw it: nothing that was run, the
 * docstring's examples, or the hidden tests themselves. Its rate is called pass@1 only in the first case.
 */
const choices = ['nothing', 'examples', 'tests'] as const;
export type ChosenWith = (typeof choices)[number];

/** The required fields of a record. */
type Choice = Pick<RecordFacts, 'search' | 'feedback'> & {
  readonly attempts: readonly Pick<RecordFacts['attempts'][number], 'selection'>[];
};

export function chosenWith(record: Choice): ChosenWith {
  const { search, feedback } = record;
  if (search?.tried_on === 'tests') return 'tests';
  const ran = search !== undefined && search.tried_on !== 'nothing';
  const isScreened = (record.attempts[0]?.selection?.checks.length ?? 0) > 0;
  return ran || isScreened || feedback === 'examples' ? 'examples' : 'nothing';
}

/** For several runs, the strongest of their values. */
export function chosenWithIn(records: readonly Choice[]): ChosenWith {
  const found = new Set<ChosenWith>();
  for (const record of records) found.add(chosenWith(record));
  return choices.findLast(choice => found.has(choice)) ?? 'nothing';
}

/** `pass@1`, or its replacement. */
export function firstCandidateName(chosen: ChosenWith, k = 1): string {
  if (chosen === 'nothing') return `pass@${k}`;
  return `${k === 1 ? 'first candidate' : `first of ${k} samples`}, ${choiceName(chosen)}`;
}

export function choiceName(chosen: ChosenWith): string {
  if (chosen === 'nothing') return 'nothing run before';
  return `tried on ${chosen === 'tests' ? 'the hidden tests' : 'the docstring’s examples'} before`;
}

/** `within 2 iterations`: how often the hidden tests could be run again. */
export function withinName(iterations: number): string {
  return `within ${iterations} iteration${iterations === 1 ? '' : 's'}`;
}

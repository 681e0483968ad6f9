import type { Selection } from '../core/attempt.ts';
import { countsText } from '../core/counts.ts';
import { printable } from '../core/printable.ts';
import type { AssertionCounts } from '../core/verdict.ts';

/**
 * A candidate's source, the checks that it was run on before the hidden tests, and how many candidates each
 * check rejected.
 */
export function selectionLines({ origin, ranked, left_out, checks, agrees, time_up }: Selection): string[] {
  const from = `${origin.kind} ${origin.rank} of ${origin.of}${ranked ? ', ranked by the model' : ''}`;
  return [
    checks.length === 0 ? `${from}; nothing was run before the tests` : from,
    ...(left_out > 0 ? [`${left_out} left out: not applicable, not parsed, or tried before`] : []),
    ...checks.map(
      ({ source, code, rejected }) => `${rejected} rejected by ${sourceNames[source]} ${printable(code)}`,
    ),
    ...(time_up ? ['the time of the search was up before all candidates were tried'] : []),
    ...(agrees || time_up ? [] : ['no candidate passed all checks; this one passed the most']),
  ];
}

const sourceNames = {
  docstring: 'the docstring’s',
  dataset: 'the example tests’',
  revealed: 'an earlier failure’s',
} as const;

/** How many assertions pass, and a line for each of the failing ones that are known. */
export function countsLines(counts: AssertionCounts): string[] {
  const places = counts.failing.map(({ line, source }) =>
    counts.unit ? `fails: ${source}` : `fails: line ${line}: ${source}`,
  );
  return [`${countsText(counts)}.`, ...places.map(printable)];
}

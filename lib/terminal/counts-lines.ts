import { countsText } from '../core/counts-text.ts';
import { printable } from '../core/printable.ts';
import type { AssertionCounts } from '../core/verdict.ts';

/** How many assertions pass, and a line for each of the failing ones that are known. */
export function countsLines(counts: AssertionCounts): string[] {
  const places = counts.failing.map(({ line, source }) =>
    counts.unit ? `fails: ${source}` : `fails: line ${line}: ${source}`,
  );
  return [`${countsText(counts)}.`, ...places.map(printable)];
}

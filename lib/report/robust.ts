import { behavesLikeReference, differsOnMost } from '../core/counts.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import { printable } from '../core/text.ts';
import { meanShare, percentWithin, type Share } from './numbers.ts';

/**
 * The solved runs that were compared with the references on generated inputs, with the share that behaves like them
 * on all of these.
 */
export interface RobustSummary extends Share {
  readonly compared: number;
  readonly alike: number;
  /** Runs that differ on most inputs, as programs do that special-case the inputs of the tests. */
  readonly differ_on_most: number;
  /** Ids of the solved tasks that could not be compared. */
  readonly not_compared: readonly string[];
}

/** Null if none was compared. */
export function robustSummary(records: readonly RecordFacts[]): RobustSummary | null {
  const solved = records.flatMap(({ task_id, passed, robust }) =>
    passed && robust ? [{ task_id, robust }] : [],
  );
  const byTask = new Map<string, boolean[]>();
  for (const { task_id, robust } of solved) {
    const alike = behavesLikeReference(robust);
    if (alike !== null) byTask.set(task_id, [...(byTask.get(task_id) ?? []), alike]);
  }
  const tasks = [...byTask.values()];
  const runs = tasks.flat();
  const share = meanShare(
    tasks.map(alike => alike.filter(Boolean).length / alike.length),
    runs.length,
  );
  if (share === null) return null;
  return {
    ...share,
    compared: runs.length,
    alike: runs.filter(Boolean).length,
    differ_on_most: solved.filter(({ robust }) => differsOnMost(robust)).length,
    not_compared: [
      ...new Set(solved.filter(({ robust }) => robust.tried === 0).map(({ task_id }) => task_id)),
    ],
  };
}

/** The rows of a summary, below the share of solved tasks; none if nothing was compared. */
export function robustRows(summary: RobustSummary | null): [string, string][] {
  if (summary === null) return [];
  const { compared, alike, differ_on_most, not_compared } = summary;
  const left = not_compared.slice(0, SHOWN).map(printable).join(', ');
  const more = not_compared.length > SHOWN ? ` and ${not_compared.length - SHOWN} more` : '';
  const without = not_compared.length === 0 ? '' : `; not compared: ${left}${more}`;
  return [
    [
      '  behave like the reference',
      `${alike} of ${compared} on all generated inputs, ${percentWithin(summary, '95% interval ')}${without}`,
    ],
    [
      '  differ on most inputs',
      differ_on_most === 0 ? '' : `${differ_on_most}, although they pass the tests`,
    ],
  ];
}

/** The same as a sentence. */
export function robustSentences(summary: RobustSummary | null): string[] {
  if (summary === null) return [];
  const { compared, alike, differ_on_most } = summary;
  return [
    `Same results as the reference on all generated inputs: ${alike} of ${compared} solutions, ${percentWithin(summary, '95% interval ')}.`,
    ...(differ_on_most === 0
      ? []
      : [`Different results on most inputs, although they pass the tests: ${differ_on_most}.`]),
  ];
}

const SHOWN = 5;

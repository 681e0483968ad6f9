import { printable } from '../core/printable.ts';
import type { Comparison } from './comparison.ts';
import { type ChosenWith, firstCandidateName } from './first-candidate.ts';
import { percentWithin, plural } from './numbers.ts';
import type { PairedComparison } from './paired.ts';

/** A comparison as a small text table; each line ends in a line feed. */
export function comparisonText(comparison: Comparison): string {
  const { draft, whole, only_in_a, only_in_b } = comparison;
  const rows: [string, string][] = [
    ...(draft === null ? [] : paired(firstName(comparison.chosen_with), draft)),
    ...paired(wholeName(comparison), whole),
    ['behave like the reference', robust(comparison)],
    ['only A solved', list(whole.a_only)],
    ['only B solved', list(whole.b_only)],
    ['judged only in A', list(only_in_a)],
    ['judged only in B', list(only_in_b)],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}

function robust({ robust: { a, b } }: Comparison): string {
  if (a === null && b === null) return '';
  const share = (of: typeof a) =>
    of === null ? 'not compared' : `${of.alike} of ${of.compared}, ${percentWithin(of)}`;
  return `A ${share(a)}, B ${share(b)}`;
}

function wholeName({ chosen_with, with_test_feedback: { a, b } }: Comparison): string {
  if (a && b) return 'solved, with test feedback';
  if (a || b) return `solved, ${a ? 'A' : 'B'} with test feedback`;
  return chosenName(chosen_with, 'pass@1');
}

function firstName(chosen: Comparison['chosen_with']): string {
  return chosenName(chosen, 'pass@1 (draft)');
}

/** `pass` if neither run consulted anything before its first candidate. */
function chosenName({ a, b }: Comparison['chosen_with'], pass: string): string {
  if (a === b) return a === 'nothing' ? pass : firstCandidateName(a);
  const chosen = (of: string, by: ChosenWith) =>
    by === 'nothing' ? [] : [`${of} chosen with ${by === 'tests' ? 'the hidden tests' : 'examples'}`];
  return `first candidate, ${[...chosen('A', a), ...chosen('B', b)].join(', ')}`;
}

function paired(name: string, { tasks, a, b, difference, a_only, b_only, mcnemar_p }: PairedComparison) {
  if (a === null || b === null || difference === null)
    return [[name, 'no task in both']] as [string, string][];
  const split = `${a_only.length} for A, ${b_only.length} for B, McNemar p ${probability(mcnemar_p)}`;
  return [
    [`${name}, ${plural(tasks, 'task')}`, `A ${percentWithin(a)}, B ${percentWithin(b)}`],
    [
      '  B − A',
      `${signed(difference.value)} (95% interval ${signed(difference.low)} to ${signed(difference.high)})`,
    ],
    ['  tasks apart', split],
  ] as [string, string][];
}

function signed(share: number): string {
  return `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}%`;
}

function probability(p: number): string {
  return p < 0.0001 ? 'below 0.0001' : p.toFixed(4);
}

function list(ids: readonly string[]): string {
  const shown = ids.slice(0, SHOWN).map(printable).join(', ');
  return ids.length > SHOWN ? `${shown} and ${ids.length - SHOWN} more` : shown;
}

const SHOWN = 20;

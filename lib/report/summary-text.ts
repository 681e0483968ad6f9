import { bundledDatasets } from '../core/choices.ts';
import { printable } from '../core/text.ts';
import { namedLines, percentWithin, plural } from './numbers.ts';
import { robustRows } from './robust.ts';
import type { Summary } from './summary.ts';
import { choiceName, withinName } from './task-runs.ts';

/** What is known of a run besides its summary. */
export interface SummaryTextTerms {
  readonly dataset?: { readonly name: string };
}

/**
 * A summary as a small text table, what people look for first above, and nothing twice; each line ends in a line
 * feed.
 */
export function summaryText(summary: Summary, { dataset }: SummaryTextTerms = {}): string {
  const rows: [string, string][] = [
    ...solvedRows(summary),
    ['errors', errors(summary)],
    ['tasks', bundledTasksNote(dataset?.name)],
    ['time', time(summary)],
    ['tokens', tokens(summary)],
    ['cost', cost(summary)],
    ['iterations to solve', iterations(summary)],
    ['examples', examples(summary)],
    ['search', search(summary)],
    ['by bug type', list(summary.by_bug_type, ({ solved, runs }) => `${solved}/${runs}`)],
    ['verdicts', verdicts(summary)],
    ...nodes(summary),
  ];
  return namedLines(rows) + summary.warnings.map(warning => `warning: ${printable(warning)}\n`).join('');
}

/** Results on the bundled tasks are not results on HumanEvalFix. */
function bundledTasksNote(name: string | undefined): string {
  if (name === undefined || !bundledDatasets.has(name)) return '';
  return `${name}, hefix’s own tasks; HumanEvalFix: --dataset humanevalpack`;
}

/** How the solved runs were judged; empty if all passes are proven. */
export function judgesText({ proven, isolated, not_counted }: Summary['judges']): string {
  const forgeable = 'in one process, where a candidate could forge its pass';
  if (not_counted > 0) return `${not_counted} more passed ${forgeable}, and are not counted`;
  return isolated === 0 ? '' : `${proven} proven, ${isolated} ${forgeable}`;
}

/** What was solved in the end, then by how few attempts; a line that would repeat the figures is left out. */
function solvedRows(summary: Summary): [string, string][] {
  const { samples, runs, solved, tasks, with_test_feedback: points, first_candidate: first } = summary;
  const name = summary.search ? 'solved by search' : 'solved';
  if (first === null) return [[name, 'no task was judged']];
  const share = points.length > 0 ? points.at(-1) : first;
  if (runs === 0 || share === undefined) {
    return [[name, 'no task was judged to its end'], firstRow(first, points), ...moreSamples(summary, first)];
  }
  const isWhole = (point: { readonly runs: number; readonly solved: number }) =>
    point.runs === runs && point.solved === solved;
  const of = samples > 1 ? ` runs of ${tasks} tasks` : '';
  const last = points.slice(1).find(isWhole);
  const isFirst = isWhole(first);
  const how = isFirst ? firstRemark(first) : last ? `, ${withinName(last.iterations)}` : '';
  return [
    [name, `${solved}/${runs}${of}, ${percentWithin(share, '95% interval ')}${how}`],
    ['  judges', judgesText(summary.judges)],
    ...robustRows(summary.robust),
    ...(isFirst ? [] : [firstRow(first, points)]),
    ['  pass@1', summary.search ? '' : howToPassAt1(first)],
    ...moreSamples(summary, first),
    ...curve(isFirst ? [] : points, point => point !== last),
  ];
}

type First = NonNullable<Summary['first_candidate']>;
type Points = Summary['with_test_feedback'];

/** That the first candidates alone have the same figures. */
function firstRemark({ chosen_with, solved }: First): string {
  if (chosen_with === 'nothing') return '; pass@1 is the same';
  return solved === 0 ? '' : `; all with the first candidate, ${choiceName(chosen_with)}`;
}

/** pass@1 counts candidates that nothing was run on before. */
function howToPassAt1({ chosen_with }: First): string {
  return chosen_with === 'nothing'
    ? ''
    : 'not measured, since examples were run before; --pass-at-1 measures it';
}

/** The first candidate that the hidden tests saw: pass@1 if nothing was run on it before. */
function firstRow(first: First, points: Points): [string, string] {
  const isPass = first.chosen_with === 'nothing';
  const chosen = isPass ? '' : `, ${choiceName(first.chosen_with)}`;
  return [
    `  ${isPass ? `pass@1${draftMark(points)}` : 'first candidate'}`,
    `${first.solved}/${first.runs}, ${percentWithin(first, '95% interval ')}${chosen}`,
  ];
}

function moreSamples(
  { tasks, with_test_feedback: points }: Summary,
  { chosen_with, at_k }: First,
): [string, string][] {
  const of = (share: First['at_k'][number]) =>
    share.tasks < tasks ? `; ${share.tasks} of ${plural(tasks, 'task')}` : '';
  const name = (k: number) =>
    chosen_with === 'nothing' ? `pass@${k}${draftMark(points)}` : `first of ${k} samples`;
  return at_k
    .filter(({ k }) => k > 1)
    .map(share => [`  ${name(share.k)}`, `${percentWithin(share, '95% interval ')}${of(share)}`]);
}

function draftMark(points: Points): string {
  return points.length > 0 ? ' (draft)' : '';
}

/** The number solved within each number of iterations that solved more than the one before. */
function curve(points: Points, isShown: (point: Points[number]) => boolean): [string, string][] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    const isNew = before !== undefined && (point.solved !== before.solved || point.runs !== before.runs);
    if (!isNew || !isShown(point)) return [];
    const figures = `${point.solved}/${point.runs}, ${percentWithin(point, '95% interval ')}`;
    return [[`  ${withinName(point.iterations)}`, figures]];
  });
}

/** Nothing if all passed. */
function verdicts({ by_verdict, solved, runs }: Summary): string {
  return solved === runs ? '' : list(by_verdict, String);
}

function iterations({ iterations_to_solve, search, by_node }: Summary): string {
  if (iterations_to_solve === null || search !== null || by_node.given !== undefined) return '';
  if (iterations_to_solve.mean === 0) return '';
  return `mean ${iterations_to_solve.mean.toFixed(1)}, median ${iterations_to_solve.median}`;
}

function search({ search }: Summary): string {
  if (search === null) return '';
  const { runs, ranked, tried_on, candidates_per_run, tried_per_run, median_rank } = search;
  const share = ranked === runs ? '' : `${ranked} of ${runs} `;
  const order = ranked === 0 ? 'in a fixed order' : `${share}ranked by the model`;
  const rank = median_rank === null ? '' : `; median rank of those that passed ${median_rank}`;
  const on = Object.keys(tried_on).join(' or ');
  return `${order}, tried on ${on}: ${tried_per_run.toFixed(0)} of ${candidates_per_run.toFixed(0)} candidates a run${rank}`;
}

/** One row per node; a single one would repeat the totals, except for candidates that passed the examples. */
function nodes({ by_node }: Summary): [string, string][] {
  const asked = Object.entries(by_node).filter(([node]) => node !== 'given');
  if (asked.every(([, use]) => use.passed_examples === 0) && asked.length === 1) return [];
  return asked.map(([node, use]) => {
    const { asked, solved, passed_examples, tokens, seconds, tokens_per_second } = use;
    const rate = tokens_per_second === null ? '' : `, ${tokens_per_second} per second`;
    const examples = passed_examples === 0 ? '' : `, passed the examples ${times(passed_examples)}`;
    const isModelAsked = tokens.prompt + tokens.completion > 0;
    const model = isModelAsked
      ? `; ${tokens.completion} tokens in ${seconds.toFixed(1)} s${rate}`
      : '; no model was asked';
    const did = node === 'search' ? 'handed in' : isModelAsked ? 'asked' : 'proposed';
    return [`node ${printable(node)}`, `${did} ${times(asked)}, solved ${solved}${examples}${model}`];
  });
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function errors({ errors: { runs, by_code } }: Summary): string {
  return runs === 0 ? '' : `${runs} without a verdict: ${list(by_code, String)}`;
}

/** The wall-clock time, then the sum over all tasks, which is larger with several workers. */
function time({ seconds }: Summary): string {
  const { total, model, search, execution, elapsed } = seconds;
  const parts = [
    ...(model > 0 ? [`model ${inSeconds(model)}`] : []),
    ...(search > 0 ? [`search ${inSeconds(search)}`] : []),
    `execution ${inSeconds(execution)}`,
  ];
  const clock = elapsed === null ? '' : `wall time ${inSeconds(elapsed)}; `;
  return `${clock}sum over tasks ${inSeconds(total)}: ${parts.join(', ')}`;
}

function inSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}

function examples({ examples }: Summary): string {
  if (examples === null) return '';
  return `${examples.passed} passed the docstring’s examples; ${examples.passed_but_failed_tests} of these failed the tests`;
}

function tokens({ tokens, tokens_per_second }: Summary): string {
  if (tokens.prompt + tokens.completion === 0) return '';
  const rate = tokens_per_second === null ? '' : `, ${tokens_per_second} per second`;
  return `${tokens.prompt} prompt, ${tokens.completion} completion${rate}`;
}

/** In the currency of the prices. */
function cost({ cost, cached_replies }: Summary): string {
  const cached = cached_replies === 0 ? '' : `${plural(cached_replies, 'answer')} from the cache`;
  return [cost === null ? '' : String(cost), cached].filter(part => part !== '').join(', ');
}

function list<T>(values: Readonly<{ [key: string]: T }>, show: (value: T) => string): string {
  return Object.entries(values)
    .map(([key, value]) => `${printable(key)} ${show(value)}`)
    .join(', ');
}

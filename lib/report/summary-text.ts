import { printable } from '../core/printable.ts';
import type { Share } from './interval.ts';
import type { Summary } from './summary.ts';

/** A summary as a small table for people; one line per row, each ending in a line feed. */
export function summaryText(summary: Summary): string {
  const rows: [string, string][] = [
    [summary.search ? 'solved by search' : 'solved', solved(summary)],
    ...curve(summary),
    ['examples', examples(summary)],
    ['iterations to solve', iterations(summary)],
    ['search', search(summary)],
    ['by bug type', list(summary.by_bug_type, ({ solved, runs }) => `${solved}/${runs}`)],
    ['verdicts', list(summary.by_verdict, String)],
    ...nodes(summary),
    [
      'errors',
      summary.errors.runs === 0
        ? ''
        : `${summary.errors.runs} not judged: ${list(summary.errors.by_code, String)}`,
    ],
    ['tokens', tokens(summary)],
    ['cost', cost(summary)],
    [
      'time',
      `all tasks together ${summary.seconds.total.toFixed(1)} s, model ${summary.seconds.model.toFixed(1)} s, execution ${summary.seconds.execution.toFixed(1)} s`,
    ],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`);
  return [...lines, ...summary.warnings.map(warning => `warning: ${printable(warning)}\n`)].join('');
}

function solved({ tasks, samples, runs, solved, with_test_feedback, pass_at_1 }: Summary): string {
  const share = with_test_feedback.at(-1) ?? pass_at_1;
  if (share === null) return 'no task was judged';
  const of = samples > 1 ? ` runs of ${tasks} tasks` : '';
  return `${solved}/${runs}${of}, ${percent(share)}`;
}

/** How many were solved by the draft alone, and by each iteration after it that solved more. */
function curve({ runs, pass_at_1, with_test_feedback, pass_at_k }: Summary): [string, string][] {
  if (pass_at_1 === null) return [];
  const isNew = ({ solved }: { solved: number }, index: number) =>
    index === 0 || solved !== with_test_feedback[index - 1]?.solved;
  const row = (share: Summary['with_test_feedback'][number]): [string, string] => [
    share.iterations === 0 ? '  pass@1 (draft)' : `  after ${share.iterations} with test feedback`,
    `${share.solved}/${runs}, ${percent(share)}`,
  ];
  const more = pass_at_k.filter(({ k }) => k > 1);
  const draft = with_test_feedback.length > 0 ? ' (draft)' : '';
  return [
    ...with_test_feedback.slice(0, 1).map(row),
    ...more.map((share): [string, string] => [`  pass@${share.k}${draft}`, percent(share)]),
    ...with_test_feedback.filter(isNew).slice(1).map(row),
  ];
}

function iterations({ iterations_to_solve, search }: Summary): string {
  if (iterations_to_solve === null || search !== null) return '';
  return `mean ${iterations_to_solve.mean.toFixed(1)}, median ${iterations_to_solve.median}`;
}

function search({ search }: Summary): string {
  if (search === null) return '';
  const { runs, ranked, tried_on, candidates_per_run, tried_per_run, median_place } = search;
  const order = ranked === runs ? 'ranked by the model' : `${ranked} of ${runs} ranked by the model`;
  const place = median_place === null ? '' : `; median place of those that passed ${median_place}`;
  const on = Object.keys(tried_on).join(' or ');
  return `${order}, tried on ${on}: ${tried_per_run.toFixed(0)} of ${candidates_per_run.toFixed(0)} candidates a run${place}`;
}

/** One row a node. */
function nodes({ by_node }: Summary): [string, string][] {
  return Object.entries(by_node).map(([node, { asked, passed, tokens, seconds, tokens_per_second }]) => {
    const rate = tokens_per_second === null ? '' : `, ${tokens_per_second} per second`;
    return [
      `node ${printable(node)}`,
      `asked ${asked} times, passed ${passed}; ${tokens.completion} tokens in ${seconds.toFixed(1)} s${rate}`,
    ];
  });
}

function examples({ examples }: Summary): string {
  if (examples === null) return '';
  return `${examples.passed} passed the docstring’s, ${examples.passed_but_failed_tests} of these failed the tests`;
}

function percent({ value, low, high }: Share): string {
  const [middle, from, to] = [value, low, high].map(share => (100 * share).toFixed(1));
  return `${middle}% (95% interval ${from}–${to}%)`;
}

function tokens({ tokens, tokens_per_second }: Summary): string {
  const rate = tokens_per_second === null ? '' : `, ${tokens_per_second} per second`;
  return `${tokens.prompt} prompt, ${tokens.completion} completion${rate}`;
}

/** In whatever currency the prices were. */
function cost({ cost, cached_replies }: Summary): string {
  const kept = cached_replies === 0 ? '' : `${cached_replies} answers from the cache`;
  return [cost === null ? '' : String(cost), kept].filter(part => part !== '').join(', ');
}

function list<T>(values: Readonly<{ [key: string]: T }>, show: (value: T) => string): string {
  return Object.entries(values)
    .map(([key, value]) => `${printable(key)} ${show(value)}`)
    .join(', ');
}

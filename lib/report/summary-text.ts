import type { Share } from './interval.ts';
import type { Summary } from './summary.ts';

/** A summary as a small table for people; one line per row, each ending in a line feed. */
export function summaryText(summary: Summary): string {
  const rows: [string, string][] = [
    ['solved', solved(summary)],
    ...curve(summary),
    ['by bug type', list(summary.by_bug_type, ({ solved, tasks }) => `${solved}/${tasks}`)],
    ['verdicts', list(summary.by_verdict, String)],
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
      `${summary.seconds.total.toFixed(1)} s, model ${summary.seconds.model.toFixed(1)} s, execution ${summary.seconds.execution.toFixed(1)} s`,
    ],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}

function solved({ tasks, solved, with_test_feedback }: Summary): string {
  const share = with_test_feedback.at(-1);
  if (share === undefined) return 'no task was judged';
  return `${solved}/${tasks}, ${percent(share)}`;
}

/** How many were solved by the draft alone, and by each iteration after it that solved more. */
function curve({ tasks, with_test_feedback }: Summary): [string, string][] {
  return with_test_feedback
    .filter(({ solved }, index) => index === 0 || solved !== with_test_feedback[index - 1]?.solved)
    .map(share => [
      share.iterations === 0 ? '  pass@1 (draft)' : `  after ${share.iterations} with test feedback`,
      `${share.solved}/${tasks}, ${percent(share)}`,
    ]);
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
    .map(([key, value]) => `${key} ${show(value)}`)
    .join(', ');
}

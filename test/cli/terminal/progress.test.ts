import pc from 'picocolors';
import stringWidth from 'string-width';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verboseProgress } from '../../../lib/cli/terminal/create-progress.ts';
import { lineProgress, shortened, taskLine } from '../../../lib/cli/terminal/line-progress.ts';
import { barLine, createProgressBar, duration } from '../../../lib/cli/terminal/progress-bar.ts';
import { type Terminal, terminalOf } from '../../../lib/cli/terminal/terminal.ts';
import { attemptWith, recordWith, tasks } from '../../run/fakes.ts';

function recording(width: number | null) {
  const written: string[] = [];
  const size = { width };
  const terminal: Terminal = {
    write: text => written.push(text),
    width: () => size.width,
    colors: pc.createColors(false),
  };
  return { terminal, written, size };
}

const state = {
  done: 12,
  total: 82,
  solved: 7,
  judged: 12,
  tokensPerSecond: 31.04,
  secondsLeft: 130,
  current: 'Python/24 reflect',
};

test('the bar shows everything on a wide terminal', () => {
  expect(barLine(state, 120)).toBe(
    '███░░░░░░░░░░░░░░░░░  12/82  solved 7, 58%  31.0 tokens/s  2:10 left  Python/24 reflect',
  );
});

test('the bar drops the least important parts on a narrow one, and never is too long', () => {
  for (let width = 0; width < 120; width++) expect(barLine(state, width).length).toBeLessThanOrEqual(width);
  expect(barLine(state, 60)).toBe('███░░░░░░░░░░░░░░░░░  12/82  solved 7, 58%  2:10 left');
  expect(barLine(state, 19)).toBe('12/82');
  expect(barLine(state, 3)).toBe('12/');
});

test('omits unknown values', () => {
  const start = { ...state, done: 0, solved: 0, judged: 0, tokensPerSecond: null, secondsLeft: null };
  expect(barLine(start, 120)).toBe('░░░░░░░░░░░░░░░░░░░░  0/82  solved 0  Python/24 reflect');
});

test.each([
  [0, '0:00'],
  [59.6, '1:00'],
  [754, '12:34'],
  [11045, '3:04:05'],
])('%d seconds are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test('erases all rows of a bar that a narrower terminal has wrapped', () => {
  const { terminal, written, size } = recording(80);
  const bar = createProgressBar(terminal);
  bar.draw('x'.repeat(70));
  size.width = 30;
  bar.draw('y');
  expect(written).toEqual(['x'.repeat(70), '\u001b[2A\r\u001b[J', 'y']);
});

test('a pipe gets one line per task and no redrawing', () => {
  const { terminal, written } = recording(null);
  const progress = lineProgress(terminal, { now: () => 0 });
  const jobs = tasks(4).map((task, index) => ({ task, index, sample: 0 }));
  const [, first, second, third] = jobs.map(job => () => progress.started(job));
  progress.planned(jobs, [recordWith({ task_id: 'set/0' })]);
  first?.().ended(recordWith({ task_id: 'set/1', iters: 2, runtime_sec: 1.26 }));
  const verdict = { kind: 'failed', message: 'f(1) gave \u001b[2J.' } as const;
  second?.().ended(recordWith({ task_id: 'set/2', passed: false, verdict, iters: 3 }));
  const broken = third?.();
  broken?.again({ code: 'AWAY', message: 'It was.' });
  broken?.ended(
    recordWith({ task_id: 'set/3', sample: 2, passed: null, error: { code: 'GONE', message: 'It is.' } }),
  );
  progress.stop();
  expect(written.join('')).toBe(
    [
      '1 of 4 tasks are recorded already',
      '✓ 2/4 set/1 passed in iteration 2, 1.3 s',
      '✗ 3/4 set/2 failed in iteration 3, 2.0 s: f(1) gave \\x1b[2J.',
      'set/3 again after AWAY: It was.',
      '✗ 4/4 set/3#2 error GONE, 2.0 s: It is.',
      '',
    ].join('\n'),
  );
});

describe('a task’s line', () => {
  const verdict = {
    kind: 'failed',
    message: `f(1) returned ${'long '.repeat(60)}\n  and so on, but the tests want 2.`,
  } as const;
  const record = recordWith({ passed: false, verdict, iters: 1 });
  const count = { done: 1, total: 9 };

  test.each([40, 80, 200])('fits %i columns, with its message shortened in the middle', width => {
    const line = taskLine(record, count, recording(width).terminal);
    expect(stringWidth(line)).toBeLessThan(width);
    expect(line).toMatch(/^✗ 1\/9 set\/0 failed.*, 2\.0 s\b/);
    if (width > 40) expect(line).toMatch(/: f\(1\) returned.*….*the tests want 2\.$/);
  });

  test('is complete, on one line, without a terminal', () => {
    const line = taskLine(record, count, recording(null).terminal);
    expect(line).toContain('long and so on, but the tests want 2.');
    expect(line).not.toContain('\n');
  });

  test('does not quote a whole answer in a log', () => {
    const long = recordWith({ passed: false, verdict: { ...verdict, message: 'word '.repeat(300) } });
    expect(taskLine(long, count, recording(null).terminal).length).toBeLessThanOrEqual(500);
  });

  test('counts wide characters twice', () => {
    expect(shortened('日本語の長い文章', 9)).toBe('日本…文章');
    expect(shortened('👩‍👩‍👧 reported it in a long message', 9)).toBe('👩‍👩‍👧 r…sage');
  });
});

test('--verbose shows answers that arrive at once, such as beams', () => {
  const { terminal, written } = recording(null);
  const progress = verboseProgress(terminal, 1);
  const [job] = tasks(1).map((task, index) => ({ task, index, sample: 0 }));
  progress.planned(job ? [job] : [], []);
  const events = job && progress.started(job);
  events?.state('draft');
  events?.attempted(attemptWith({ temperature: null, completion: '@2\n-\treturn 1\n+\treturn 2' }));
  expect(written.join('')).toContain(
    'draft\n@2\n-\treturn 1\n+\treturn 2\n5 tokens\nfailed One did not hold.',
  );
});

test('--verbose shows how many assertions pass, and which fail', () => {
  const { terminal, written } = recording(null);
  const progress = verboseProgress(terminal, 1);
  const [job] = tasks(1).map((task, index) => ({ task, index, sample: 0 }));
  const counts = { passed: 2, failed: 1, failing: [{ line: 3, source: 'assert f(2) == 4' }] };
  if (job) progress.started(job).attempted(attemptWith({ counts }));
  expect(written.join('')).toContain('  2 of 3 assertions pass.\n  fails: line 3: assert f(2) == 4\n');
});

test('the bar of a run on many machines shows the queue, and says once that no worker is there', () => {
  const { terminal, written } = recording(160);
  let now = 0;
  const progress = lineProgress(terminal, { now: () => now });
  const jobs = tasks(4).map((task, index) => ({ task, index, sample: 0 }));
  progress.planned(jobs, []);
  const queue = { waiting: 4, active: 0, paused: false, workers: 0, oldestSeconds: null };
  progress.distributed?.(queue);
  progress.distributed?.(queue);
  progress.distributed?.({ ...queue, active: 2, workers: 3, oldestSeconds: 7.2 });
  now = 500;
  const [first] = jobs;
  if (first) progress.started(first).ended(recordWith({}));
  progress.stop();
  expect(written.join('').match(/no worker takes units/g)).toHaveLength(1);
  expect(written.join('')).toContain(
    '1/4  solved 1, 100%  0:02 left  2.0 units/s, 3 workers, 2 running, oldest 7 s',
  );
});

test('the time left falls while the last task runs', () => {
  const { terminal, written } = recording(160);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let now = 0;
  const progress = lineProgress(terminal, { now: () => now });
  const [first, last] = tasks(2).map((task, index) => ({ task, index, sample: 0 }));
  if (!first || !last) throw new Error('There are two tasks.');
  progress.planned([first, last], []);
  now = 10_000;
  progress.started(first).ended(recordWith({}));
  progress.started(last);
  const shown = [2, 6, 30].map(seconds => {
    now = 10_000 + seconds * 1000;
    written.length = 0;
    vi.advanceTimersByTime(1000);
    return /\S+ left/.exec(written.join(''))?.[0];
  });
  progress.stop();
  expect(shown).toEqual(['0:08 left', '0:04 left', '0:01 left']);
});

test('the bar shows the most recent job, and the number of others', () => {
  const { terminal, written } = recording(110);
  const progress = lineProgress(terminal, { now: () => 0 });
  const jobs = tasks(3).map((task, index) => ({ task, index, sample: 0 }));
  progress.planned(jobs, []);
  const [first, second, third] = jobs.map(job => progress.started(job));
  second?.state('reflect');
  first?.ended(recordWith({ task_id: 'set/0' }));
  expect(written.at(-1)).toMatch(/ 1\/3 {2}solved 1, 100% .* set\/1 reflect, 1 more$/);
  third?.ended(recordWith({ task_id: 'set/2' }));
  expect(written.at(-1)).toMatch(/set\/1 reflect$/);
  progress.stop();
});

test('several workers do not interleave the output of two jobs', () => {
  const { terminal, written } = recording(null);
  const progress = verboseProgress(terminal, 2);
  const jobs = tasks(2).map((task, index) => ({ task, index, sample: 0 }));
  progress.planned(jobs, []);
  const [first, second] = jobs.map(job => progress.started(job));
  first?.text('one, ');
  second?.text('three, ');
  first?.text('two.');
  second?.ended(recordWith({ task_id: 'set/1' }));
  second?.text('four.');
  first?.ended(recordWith({ task_id: 'set/0' }));
  expect(written.join('')).toMatch(
    /\[1\/2\] set\/1, f1\nthree, ✓ 1\/2 set\/1 passed.*\n\n\[2\/2\] set\/0, f0\none, two\.✓ 2\/2 set\/0 passed/,
  );
});

test.each([
  ['a pipe', {}, {}, false],
  ['a terminal with colours', { isTTY: true, hasColors: () => true }, {}, true],
  ['a terminal without', { isTTY: true, hasColors: () => false }, {}, false],
  ['NO_COLOR', { isTTY: true, hasColors: () => true }, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR', { isTTY: true, hasColors: () => true }, { NO_COLOR: '' }, true],
  ['FORCE_COLOR', {}, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('colours in %s', (_, stream, env, expected) => {
  expect(terminalOf({ write: () => {}, ...stream }, env).colors.isColorSupported).toBe(expected);
});

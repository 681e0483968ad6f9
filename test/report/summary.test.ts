import { describe, expect, test } from 'vitest';
import { compareRecords } from '../../lib/report/comparison.ts';
import { wilson } from '../../lib/report/numbers.ts';
import { runPage } from '../../lib/report/pages/run-page.ts';
import { summarise } from '../../lib/report/summary.ts';
import { summaryText } from '../../lib/report/summary-text.ts';
import { attemptWith, recordWith } from '../run/fakes.ts';
import { manifestWith } from './manifest.ts';

/** Bounds from the formula by hand, z = 1.959964: (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n). */
test.each([
  // z²/n = 0.384146; (0.7 + 0.192073 ± 1.959964·√(0.021 + 0.009604)) / 1.384146
  [7, 10, 0.7, 0.39678, 0.89221],
  // upper bound z²/n / (1 + z²/n)
  [0, 10, 0, 0, 0.27753],
  [10, 10, 1, 0.72247, 1],
  [1, 1, 1, 0.20654, 1],
])('Wilson interval of %i of %i', (successes, trials, value, low, high) => {
  const share = wilson(successes / trials, trials);
  expect(share.value).toBe(value);
  expect(share.low).toBeCloseTo(low, 4);
  expect(share.high).toBeCloseTo(high, 4);
});

const failed = { kind: 'failed', message: 'One did not hold.' } as const;
const records = [
  recordWith({ task_id: 'a', bug_type: 'missing logic' }),
  recordWith({
    task_id: 'b',
    bug_type: 'missing logic',
    iters: 2,
    timings_sec: { proposal: 1, execution: 1, reflection: 2 },
  }),
  recordWith({ task_id: 'c', bug_type: 'value misuse', iters: 3, passed: false, verdict: failed }),
  recordWith({ task_id: 'd', iters: 3, passed: false, verdict: { kind: 'syntax', message: 'No.' } }),
  recordWith({
    task_id: 'e',
    passed: null,
    verdict: null,
    error: { code: 'SANDBOX_FAILED', message: 'Gone.' },
  }),
];

test('a summary counts judged runs, and errors separately', () => {
  const summary = summarise(records, 3);
  expect(summary).toMatchObject({
    tasks: 4,
    solved: 2,
    pass_at_1: { value: 0.25 },
    by_bug_type: {
      'missing logic': { tasks: 2, solved: 2 },
      'value misuse': { tasks: 1, solved: 0 },
      unknown: { tasks: 1, solved: 0 },
    },
    by_verdict: { passed: 2, failed: 1, syntax: 1 },
    errors: { runs: 1, by_code: { SANDBOX_FAILED: 1 } },
    tokens: { prompt: 50, completion: 25 },
    // Proposals 5 × 1 and one reflection of 2.
    seconds: { total: 10, model: 7, execution: 3 },
    tokens_per_second: 3.6,
  });
  expect(
    summary.with_test_feedback.map(({ iterations, solved, value }) => [iterations, solved, value]),
  ).toEqual([
    [0, 1, 0.25],
    [1, 1, 0.25],
    [2, 2, 0.5],
    [3, 2, 0.5],
  ]);
});

test('a summary tells passes that are not proven apart', () => {
  const mixed = [
    recordWith({ task_id: 'a', judge: 'isolated' }),
    recordWith({ task_id: 'b' }),
    recordWith({ task_id: 'c', judge: 'isolated', passed: false, verdict: failed }),
  ];
  const summary = summarise(mixed, 0);
  expect(summary).toMatchObject({ solved: 2, judges: { proven: 1, isolated: 1, not_counted: 0 } });
  expect(summaryText(summary)).toContain(
    '1 proven, 1 in one process, where a candidate could forge its pass\n',
  );
  const results = { path: 'r.jsonl', records: mixed, inProgress: false, manifest: manifestWith() };
  expect(runPage(results, 'light').warnings).toContain(
    'Of the runs that passed: 1 proven, 1 in one process, where a candidate could forge its pass.',
  );
});

test('a pass in one process that is not counted is told', () => {
  const passed = { kind: 'passed', message: 'All tests passed.' } as const;
  const summary = summarise(
    [
      recordWith({ task_id: 'a' }),
      recordWith({ task_id: 'b', judge: 'isolated', passed: false, verdict: passed }),
    ],
    0,
  );
  expect(summary).toMatchObject({ solved: 1, judges: { proven: 1, isolated: 0, not_counted: 1 } });
  expect(summaryText(summary)).toContain('1 more passed in one process');
});

test('means of tokens and seconds include the runs that failed', () => {
  const { tiles } = runPage(
    { path: 'r.jsonl', records, inProgress: false, manifest: manifestWith() },
    'light',
  );
  // 25 tokens and 10 seconds over five runs; four were judged.
  expect(tiles.slice(2).map(({ name, value }) => [name, value])).toEqual([
    ['completion tokens a run', '5'],
    ['seconds a run', '2.0'],
  ]);
});

describe('a run that ended in an error after attempts were judged', () => {
  const error = { code: 'BACKEND_CONTEXT_TOO_LONG', message: 'Too long.' };
  const cutShort = (task_id: string, through: number) =>
    recordWith({
      task_id,
      passed: null,
      verdict: failed,
      error,
      iters: through,
      attempts: Array.from({ length: through + 1 }, (_, iteration) => attemptWith({ iteration })),
    });
  const records = [recordWith({ task_id: 'a' }), cutShort('b', 0), cutShort('c', 1)];

  test('counts in the figures up to these attempts', () => {
    const summary = summarise(records, 2);
    expect(summary.first_candidate).toMatchObject({ solved: 1, runs: 3, value: 1 / 3 });
    expect(summary.with_test_feedback.map(({ solved, runs }) => [solved, runs])).toEqual([
      [1, 3],
      [1, 2],
      [1, 1],
    ]);
    expect(summary.errors.runs).toBe(2);
    expect(summary.warnings).toEqual([expect.stringContaining('Counted as unsolved, they make it 1/3.')]);
    expect(summaryText(summary)).toContain('pass@1 (draft)      1/3, 33.3%');
  });

  test('is compared by its draft only', () => {
    const others = [recordWith({ task_id: 'a' }), recordWith({ task_id: 'b' })];
    expect(compareRecords(records, others)).toMatchObject({
      draft: { tasks: 2, b_only: ['b'] },
      whole: { tasks: 1 },
    });
  });

  test('counts nothing if its feedback was not the tests', () => {
    const examples = records.map(record => ({ ...record, feedback: 'examples' as const }));
    expect(summarise(examples, 2)).toMatchObject({ tasks: 1, first_candidate: { runs: 1 } });
  });
});

test('no records, or none judged, give a summary too', () => {
  expect(summarise([], 3)).toMatchObject({
    tasks: 0,
    solved: 0,
    pass_at_1: null,
    with_test_feedback: [],
    tokens_per_second: null,
  });
  const broken = summarise(records.slice(4), 0);
  expect(broken).toMatchObject({ tasks: 0, pass_at_1: null, errors: { runs: 1 } });
  expect(summaryText(broken)).toContain('no task was judged');
});

test('the text says the same', () => {
  expect(summaryText(summarise(records, 3))).toMatchInlineSnapshot(`
    "solved               2/4, 50.0% (95% interval 15.0–85.0%), within 2 iterations
      pass@1 (draft)     1/4, 25.0% (95% interval 4.6–69.9%)
    errors               1 without a verdict: SANDBOX_FAILED 1
    time                 sum over tasks 10.0 s: model 7.0 s, execution 3.0 s
    tokens               50 prompt, 25 completion, 3.6 per second
    iterations to solve  mean 1.0, median 1
    by bug type          missing logic 2/2, value misuse 0/1, unknown 0/1
    verdicts             passed 2, failed 1, syntax 1
    "
  `);
});

describe('feedback that is not the tests', () => {
  const passed = { kind: 'passed', message: 'All held.' } as const;
  const failed = { kind: 'failed', message: 'One did not hold.' } as const;

  test('examples: every answer is scored once and was chosen with them, so the share is not pass@1', () => {
    const examples = { feedback: 'examples', example_verdict: passed } as const;
    const summary = summarise(
      [
        recordWith({ ...examples, task_id: 'a', iters: 2 }),
        recordWith({ ...examples, task_id: 'b', passed: false, verdict: failed }),
        recordWith({ ...examples, task_id: 'c', passed: false, verdict: failed, example_verdict: failed }),
        recordWith({ ...examples, task_id: 'd', example_verdict: null }),
      ],
      3,
    );
    expect(summary).toMatchObject({ pass_at_1: null, pass_at_k: [] });
    expect(summary.first_candidate).toMatchObject({ chosen_with: 'examples', value: 0.5 });
    expect(summary.with_test_feedback).toEqual([]);
    expect(summary.examples).toEqual({ passed: 2, passed_but_failed_tests: 1 });
    expect(summaryText(summary)).toContain('2 passed the docstring’s examples; 1 of these failed the tests');
    expect(summaryText(summary)).not.toMatch(/pass@1 +\d|within/);
    expect(summaryText(summary)).toMatch(
      /; all with the first candidate, tried on the docstring’s examples before\n {2}pass@1 +not measured.*--pass-at-1/,
    );
  });

  test('none: no examples to count', () => {
    const summary = summarise([recordWith({ feedback: 'none', iters: 1 })], 3);
    expect(summary.pass_at_1?.value).toBe(1);
    expect(summary.examples).toBeNull();
  });
});

import { expect, test } from 'vitest';
import type { Attempt } from '../../lib/core/attempt.ts';
import { summarise } from '../../lib/report/summary.ts';
import { summaryText } from '../../lib/report/summary-text.ts';
import { recordWith } from '../run/fakes.ts';

const kinds = { passed: 'All held.', failed: 'One did not hold.' } as const;

function attempt(
  node: Attempt['node'],
  kind: keyof typeof kinds,
  { seconds, tokens, execution }: { seconds: number; tokens: number; execution: number },
): Attempt {
  return {
    iteration: node === 'draft' ? 0 : 1,
    node,
    temperature: 0,
    prompt: [],
    completion: '',
    candidate: 'x',
    verdict: { kind, message: kinds[kind] },
    repeated: false,
    unchanged: false,
    tokens: { prompt: 100, completion: tokens },
    seconds: { proposal: seconds, execution },
  };
}

const failedDraft = attempt('draft', 'failed', { seconds: 2, tokens: 20, execution: 9 });
/** Two tasks with three samples each; the draft of `a` passes once, `b` is solved once, in iteration 3. */
const records = [
  recordWith({
    task_id: 'a',
    bug_type: 'value misuse',
    attempts: [attempt('draft', 'passed', { seconds: 1, tokens: 20, execution: 1 })],
  }),
  recordWith({
    task_id: 'a',
    sample: 1,
    bug_type: 'value misuse',
    iters: 1,
    attempts: [failedDraft, attempt('reflect', 'passed', { seconds: 3, tokens: 60, execution: 5.5 })],
  }),
  recordWith({ task_id: 'a', sample: 2, bug_type: 'value misuse', iters: 3, passed: false }),
  recordWith({ task_id: 'b', index: 1, iters: 3 }),
  recordWith({ task_id: 'b', index: 1, sample: 1, iters: 3, passed: false, attempts: [failedDraft] }),
  recordWith({ task_id: 'b', index: 1, sample: 2, iters: 3, passed: false }),
];

test('several samples per task give pass@k, with intervals over tasks', () => {
  const summary = summarise(records, 3);
  expect(summary).toMatchObject({ tasks: 2, samples: 3, runs: 6, solved: 3 });
  // Drafts: one of three of `a`, none of `b`.
  expect(summary.pass_at_1?.value).toBeCloseTo(1 / 6, 12);
  // 1 − C(2,2)/C(3,2) = 2/3 for `a`; all three hold the pass.
  expect(summary.pass_at_k.map(({ k }) => k)).toEqual([1, 2, 3]);
  expect(summary.pass_at_k[1]?.value).toBeCloseTo(1 / 3, 12);
  expect(summary.pass_at_k[2]?.value).toBeCloseTo(1 / 2, 12);
  expect(summary.with_test_feedback.map(({ solved }) => solved)).toEqual([1, 2, 2, 3]);
  expect(summary.with_test_feedback[3]?.value).toBeCloseTo((2 / 3 + 1 / 3) / 2, 12);
  expect(summary.with_test_feedback[3]?.pass_at_k[2]?.value).toBe(1);
  expect(summary.by_bug_type['value misuse']).toMatchObject({ tasks: 1, runs: 3, solved: 2 });
  // Solved in 0, 1 and 3 iterations.
  expect(summary.iterations_to_solve).toEqual({ mean: 4 / 3, median: 1 });
});

test('the median of an even number is the mean of the middle two', () => {
  expect(summarise(records.slice(0, 2), 3).iterations_to_solve).toEqual({ mean: 0.5, median: 0.5 });
  expect(summarise(records.slice(4), 3).iterations_to_solve).toBeNull();
});

test('each node has its requests, solved tasks and speed', () => {
  expect(summarise(records, 3).by_node).toEqual({
    draft: {
      asked: 3,
      solved: 1,
      passed_examples: 0,
      tokens: { prompt: 300, completion: 60 },
      seconds: 5,
      tokens_per_second: 12,
    },
    reflect: {
      asked: 1,
      solved: 1,
      passed_examples: 0,
      tokens: { prompt: 100, completion: 60 },
      seconds: 3,
      tokens_per_second: 20,
    },
  });
});

test('a pass that used half of its time limit causes a warning; a slow failure does not', () => {
  expect(summarise(records, 3, { timeout: 11.1 })).toMatchObject({ slowest_pass_sec: 5.5, warnings: [] });
  const { warnings } = summarise(records, 3, { timeout: 11 });
  expect(warnings).toEqual([expect.stringContaining('5.5 s of the 11 s')]);
  expect(summaryText(summarise(records, 3, { timeout: 11 }))).toContain(`warning: ${warnings[0]}`);
});

test('the time of prescreened candidates does not count towards a pass', () => {
  const pass = attempt('draft', 'passed', { seconds: 1, tokens: 5, execution: 9 });
  const screened = recordWith({
    attempts: [{ ...pass, seconds: { ...pass.seconds, prescreen: 8.5 } }],
  });
  expect(summarise([screened], 0, { timeout: 10 })).toMatchObject({ slowest_pass_sec: 0.5, warnings: [] });
});

test('candidates judged only at the end cause the warning too', () => {
  // The examples took 1.5 s of the 8 s in which candidates ran.
  const examples = recordWith({
    feedback: 'examples',
    timings_sec: { proposal: 1, execution: 8, reflection: 0 },
    attempts: [attempt('draft', 'passed', { seconds: 1, tokens: 5, execution: 1.5 })],
  });
  expect(summarise([examples], 0, { timeout: 13 })).toMatchObject({
    slowest_pass_sec: 6.5,
    warnings: [expect.stringContaining('6.5 s of the 13 s')],
  });
  expect(summarise([{ ...examples, passed: false }], 0, { timeout: 13 }).warnings).toEqual([]);
});

test('the text reports tasks, runs and samples', () => {
  expect(summaryText(summarise(records, 3))).toMatchInlineSnapshot(`
    "solved                3/6 runs of 2 tasks, 50.0% (95% interval 18.8–81.2%), within 3 iterations
      pass@1 (draft)      1/6, 16.7% (95% interval 3.0–56.4%)
      pass@2 (draft)      33.3% (95% interval 7.5–75.5%)
      pass@3 (draft)      50.0% (95% interval 9.5–90.5%)
      within 1 iteration  2/6, 33.3% (95% interval 7.5–75.5%)
    time                  sum over tasks 12.0 s: model 6.0 s, execution 3.0 s
    tokens                60 prompt, 30 completion, 5 per second
    iterations to solve   mean 1.3, median 1
    by bug type           value misuse 2/3, unknown 1/3
    verdicts              passed 6
    node draft            asked 3 times, solved 1; 60 tokens in 5.0 s, 12 per second
    node reflect          asked once, solved 1; 60 tokens in 3.0 s, 20 per second
    "
  `);
});

import { expect, test } from 'vitest';
import type { RunRecord } from '../../lib/core/record.ts';
import { compareRecords, comparisonText } from '../../lib/report/comparison.ts';
import { runPage } from '../../lib/report/pages/run-page.ts';
import { summarise } from '../../lib/report/summary.ts';
import { summaryText } from '../../lib/report/summary-text.ts';
import { sweepRows } from '../../lib/report/sweep.ts';
import { attemptWith, recordWith } from '../run/fakes.ts';
import { manifestWith } from './manifest.ts';

/** Runs of the agent `search` are always labelled as such. */

const failed = { kind: 'failed', message: 'One did not hold.' } as const;

function searched(id: string, rank: number | null, changed: Partial<RunRecord> = {}): RunRecord {
  const search = { candidates: 100, tried: rank ?? 30, rank, ranked: true, tried_on: 'docstring' } as const;
  const judged = rank === null ? { passed: false, verdict: failed } : {};
  return recordWith({ task_id: id, feedback: 'examples', search, ...judged, ...changed });
}

const records = [searched('a', 2), searched('b', 8), searched('c', null)];

const onTests = records.map(record =>
  recordWith({
    ...record,
    feedback: 'tests',
    // As many candidates were tried on the hidden tests before.
    iters: (record.search?.tried ?? 1) - 1,
    attempts: record.attempts.map(attempt => ({ ...attempt, iteration: (record.search?.tried ?? 1) - 1 })),
    search: record.search && { ...record.search, tried_on: 'tests' },
  }),
);

test('the summary reports how far the search went', () => {
  const summary = summarise(records, 0);
  expect(summary.search).toEqual({
    runs: 3,
    ranked: 3,
    tried_on: { docstring: 3 },
    candidates_per_run: 100,
    // Ranks 2, 8 and 30.
    tried_per_run: 40 / 3,
    // Between 2 and 8.
    median_rank: 5,
  });
  expect(summaryText(summary)).toContain('solved by search  2/3, 66.7%');
  expect(summaryText(summary)).toContain(
    'ranked by the model, tried on docstring: 13 of 100 candidates a run; median rank of those that passed 5\n',
  );
  expect(summary.pass_at_1).toBeNull();
  expect(summary.first_candidate).toMatchObject({ chosen_with: 'examples', solved: 2, runs: 3 });
  expect(summarise([recordWith({})], 0).search).toBeNull();
});

test('a node shows what it solved by the hidden tests, separately from examples, and none without a model', () => {
  const handedIn = (id: string, passed: boolean) =>
    recordWith({
      task_id: id,
      feedback: 'examples',
      passed,
      fixed: 'x',
      token_usage: { prompt: 0, completion: 0, nodes: {} },
      timings_sec: { proposal: 7, execution: 1, reflection: 0 },
      search: { candidates: 9, tried: 3, rank: 3, ranked: false, tried_on: 'docstring' },
      attempts: [
        attemptWith({
          node: 'search',
          prompt: [],
          verdict: { kind: 'passed', message: 'All held.' },
          tokens: { prompt: 0, completion: 0 },
          seconds: { proposal: 7, execution: 1 },
        }),
      ],
    });
  const summary = summarise([handedIn('a', true), handedIn('b', false)], 0, { elapsed: 12 });
  expect(summary.by_node.search).toMatchObject({ asked: 2, solved: 1, passed_examples: 2, seconds: 0 });
  const text = summaryText(summary);
  expect(text).toMatch(
    /node search +handed in 2 times, solved 1, passed the examples 2 times; no model was asked\n/,
  );
  expect(text).toMatch(/time +wall time 12.0 s; sum over tasks 4.0 s: search 14.0 s, execution 2.0 s\n/);
  expect(text).not.toMatch(/model \d|tokens/);
});

test('a search on the hidden tests is never called pass@1', () => {
  const summary = summarise(onTests, 0);
  expect(summary).toMatchObject({ pass_at_1: null, pass_at_k: [], solved: 2 });
  expect(summary.with_test_feedback).toMatchObject([{ iterations: 0, solved: 2 }]);
  expect(summary.warnings).toEqual([expect.stringContaining('not pass@1')]);
  expect(summaryText(summary)).toContain('solved by search  2/3, 66.7%');
  expect(summaryText(summary)).not.toMatch(/pass@1 \(draft\)/);
  const [row] = sweepRows({ settings: { agent: 'search' }, records: onTests, iterations: [0] });
  expect(row).toMatchObject({ with_test_feedback: true, k: 1, value: 2 / 3 });
  expect(summary.first_candidate).toMatchObject({ chosen_with: 'tests', solved: 2, runs: 3 });
  expect(comparisonText(compareRecords(records, onTests))).toContain('solved, B with test feedback, 3 tasks');
  expect(comparisonText(compareRecords(records, records))).toContain(
    'first candidate, tried on the docstring’s examples before, 3 tasks',
  );
});

test('the page names the agent and counts candidates instead of iterations', () => {
  const results = { path: 'r.jsonl', inProgress: false, manifest: manifestWith({ agent: 'search' }) };
  const page = runPage({ ...results, records }, 'light');
  expect(page.details).toBe(
    'agent search · candidates ranked by the model · feedback examples · temperature 0 · 3 tasks · 2026-01-02',
  );
  expect(page.tiles[0]?.name).toBe('first candidate, tried on the docstring’s examples before, by search');
  expect(page.charts[2]).toMatchObject({ title: 'Candidates to solve' });
  const bars = Object(page.charts[2]?.chart).data.values;
  expect(bars.map(({ name, runs }: { name: string; runs: number }) => [name, runs])).toEqual([
    ['1', 0],
    ['2–10', 2],
    ['11–100', 0],
    ['101–1000', 0],
    ['beyond', 0],
    ['not solved', 1],
  ]);
  expect(page.table?.rows).toEqual([]);
  const aided = runPage({ ...results, records: onTests }, 'light');
  expect(aided.tiles[0]?.name).toBe('first candidate, tried on the hidden tests before, by search');
  expect(aided.warnings).toHaveLength(1);
});

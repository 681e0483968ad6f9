import { expect, test } from 'vitest';
import type { Attempt, TaskOutcome } from '../../lib/core/attempt.ts';
import { differingFields, recordOf, recordSchema, type TaskRun } from '../../lib/core/record.ts';
import type { Verdict } from '../../lib/core/verdict.ts';
import { recordWith, tasks } from '../run/fakes.ts';

const passed: Verdict = { kind: 'passed', message: 'All held.' };
const failed: Verdict = { kind: 'failed', message: 'One did not hold.' };

function attempt(changed: Partial<Attempt>): Attempt {
  return {
    iteration: 0,
    node: 'draft',
    temperature: 0,
    prompt: [],
    completion: '',
    candidate: 'def f0(): ...',
    verdict: passed,
    repeated: false,
    unchanged: false,
    tokens: { prompt: 10, completion: 5 },
    seconds: { proposal: 1, execution: 0.5 },
    ...changed,
  };
}

/** The output of a process that exits by itself. */
function outputOf(exitCode: number | null, stdout = ''): NonNullable<Attempt['output']> {
  return { stdout, stderr: '', exit_code: exitCode };
}

function record(outcome: Partial<TaskOutcome>) {
  const run: TaskRun = {
    task: tasks(1)[0] as TaskRun['task'],
    index: 0,
    sample: 0,
    outcome: { state: 'solved', attempts: [], path: [], cause: null, ...outcome },
    settings: { model: 'script', agent: 'reflect', temperature: 0.4 },
    isolation: 'ulimit',
    seconds: 1,
    cached: null,
  };
  return recordOf(run);
}

test('a record with example feedback has both verdicts of the final candidate', () => {
  const score = { candidate: 'A', verdict: failed, seconds: 0.25, output: outputOf(3, 'of the tests') };
  const attempts = [
    attempt({ candidate: 'A', output: outputOf(null, 'of the examples') }),
    attempt({ iteration: 1, candidate: null, verdict: failed }),
  ];
  const held = record({ state: 'unsolved', feedback: 'examples', attempts, score });
  expect(held).toMatchObject({
    feedback: 'examples',
    passed: false,
    verdict: failed,
    example_verdict: passed,
    fixed: 'A',
    exit_code: 3,
    stdout: 'of the tests',
    timings_sec: { execution: 1.25 },
  });
  expect(recordSchema.parse(held)).toEqual(held);
});

test.each<[number | null, Verdict, number | null]>([
  [0, passed, null],
  [1, failed, null],
  [1, { kind: 'syntax', message: '' }, null],
  [137, { kind: 'timeout', message: '' }, null],
  [3, { kind: 'exited', message: '' }, 3],
  [139, { kind: 'exited', message: '' }, 139],
  // It exited before the tests ended.
  [1, { kind: 'exited', message: '' }, 0],
])('the exit code is %i for %j and status %s', (expected, verdict, exitCode) => {
  expect(record({ attempts: [attempt({ verdict, output: outputOf(exitCode) })] }).exit_code).toBe(expected);
});

test('a repeated candidate, which is not run again, keeps its first output', () => {
  const first = attempt({ candidate: 'A', verdict: failed, output: outputOf(null, 'debugging') });
  const other = attempt({ iteration: 1, candidate: 'B', verdict: failed, output: outputOf(null, 'other') });
  const again = attempt({ iteration: 2, candidate: 'A', verdict: failed, repeated: true });
  const held = record({ state: 'unsolved', attempts: [first, other, again] });
  expect(held.stdout).toBe('debugging');
  expect(held.attempts.map(({ output }) => output?.stdout)).toEqual(['debugging', 'other', undefined]);
  expect(recordSchema.parse(held)).toEqual(held);
});

test('a record without a verdict has no exit code', () => {
  const cause = { code: 'SANDBOX_FAILED', message: '' };
  expect(record({ state: 'error', cause }).exit_code).toBeNull();
});

test('a record without feedback has only the hidden tests’ verdict', () => {
  const score = { candidate: 'A', verdict: passed, seconds: 0 };
  const held = record({ feedback: 'none', attempts: [attempt({ candidate: 'A', verdict: null })], score });
  expect(held).toMatchObject({ feedback: 'none', passed: true, verdict: passed, example_verdict: null });
});

test('a run that fails before it is scored has no verdict, even if the examples passed', () => {
  const cause = { code: 'SANDBOX_FAILED', message: '' };
  const held = record({ state: 'error', feedback: 'examples', attempts: [attempt({})], cause });
  expect(held).toMatchObject({ passed: null, verdict: null, example_verdict: null });
});

test('a diagnosis counts as reflection, and its tokens as the model’s', () => {
  const diagnosis = {
    temperature: 0,
    prompt: [],
    completion: 'Because.',
    tokens: { prompt: 20, completion: 2 },
    seconds: 3,
  };
  const held = record({
    attempts: [attempt({ node: 'propose', diagnosis }), attempt({ node: 'propose', iteration: 1 })],
  });
  expect(held.timings_sec).toEqual({ proposal: 2, execution: 1, reflection: 3 });
  expect(held.token_usage).toEqual({
    prompt: 40,
    completion: 12,
    nodes: { propose: { prompt: 20, completion: 10 }, reflect: { prompt: 20, completion: 2 } },
  });
});

test('records without a feedback field are read as runs with test feedback', () => {
  const { feedback: _, example_verdict: __, ...old } = recordWith({});
  expect(recordSchema.parse(old)).toMatchObject({ feedback: 'tests', example_verdict: null });
});

test('a record says how it was judged, and defaults to proven', () => {
  const first = attempt({ candidate: 'A', verdict: failed });
  const second = attempt({ iteration: 1, candidate: 'B', judge: 'isolated' });
  const held = record({ attempts: [first, second] });
  expect(held.judge).toBe('isolated');
  expect(recordSchema.parse(held)).toEqual(held);
  expect(record({ attempts: [second, first] }).judge).toBe('proven');
  const own = record({ attempts: [attempt({ candidate: 'A', judge: 'isolated' })] });
  expect(recordSchema.parse(own).judge).toBe('isolated');
  const { judge: _, ...old } = recordWith({});
  expect(recordSchema.parse(old).judge).toBe('proven');
  expect(() => recordSchema.parse({ ...old, judge: 'trusted' })).toThrow();
});

test('a record names model, agent and temperature, and says whether the first candidate passed', () => {
  const wrong = attempt({ candidate: 'A', verdict: failed });
  const right = attempt({ iteration: 1, candidate: 'B' });
  const cause = { code: 'MODEL_FAILED', message: 'It failed.' };
  expect(record({ attempts: [right] })).toMatchObject({
    model: 'script',
    agent: 'reflect',
    temperature: 0.4,
  });
  const first = (outcome: Partial<TaskOutcome>) => record(outcome).first_candidate_passed;
  expect(first({ attempts: [attempt({})] })).toBe(true);
  expect(first({ attempts: [wrong, right] })).toBe(false);
  expect(first({ state: 'unsolved', attempts: [wrong] })).toBe(false);
  expect(first({ state: 'error', attempts: [wrong], cause })).toBe(false);
  expect(first({ state: 'error', attempts: [], cause })).toBe(null);
  const score = { candidate: 'B', verdict: passed, seconds: 0 };
  expect(first({ attempts: [wrong, right], score, feedback: 'examples' })).toBe(true);
});

test('an older record, which does not name them, differs in nothing', () => {
  const now = record({ attempts: [attempt({})] });
  const { model: _, agent: __, temperature: ___, first_candidate_passed: ____, ...before } = now;
  expect(differingFields(recordSchema.parse(before), now)).toEqual([]);
});

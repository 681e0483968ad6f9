/**
 * Records each test of a run: its outcome, expected and actual values, where it failed, and which lines it
 * executed.
 */
import { relative } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { failureOf, linesOf, plainPath } from './describe-failure.mjs';
import { plainError } from './plain-error.cjs';

let run = null;

/** Starts a run of the tests in a folder. */
export function beginRun(root) {
  run = { root, tests: new Map(), names: [], waiting: 0, seen: 0, wake: () => {}, lines: new Map() };
}

export function endRun() {
  const tests = [...run.tests.values()];
  for (const test of tests) test.lines = linesOf(run.lines.get(test.name)?.shift());
  run = null;
  return tests.map(({ name, ...test }) => test);
}

/** Resolves once every started test has ended. Events arrive a few turns late. @param some whether there must be one */
export async function testsEnded(some) {
  for (let turn = 0; some && run.seen === 0 && turn < MAX_TURNS; turn++) await wait(1);
  for (let idle = 0; idle < 3; idle++) {
    if (run.waiting > 0) {
      idle = 0;
      await new Promise(resolve => {
        run.wake = resolve;
      });
    }
    await nextTurn();
  }
}

/** A file that loads node:test is assumed to contain tests. */
const MAX_TURNS = 1000;

export function noteEvent({ type, data }) {
  if (!run) return;
  run.seen++;
  const { name, nesting } = data ?? {};
  if (type === 'test:enqueue' && nesting === 0) run.waiting++;
  if (type === 'test:start') run.names.splice(nesting, Number.POSITIVE_INFINITY, name);
  if (type !== 'test:pass' && type !== 'test:fail') return;
  const path = [...run.names.slice(0, nesting), name];
  const file = data.file ? relative(run.root, plainPath(data.file)) : '';
  if (data.details?.type !== 'suite') {
    const id = [file, ...path].join(' > ');
    const isSkipped = data.skip !== undefined || data.todo !== undefined;
    note(id, name, type === 'test:pass' ? (isSkipped ? 'skipped' : 'passed') : 'failed', data.details ?? {});
  }
  if (nesting === 0) {
    run.waiting--;
    run.wake();
  }
}

export function noteScript(path, error) {
  note(path, path, error === null ? 'passed' : 'failed', { error });
}

/** Lines of a file that a test executed, by the test's name; names may repeat, and come in order. */
export function noteLines(name, lines) {
  const noted = run?.lines.get(name) ?? [];
  noted.push(lines);
  run?.lines.set(name, noted);
}

function note(id, name, outcome, { error, duration_ms: milliseconds = 0 }) {
  // node:test wraps what a test throws.
  const cause = error?.code === 'ERR_TEST_FAILURE' ? (error.cause ?? error) : error;
  const test = { id, name, outcome, seconds: milliseconds / 1000 };
  run.tests.set(id, outcome === 'failed' ? { ...test, ...failureOf(run.root, plainError(cause)) } : test);
}

/**
 * Records each test of a run: its outcome, expected and actual values, where it failed, and which lines it
 * executed.
 */
import { relative } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

const LONGEST = 400;
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

/** Resolves once every started test has ended. Events arrive a few turns late. */
export async function testsEnded() {
  for (let turn = 0; run.seen === 0 && turn < MAX_TURNS; turn++) await wait(1);
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
  const known = run?.lines.get(name) ?? [];
  known.push(lines);
  run?.lines.set(name, known);
}

function note(id, name, outcome, { error, duration_ms: milliseconds = 0 }) {
  // A test whose subtests fail adds nothing.
  const cause = error?.code === 'ERR_TEST_FAILURE' ? (error.cause ?? error) : error;
  const test = { id, name, outcome, seconds: milliseconds / 1000 };
  run.tests.set(id, outcome === 'failed' ? { ...test, ...failureOf(cause) } : test);
}

function failureOf(cause) {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const values =
    'expected' in error && 'actual' in error
      ? { expected: shown(error.expected), actual: shown(error.actual) }
      : {};
  return {
    type: error.name,
    timeout: error.name === 'TimeUp',
    message: shortened(String(error.message).split('\n')[0]),
    frames: framesOf(error),
    ...values,
  };
}

/** The stack frames in the project, the innermost last. */
function framesOf({ stack = '' }) {
  const found = [...String(stack).matchAll(/\(?((?:file:\/\/)?\/[^\s()]*):(\d+):\d+\)?$/gm)];
  return found
    .map(([, path, line]) => [relative(run.root, plainPath(path)), Number(line)])
    .filter(([path]) => !path.startsWith('..') && !path.startsWith('node_modules'))
    .reverse();
}

function plainPath(path) {
  const address = path.replace(/[?#].*$/, '');
  return address.startsWith('file:') ? fileURLToPath(address) : address;
}

function linesOf(lines) {
  const byFile = {};
  for (const place of lines ?? []) {
    const at = place.lastIndexOf(':');
    byFile[place.slice(0, at)] ??= [];
    byFile[place.slice(0, at)].push(Number(place.slice(at + 1)));
  }
  return byFile;
}

function shown(value) {
  return shortened(inspect(value, { depth: 4, breakLength: Number.POSITIVE_INFINITY }));
}

function shortened(text) {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

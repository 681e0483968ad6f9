/**
 * Loaded before a file of tape's tests: writes each test to a file, with what the first assertion that failed compared
 * and which lines the test executed. Tape ends the process at an error that a test throws.
 */
'use strict';

const { writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { plainError } = require('./plain-error.cjs');
const trace = require('./trace.cjs');

const { HEFIX_REPORT: output, HEFIX_FILE: file, HEFIX_HOME: home } = process.env;
/** The tests by tape's numbers. */
const tests = new Map();
let thrown = null;

trace.installTrace();
trace.limit(JSON.parse(process.env.HEFIX_LIMITS));
process.on('uncaughtExceptionMonitor', error => {
  thrown = error;
});
// Before that of tape, which ends the process.
process.on('exit', () => {
  const open = [...tests.values()].findLast(test => !test.hasEnded);
  if (open && thrown) open.error ??= thrown;
  for (const test of tests.values()) end(test);
  const told = [...tests.values()].map(({ id, error, isSkipped, seconds, lines }) => ({
    ...{ id, seconds, lines: [...(lines ?? [])] },
    outcome: error ? 'failed' : isSkipped ? 'skipped' : 'passed',
    error: error ? plainError(error) : null,
  }));
  writeFileSync(output, JSON.stringify({ tests: told, thrown: thrown && plainError(thrown) }));
});
const tape = createRequire(join(home, 'package.json'))('tape');
// Tape's command runs the tests once they are loaded. A stream made here would run them now, one made then would be told
// of none.
tape.wait?.();
const results = tape.getHarness()._results;
const isRunning = results._isRunning;
results._isRunning = true;
results.createStream({ objectMode: true }).on('data', note);
results._isRunning = isRunning;

function note(row) {
  if (row.type === 'test') {
    const parent = tests.get(row.parent)?.id ?? file;
    const isSkipped = row.skip === true || row.todo === true;
    const run = trace.begin();
    tests.set(row.id, { id: `${parent} > ${row.name}`, isSkipped, run, began: performance.now() });
  } else if (row.type === 'end') end(tests.get(row.test));
  else if (row.type === 'assert' && !row.ok && !row.todo) failed(tests.get(row.test), row);
}

function end(test) {
  if (!test || test.hasEnded) return;
  Object.assign(test, {
    hasEnded: true,
    lines: trace.end(test.run),
    seconds: (performance.now() - test.began) / 1000,
  });
}

/** An assertion about a thrown error has that error as the actual value. */
function failed(test, { name, operator, error, actual, expected }) {
  if (!test || test.error) return;
  const comparesValues = /equal|^(?:is|same)/i.test(operator);
  const cause = actual instanceof Error && !comparesValues ? actual : error;
  test.error = Object.assign(new Error(name), {
    name: 'AssertionError',
    stack: cause?.stack ?? '',
    ...(comparesValues && { actual, expected }),
  });
}

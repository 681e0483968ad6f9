/**
 * A reporter for mocha that writes each test to a file: its outcome, the values compared, where it failed, and which
 * lines it executed. The outcome of a hook that fails is that of the test it was called for.
 */
'use strict';

const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const trace = require('./trace.cjs');

const { HEFIX_REPORT: output, HEFIX_ROOT: root, HEFIX_SECONDS: seconds } = process.env;
// Loaded before the tests are, unlike an ESM module it can then be used at once.
const described = import('./describe-failure.mjs');

trace.installTrace();

module.exports = class Reporter {
  constructor(runner) {
    this.tests = new Map();
    this.fault = null;
    runner.on('test', () => void trace.begin(Number(seconds)));
    runner.on('test end', test => this.note(test, test.state === 'failed' ? test.err : null));
    runner.on('fail', (test, error) => this.failed(test, error));
  }

  failed(test, error) {
    const owner = test.type === 'hook' ? test.ctx?.currentTest : test;
    if (owner) this.note(owner, error);
    else this.fault ??= `${test.title}: ${error?.message}`;
  }

  note(test, error) {
    const id = [relative(root, test.file ?? ''), ...test.titlePath()].join(' > ');
    const outcome = error ? 'failed' : test.state === 'passed' ? 'passed' : 'skipped';
    const known = this.tests.get(id);
    const lines = trace.end() ?? known?.lines ?? [];
    if (known?.outcome === 'failed') return;
    this.tests.set(id, { id, outcome, seconds: (test.duration ?? 0) / 1000, lines, error });
  }

  /** Called once all tests have ended. */
  async done(failures, end) {
    const { failureOf, linesOf, sourceOf } = await described;
    const tests = [...this.tests.values()].map(({ error, lines, ...test }) => ({
      ...test,
      lines: linesOf(lines),
      ...(error ? failureOf(root, plain(error, sourceOf)) : {}),
    }));
    writeFileSync(output, JSON.stringify({ tests, fault: this.fault }));
    end(failures);
  }
};

function plain(thrown, sourceOf) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack } = error;
  const values =
    'expected' in error && 'actual' in error
      ? { expected: sourceOf(error.expected), actual: sourceOf(error.actual) }
      : {};
  return { name, message, stack, ...values };
}

/**
 * A reporter for mocha that writes each test to a file: its outcome, the values compared, where it failed, and which
 * lines it executed. The outcome of a hook that fails is that of the test it was called for. With a channel to the
 * process that started mocha, it does not let mocha end but runs the tests again for each message.
 */
'use strict';

const { writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { isModuleNamespaceObject } = require('node:util').types;
const { plainError } = require('./plain-error.cjs');
const trace = require('./trace.cjs');

const { HEFIX_REPORT: output, HEFIX_ROOT: root, HEFIX_MOCHA: mochaFolder } = process.env;
/** Undefined in a process that ends after its tests. */
const send = process.send?.bind(process);
// Loaded before the tests are, unlike an ESM module it can then be used at once.
const described = import('./describe-failure.mjs');

trace.installTrace();
trace.limit(JSON.parse(process.env.HEFIX_LIMITS));

/** The instance that mocha's command made; the others have its options and files. */
let first = null;
let isLoaded = false;
let count = 0;
if (send) {
  // Since version 12, mocha is an ESM module.
  const loaded = require(mochaFolder);
  const Mocha = loaded.default ?? loaded;
  const { run } = Mocha.prototype;
  Mocha.prototype.run = function (...args) {
    first ??= this;
    return run.apply(this, args);
  };
  process.on('message', request => void again(Mocha, request));
}

/** Loads the project's modules again. Only CommonJS can be: other tests and changed files need another process. */
function again(Mocha, { grep, changed, limits }) {
  trace.limit(limits);
  const needed = [...first.files, ...changed.map(path => join(root, path))];
  if (isLoaded && needed.some(path => !isLoadedAgain(path))) return send({ isStuck: true });
  for (const path of Object.keys(require.cache))
    if (path.startsWith(root) && !/[\\/]node_modules[\\/]/.test(path)) delete require.cache[path];
  process.removeAllListeners('uncaughtException');
  const timeout = limits.seconds * 1000;
  const mocha = new Mocha({ ...first.options, reporter: module.exports, grep: null, fgrep: null, timeout });
  mocha.grep(new RegExp(grep));
  mocha.files = [...first.files];
  try {
    mocha.run(() => {});
  } catch (error) {
    isLoaded = false;
    send({ tests: [], fault: `${error?.name}: ${error?.message}` });
  }
}

/** False for ESM, which `require` takes from another cache, so that it would not run again. */
function isLoadedAgain(path) {
  const loaded = require.cache[path];
  return loaded !== undefined && !isModuleNamespaceObject(loaded.exports);
}

module.exports = class Reporter {
  constructor(runner) {
    this.number = ++count;
    this.tests = new Map();
    this.fault = null;
    runner.on('test', () => void trace.begin());
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
    const earlier = this.tests.get(id);
    const lines = trace.end() ?? earlier?.lines ?? [];
    if (earlier?.outcome === 'failed') return;
    this.tests.set(id, { id, outcome, seconds: (test.duration ?? 0) / 1000, lines, error });
  }

  /** Called once all tests have ended. */
  async done(failures, end) {
    const { failureOf, linesOf } = await described;
    const tests = [...this.tests.values()].map(({ error, lines, ...test }) => ({
      ...test,
      lines: linesOf(lines),
      ...(error ? failureOf(root, plainError(error)) : {}),
    }));
    const report = { tests, fault: this.fault };
    isLoaded = tests.length > 0;
    if (!send) writeFileSync(output, JSON.stringify(report));
    // Mocha's command would end the process.
    if (!send || this.number > 1) end(failures);
    send?.(report);
  }
};

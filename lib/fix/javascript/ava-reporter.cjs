/**
 * Loaded into each thread or process in which ava runs a file of tests: writes each test to a file when it has ended, a
 * line of JSON each. Reads what the worker tells ava, since ava's own reports do not say which lines a test executed.
 */
'use strict';

const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { isMainThread, parentPort, workerData } = require('node:worker_threads');
const trace = require('./trace.cjs');

const { HEFIX_REPORT: output, HEFIX_ROOT: root } = process.env;
// Loaded before the tests are, unlike an ESM module it can then be used at once.
const described = import('./describe-failure.mjs');
/** Path or address of the file of tests. */
let file = String(workerData?.options?.file);
/** The test that runs; null before the first one. */
let run = null;

if (!isMainThread) watch(parentPort, 'postMessage');
else if (process.send) {
  watch(process, 'send');
  readFile();
}

function watch(channel, send) {
  trace.installTrace();
  trace.limit(JSON.parse(process.env.HEFIX_LIMITS));
  const tell = channel[send];
  channel[send] = (message, ...rest) => {
    if (message?.ava) void note(message.ava);
    return tell.call(channel, message, ...rest);
  };
}

/** Listens once ava does, since messages are lost to listeners that come after the first. */
function readFile() {
  const { on } = process;
  process.on = (name, listener) => {
    if (name === 'message') {
      process.on = on;
      process.on(name, take);
    }
    return on.call(process, name, listener);
  };
  const take = message => {
    if (message?.ava?.type !== 'options') return;
    process.off('message', take);
    file = String(message.ava.options.file);
  };
}

/** With ava's option `serial`, each test of a file begins when the one before has ended. */
async function note({ type, title, skip, todo, duration = 0, err }) {
  const isEnd = type === 'test-passed' || type === 'test-failed' || type === 'hook-failed';
  const lines = isEnd && run ? [...trace.end(run)] : [];
  if (isEnd || (type === 'selected-test' && run === null)) run = trace.begin();
  const { linesOf, failureOf, plainPath } = await described;
  const seconds = duration / 1000;
  const about = { seconds, lines: linesOf(lines) };
  // The hook of a test is called `beforeEach hook for TITLE`.
  const name = type === 'hook-failed' ? / hook for (.*)$/s.exec(title)?.[1] : title;
  const path = relative(root, plainPath(file));
  const id = `${path} > ${name}`;
  if (type === 'test-passed') write({ id, outcome: 'passed', ...about });
  else if (type === 'selected-test' && (skip || todo)) write({ id, outcome: 'skipped', ...about });
  else if (isEnd && name !== undefined)
    write({ id, outcome: 'failed', ...about, ...failureOf(root, plain(err)) });
  else if (err) write({ fault: `${path}: ${plain(err).message}` });
}

function write(entry) {
  appendFileSync(output, `${JSON.stringify(entry)}\n`);
}

/** Of the versions since 3: newer ones have the details in `originalError`. */
function plain(told) {
  const error = { ...told, ...told.originalError };
  const details = error.formattedDetails ?? error.values ?? [];
  const stack = error.assertionStack || told.stack || '';
  const thrown = /^(\w*(?:Error|Exception|TimeUp)\w*): (.*)$/m.exec(told.stack ?? '');
  const [{ label = '', formatted = '' } = {}] = details;
  const isDifference = label.startsWith('Difference');
  const text = error.message || (isDifference ? error.assertion : label.replace(/:$/, ''));
  const isOwn = error.assertion !== undefined || thrown === null;
  return {
    name: isOwn ? 'AssertionError' : thrown[1],
    message: isOwn ? text : thrown[2],
    stack,
    ...(isDifference ? difference(formatted) : {}),
  };
}

/** Both values of `- actual, + expected`. */
function difference(text) {
  const lines = stripVTControlCharacters(text).split('\n');
  const side = other => lines.filter(line => line[0] !== other).map(line => line.slice(2).trim());
  return { actual: side('+').join(' '), expected: side('-').join(' ') };
}

/**
 * Runs a file of tests with the project's own runner for jest, and can run it again in the same environment: to load jest
 * into a new one takes longer than most tests.
 */
'use strict';

/** What is needed to run a file's tests again, by the file's path. */
const cachedRuns = new Map();
/** Path of the project's own runner. */
let runner = null;
let isKeeping = false;

async function runFile(globalConfig, config, environment, runtime, path, ...rest) {
  const runArguments = [globalConfig, config, environment, runtime, path, ...rest];
  // Other environments may have more to be cleaned, such as a document.
  const isPlain = environment.constructor.name === 'NodeEnvironment';
  if (!isKeeping || !isPlain || runtime.unstable_shouldLoadAsEsm?.(path))
    return await projectRunner()(...runArguments);
  const state = watchState(environment.global, runtime);
  const ends = [runtime.teardown?.bind(runtime), environment.teardown.bind(environment)];
  Object.assign(runtime, { teardown() {} });
  Object.assign(environment, { async teardown() {} });
  cachedRuns.set(path, { runArguments, state, ends });
  return await projectRunner()(...runArguments);
}

function projectRunner() {
  const loaded = require(runner);
  return loaded.default ?? loaded;
}

/** How jest-circus looks before its first test; null for other runners. */
function watchState(global, runtime) {
  const { requireInternalModule } = runtime;
  const state = { symbol: undefined, first: null, handlers: 0 };
  runtime.requireInternalModule = function (from, to) {
    const loaded = requireInternalModule.call(this, from, to);
    if (to === undefined && state.symbol === undefined) {
      state.symbol = Object.getOwnPropertySymbols(global).find(isState);
      state.first = state.symbol ? copyOf(global[state.symbol]) : null;
      state.handlers = global[HANDLERS]?.length;
    }
    return loaded;
  };
  return state;
}

const isState = ({ description }) => description === 'JEST_STATE_SYMBOL';
/** Not in all versions. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

/** With empty collections, and a new block for the tests that are outside of all others. */
function copyOf(state) {
  const root = emptied(state.rootDescribeBlock);
  return { ...emptied(state), rootDescribeBlock: root, currentDescribeBlock: root };
}

function emptied(object) {
  const entries = Object.entries(object).map(([name, value]) => {
    if (Array.isArray(value)) return [name, []];
    return [name, Object.prototype.toString.call(value) === '[object Map]' ? new Map() : value];
  });
  return Object.fromEntries(entries);
}

/** Whether these files can be run again. */
function canRunAgain(paths) {
  return paths.length > 0 && paths.every(path => cachedRuns.get(path)?.state.first);
}

/** Runs the tests of a file that match a pattern again, with the project's modules loaded again. */
async function runAgain(path, testNamePattern) {
  const { runArguments, state } = cachedRuns.get(path);
  const [globalConfig, config, environment, runtime, ...rest] = runArguments;
  const { global } = environment;
  for (const timers of [environment.fakeTimers, environment.fakeTimersModern]) timers?.useRealTimers();
  runtime.restoreAllMocks();
  runtime.resetModules();
  // Files may only be loaded while test code runs.
  runtime.enterTestCode?.();
  global[state.symbol] = copyOf(state.first);
  if (state.handlers) global[HANDLERS].length = state.handlers;
  try {
    return await projectRunner()({ ...globalConfig, testNamePattern }, config, environment, runtime, ...rest);
  } catch (testExecError) {
    return { testFilePath: path, testResults: [], testExecError };
  }
}

/** Sets the project's own runner, and whether the environments of the next run are kept. */
function keep(path, isKept) {
  runner = path;
  isKeeping = isKept;
}

async function forgetAll() {
  const ends = [...cachedRuns.values()].flatMap(each => each.ends);
  cachedRuns.clear();
  for (const end of ends) await end?.();
}

module.exports = Object.assign(runFile, { canRunAgain, runAgain, keep, forgetAll });

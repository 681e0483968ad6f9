/** Runs jest's tests with the project's own jest, in this process. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failureOf, linesOf } from './describe-failure.mjs';
import { limitsOf, namePattern, require, root, serve, testFiles, wantedOf } from './serve.mjs';

process.env.NODE_ENV ??= 'test';
const jest = require.resolve('jest');
const { runCLI } = require(jest);
const { version } = require('jest/package.json');

const ours = createRequire(import.meta.url);
const runner = ours.resolve('./jest-runner.cjs');
const { canRunAgain, forgetAll, keep, runAgain } = ours(runner);
/** What tests leave behind in an environment does not add up forever. */
const MAX_RUNS = 200;
const setup = join(root, '..', 'hefix-setup.cjs');
const limits = join(root, '..', 'limits.json');
const traced = join(root, '..', 'lines.jsonl');
writeFileSync(
  setup,
  `const { appendFileSync, readFileSync } = require('fs');
const { afterEach, beforeEach, expect } = typeof test === 'undefined' ? require('@jest/globals') : global;
const name = Symbol.for('hefix.trace');
const trace = (globalThis[name] = globalThis[name] || require(${JSON.stringify(ours.resolve('./trace.cjs'))}));
trace.installTrace();
trace.limit(JSON.parse(readFileSync(${JSON.stringify(limits)}, 'utf8')));
beforeEach(() => void trace.begin());
afterEach(() => {
  const { testPath, currentTestName } = expect.getState();
  const lines = [...(trace.end() ?? [])];
  appendFileSync(${JSON.stringify(traced)}, JSON.stringify({ testPath, currentTestName, lines }) + '\\n');
});
`,
);

const basis = {
  runInBand: true,
  silent: true,
  watchman: false,
  ci: true,
  coverage: false,
  bail: 0,
  passWithNoTests: true,
};
const { testRunner, ...setups } = await projectSettings();
let runs = 0;
/** What must be the same to run tests again: their files and their time. */
let runsOf = '';

await serve(async request => {
  writeFileSync(limits, JSON.stringify(limitsOf(request)));
  rmSync(traced, { force: true });
  const paths = testFiles(request).map(path => join(root, path));
  const pattern = namePattern(request);
  // Older versions keep sources that have changed.
  const isRepeated = pattern !== null && !request.trace && Number.parseInt(version, 10) >= 29;
  const key = JSON.stringify([paths, request.seconds]);
  if (!isRepeated || key !== runsOf || runs >= MAX_RUNS) {
    await forgetAll();
    runs = 0;
  }
  runs++;
  runsOf = key;
  const results = [];
  if (isRepeated && canRunAgain(paths)) for (const path of paths) results.push(await runAgain(path, pattern));
  else {
    keep(testRunner, isRepeated);
    results.push(...(await runAll(paths, pattern, request.seconds)));
  }
  const { tests, fault } = reportOf(results, linesByTest());
  return { tests: wantedOf(tests, request), fault };
});

async function runAll(paths, pattern, seconds) {
  const { results } = await runCLI(
    {
      ...basis,
      _: paths,
      $0: 'jest',
      runTestsByPath: paths.length > 0,
      ...(pattern === null ? {} : { testNamePattern: pattern }),
      ...setups,
      ...(testRunner === null ? {} : { testRunner: runner }),
      testTimeout: seconds * 1000,
      reporters: [fileURLToPath(new URL('jest-reporter.cjs', import.meta.url))],
    },
    [root],
  );
  return results.testResults;
}

/**
 * The project's own runner of files, null if it is not jest-circus; and its own set-up files with that of hefix, of which
 * there is only one before jest 24.
 */
async function projectSettings() {
  const inside = createRequire(jest);
  const inner = ['@jest/core', 'jest-cli'].map(name => resolvedFrom(inside, name)).find(Boolean);
  const { readConfigs, readConfig } = createRequire(inner ?? jest)('jest-config');
  const argv = { ...basis, _: [], $0: 'jest' };
  if (resolvedFrom(inside, '@jest/core')) {
    const { configs } = await readConfigs(argv, [root]);
    const runners = new Set(configs.map(each => each.testRunner));
    const [only = ''] = runners;
    return {
      testRunner: runners.size === 1 && /[\\/]jest-circus[\\/]/.test(only) ? only : null,
      setupFilesAfterEnv: [...(configs[0]?.setupFilesAfterEnv ?? []), setup],
    };
  }
  const { projectConfig } = readConfig(argv, root);
  const setupFile = projectConfig.setupTestFrameworkScriptFile;
  if (setupFile)
    writeFileSync(setup, `require(${JSON.stringify(setupFile)});\n${readFileSync(setup, 'utf8')}`);
  return { testRunner: null, setupTestFrameworkScriptFile: setup };
}

function resolvedFrom(from, name) {
  try {
    return from.resolve(name);
  } catch {
    return null;
  }
}

function linesByTest() {
  const text = existsSync(traced) ? readFileSync(traced, 'utf8') : '';
  const entries = text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
  return new Map(
    entries.map(({ testPath, currentTestName, lines }) => [`${testPath} ${currentTestName}`, lines]),
  );
}

function reportOf(files, lines) {
  const broken = files.find(({ testExecError, testResults }) => testExecError && testResults.length === 0);
  return {
    tests: files.flatMap(({ testFilePath, testResults }) =>
      testResults.map(test => testOf(test, testFilePath, lines.get(`${testFilePath} ${test.fullName}`))),
    ),
    fault: broken ? String(broken.testExecError.message).trim().split('\n')[0] : null,
  };
}

function testOf(
  { ancestorTitles, title, status, duration, failureMessages, failureDetails = [] },
  file,
  places,
) {
  const outcome = status === 'passed' || status === 'failed' ? status : 'skipped';
  const test = {
    id: [relative(root, file), ...ancestorTitles, title].join(' > '),
    outcome,
    seconds: (duration ?? 0) / 1000,
    lines: linesOf(places),
  };
  if (outcome !== 'failed') return test;
  const stack = failureMessages[0] ?? '';
  const details = failureDetails[0] ?? {};
  const [, name = 'Error', message = stack] = /^(\w*(?:Error|TimeUp)): ([^\n]*)/.exec(stack) ?? [];
  const compared = details.matcherResult ?? details;
  const values =
    'expected' in compared && 'actual' in compared
      ? { expected: compared.expected, actual: compared.actual }
      : {};
  return {
    ...test,
    ...failureOf(root, {
      name,
      message: details.name === 'TimeUp' ? details.message : message,
      stack,
      ...values,
    }),
  };
}

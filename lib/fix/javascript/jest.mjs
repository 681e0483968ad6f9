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

const setup = join(root, '..', 'hefix-setup.cjs');
const traced = join(root, '..', 'lines.jsonl');
writeFileSync(
  setup,
  `const { appendFileSync } = require('fs');
const trace = require(${JSON.stringify(fileURLToPath(new URL('trace.cjs', import.meta.url)))});
trace.installTrace();
trace.limit(JSON.parse(process.env.HEFIX_LIMITS));
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
  passWithNoTests: true,
};
/** Appended to the project's own set-up files; before jest 24, there is only one such file. */
const setups = await setupOptions();

await serve(async request => {
  process.env.HEFIX_LIMITS = JSON.stringify(limitsOf(request));
  rmSync(traced, { force: true });
  const files = testFiles(request);
  const pattern = namePattern(request);
  const { results } = await runCLI(
    {
      ...basis,
      _: files.map(path => join(root, path)),
      $0: 'jest',
      runTestsByPath: files.length > 0,
      ...(pattern === null ? {} : { testNamePattern: pattern }),
      ...setups,
      testTimeout: request.seconds * 1000,
      reporters: [fileURLToPath(new URL('jest-reporter.cjs', import.meta.url))],
    },
    [root],
  );
  const { tests, fault } = reportOf(results.testResults, linesByTest());
  return { tests: wantedOf(tests, request), fault };
});

async function setupOptions() {
  const inside = createRequire(jest);
  const inner = ['@jest/core', 'jest-cli'].map(name => resolvedFrom(inside, name)).find(Boolean);
  const { readConfigs, readConfig } = createRequire(inner ?? jest)('jest-config');
  const argv = { ...basis, _: [], $0: 'jest' };
  if (resolvedFrom(inside, '@jest/core')) {
    const { configs } = await readConfigs(argv, [root]);
    return { setupFilesAfterEnv: [...(configs[0]?.setupFilesAfterEnv ?? []), setup] };
  }
  const { projectConfig } = readConfig(argv, root);
  const own = projectConfig.setupTestFrameworkScriptFile;
  if (own) writeFileSync(setup, `require(${JSON.stringify(own)});\n${readFileSync(setup, 'utf8')}`);
  return { setupTestFrameworkScriptFile: setup };
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

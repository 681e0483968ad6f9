/** Runs vitest's tests: one instance of the project's own vitest, which loads changed files again. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failureOf, linesOf } from './describe-failure.mjs';
import { limitsOf, namePattern, require, root, serve, testFiles, wantedOf } from './serve.mjs';

const { createVitest } = await import(pathToFileURL(require.resolve('vitest/node')).href);

const setup = join(root, '..', 'hefix-setup.mjs');
writeFileSync(
  setup,
  `import { createRequire } from 'node:module';
import { afterEach, beforeEach } from 'vitest';
const trace = createRequire(${JSON.stringify(import.meta.url)})('./trace.cjs');
trace.installTrace();
trace.limit(JSON.parse(process.env.HEFIX_LIMITS));
beforeEach(() => void trace.begin());
afterEach(({ task }) => {
  task.meta.hefix = [...(trace.end() ?? [])];
});
`,
);

let vitest = null;

await serve(async (request, _, changed) => {
  process.env.HEFIX_LIMITS = JSON.stringify(limitsOf(request));
  const files = testFiles(request);
  const pattern = namePattern(request);
  if (vitest === null) {
    vitest = await createVitest('test', optionsFor(request), {
      logLevel: 'silent',
      plugins: [{ name: 'hefix', config: () => ({ test: { setupFiles: [setup] } }) }],
    });
    limitTo(pattern);
    await vitest.start(files);
    return reportOf(vitest.state.getFiles(), request);
  }
  limitTo(pattern);
  for (const path of changed) vitest.invalidateFile(join(root, path));
  const specifications = await vitest.globTestSpecifications(files);
  await vitest.runTestSpecifications(specifications);
  const run = new Set(specifications.map(({ moduleId }) => moduleId));
  const ran = vitest.state.getFiles().filter(({ filepath }) => run.has(filepath));
  return reportOf(ran, request);
});

/** Runs only tests with these names; vitest before version 3 has no such method, and runs whole files. */
function limitTo(pattern) {
  if (pattern === null) vitest.resetGlobalTestNamePattern?.();
  else vitest.setGlobalTestNamePattern?.(new RegExp(pattern));
}

function optionsFor({ seconds }) {
  return {
    root,
    watch: false,
    reporters: [{}],
    silent: true,
    // One thread at a time: a jail has few processes.
    pool: 'threads',
    fileParallelism: false,
    maxWorkers: 1,
    minWorkers: 1,
    coverage: { enabled: false },
    typecheck: { enabled: false },
    passWithNoTests: true,
    retry: 0,
    bail: 0,
    testTimeout: seconds * 1000,
    hookTimeout: seconds * 1000,
  };
}

function reportOf(files, request) {
  const broken = files.find(({ result, tasks }) => result?.state === 'fail' && tasks.length === 0);
  const error = broken?.result.errors?.[0];
  return {
    tests: wantedOf(
      files.flatMap(file => testsIn(file, [relative(root, file.filepath)])),
      request,
    ),
    fault: broken ? String(error?.message ?? 'unknown').split('\n')[0] : null,
  };
}

function testsIn({ tasks }, path) {
  return tasks.flatMap(task => {
    const own = [...path, task.name];
    return task.tasks ? testsIn(task, own) : [testOf(task, own)];
  });
}

function testOf({ mode, result, meta }, path) {
  const isSkipped = mode === 'skip' || mode === 'todo' || result?.state === 'skip';
  const outcome = result?.state === 'pass' ? 'passed' : isSkipped ? 'skipped' : 'failed';
  const test = {
    id: path.join(' > '),
    outcome,
    seconds: (result?.duration ?? 0) / 1000,
    lines: linesOf(meta?.hefix),
  };
  const error = result?.errors?.[0] ?? new Error('The test did not run.');
  return outcome === 'failed' ? { ...test, ...failureOf(root, error) } : test;
}

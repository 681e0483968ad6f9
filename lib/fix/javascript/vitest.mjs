/** Runs vitest's tests: one instance of the project's own vitest, which loads changed files again. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failureOf, linesOf } from './describe-failure.mjs';
import { limitsOf, namePattern, require, root, serve, testFiles, wantedOf } from './serve.mjs';
import { prepareThread, threadPool } from './vitest-threads.mjs';

const { createVitest } = await import(pathToFileURL(require.resolve('vitest/node')).href);

const setup = join(root, '..', 'hefix-setup.mjs');
const limits = join(root, '..', 'limits.json');
writeFileSync(
  setup,
  `import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';
const trace = createRequire(${JSON.stringify(import.meta.url)})('./trace.cjs');
trace.installTrace();
trace.limit(JSON.parse(readFileSync(${JSON.stringify(limits)}, 'utf8')));
beforeEach(() => void trace.begin());
afterEach(({ task }) => {
  task.meta.hefix = [...(trace.end() ?? [])];
});
`,
);

/** Environments with a document load nothing from outside the project otherwise. */
const server = { fs: { strict: false } };
const pool = await threadPool(require);
let vitest = null;

await serve(async (request, _, changed) => {
  writeFileSync(limits, JSON.stringify(limitsOf(request)));
  const paths = changed.map(path => join(root, path));
  await prepareThread(request.only !== null && !request.trace && !request.apart, paths);
  const files = testFiles(request);
  const pattern = namePattern(request);
  if (request.apart && vitest !== null && isOutdated(paths)) {
    await vitest.close();
    vitest = null;
  }
  vitest ??= await createVitest('test', optionsFor(request), {
    logLevel: 'silent',
    plugins: [{ name: 'hefix', config: () => ({ server, test: { setupFiles: [setup] } }) }],
  });
  limitTo(pattern);
  for (const path of paths) forget(path);
  const all = await (vitest.globTestSpecifications ?? vitest.globTestFiles).call(vitest, files);
  // vitest takes names for parts of paths.
  const wanted = request.only === null ? null : new Set(files.map(path => join(root, path)));
  const specifications = all.filter(each => wanted === null || wanted.has(each.moduleId ?? each[1]));
  await (vitest.runTestSpecifications ?? vitest.runFiles).call(vitest, specifications);
  const run = new Set(specifications.map(each => each.moduleId ?? each[1]));
  const ran = vitest.state.getFiles().filter(({ filepath }) => run.has(filepath));
  return reportOf(ran, request);
});

// Before version 3, vitest has no methods for this, and other names for those that run tests.

/** Runs only tests with these names. */
function limitTo(pattern) {
  if (vitest.setGlobalTestNamePattern) {
    if (pattern === null) vitest.resetGlobalTestNamePattern();
    else vitest.setGlobalTestNamePattern(new RegExp(pattern));
  } else {
    // The name of the file's own suite, which is empty, and a space come first.
    const names = pattern === null ? undefined : new RegExp(pattern.replace('^', '^ ?'));
    vitest.configOverride.testNamePattern = names;
  }
}

/** Whether the configuration imports one of the files, or what runs once before all tests may. */
function isOutdated(paths) {
  const projects = [vitest, ...(vitest.projects ?? [])];
  const imported = projects.flatMap(each => (each.vite ?? each.server).config.configFileDependencies);
  const isSetUp = projects.some(({ config }) => [config.globalSetup ?? []].flat().length > 0);
  return paths.length > 0 && (isSetUp || paths.some(path => imported.includes(path)));
}

/** Loads a file again when it is next imported. */
function forget(path) {
  if (vitest.invalidateFile) return vitest.invalidateFile(path);
  vitest.invalidates.add(path);
  for (const { server } of vitest.projects)
    for (const module of server.moduleGraph.getModulesByFile(path) ?? [])
      server.moduleGraph.invalidateModule(module);
}

function optionsFor({ seconds }) {
  return {
    root,
    watch: false,
    reporters: [{}],
    silent: true,
    // One thread at a time: a jail has few processes.
    pool,
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
    const testPath = [...path, task.name];
    return task.tasks ? testsIn(task, testPath) : [testOf(task, testPath)];
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

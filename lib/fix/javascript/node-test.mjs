/** Runs node:test's tests and scripts of assertions, with reporter.mjs as node:test's reporter. */
import { readFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { pathToFileURL } from 'node:url';
import { settings } from './channel.mjs';
import { beginRun, endRun, noteLines, noteScript, testsEnded } from './recorder.mjs';
import { limitsOf, require as resolved, root, serve, testFiles } from './serve.mjs';
import trace from './trace.cjs';

const require = createRequire(import.meta.url);
register('./resolve-hook.mjs', import.meta.url, { data: { root: pathToFileURL(root).href } });
const preloads = preloadsOf(settings.words);
if (settings.loader !== null) await import(pathToFileURL(resolved.resolve(settings.loader)).href);
trace.installTrace();
let usesTests = false;

await serve(async (request, count) => {
  trace.limit(limitsOf(request));
  beginRun(root);
  const fault = await runAll(testFiles(request), count);
  return { tests: endRun(), fault };
});

/** Why the first file that could not be loaded was not; null if all were. */
async function runAll(files, count) {
  let fault = null;
  for (const path of Object.keys(require.cache)) if (path.startsWith(root)) delete require.cache[path];
  try {
    await preload(count);
  } catch (error) {
    return `${error?.name}: ${String(error?.message).split('\n')[0]}`;
  }
  for (const path of files) {
    const isTests = /(['"])(?:node:)?test\1/.test(readFileSync(join(root, path), 'utf8'));
    if (isTests && !usesTests) watchTests();
    process.argv[1] = join(root, path);
    const loading = trace.begin();
    let failure = null;
    try {
      await import(`${pathToFileURL(join(root, path)).href}?hefix=${count}`);
    } catch (error) {
      failure = error;
    }
    const lines = trace.end(loading);
    if (!isTests) {
      noteScript(path, failure);
      noteLines(path, lines);
    } else {
      await testsEnded(failure === null);
      if (failure) fault ??= `${path}: ${failure?.name}: ${String(failure?.message).split('\n')[0]}`;
    }
  }
  return fault;
}

function watchTests() {
  usesTests = true;
  beforeEach(() => void trace.begin());
  afterEach(context => noteLines(context.name, trace.end()));
}

/** What the project's own command loads before its tests: modules, in their order, and files of variables. */
function preloadsOf(argv) {
  return argv.flatMap((word, index) => {
    const [, option, inline] = /^(-r|--require|--import|--env-file)(?:=(.*))?$/.exec(word) ?? [];
    const name = inline ?? argv[index + 1];
    // One that reads TypeScript is loaded if the tests need it.
    const isLoader = /^(?:tsx|ts-node|@swc-node\/register|esbuild-register)(?:\/|$)/.test(name);
    return option === undefined || name === undefined || isLoader ? [] : [{ option, name }];
  });
}

/** Loads modules of the project again in each run, as tests do. */
async function preload(count) {
  for (const { option, name } of preloads) {
    if (option === '--env-file') process.loadEnvFile(join(root, name));
    else if (option !== '--import') resolved(name);
    else if (!/^\.{1,2}\//.test(name)) await import(pathToFileURL(resolved.resolve(name)).href);
    else await import(`${pathToFileURL(join(root, name)).href}?hefix=${count}`);
  }
}

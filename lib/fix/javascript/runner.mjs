/**
 * Runs the tests of a JavaScript project for `hefix fix`, repeatedly, each time with other files replaced.
 * Started inside a jail, with the copy of the project as its argument and reporter.mjs as node:test's
 * reporter. Code of the project shares this process, so its reports are `isolated`, never `proven`.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { pathToFileURL } from 'node:url';
import { answer, nextRequest, settings } from './channel.mjs';
import { beginRun, endRun, noteLines, noteScript, testsEnded } from './recorder.mjs';
import { begin, end, installTrace } from './trace.mjs';

const source = process.argv[2];
const root = join(process.cwd(), 'project');
const require = createRequire(import.meta.url);
cpSync(source, root, { recursive: true });
if (settings.modules) symlinkSync(settings.modules, join(root, 'node_modules'));
process.chdir(root);
register('./resolve-hook.mjs', import.meta.url, { data: { root: pathToFileURL(root).href } });
installTrace();
let seconds = 5;
let usesTests = false;
answer({ ready: true });
const plain = new Map(Object.entries(settings.instrumented));
for (const [path, content] of plain) writeFileSync(join(root, path), Buffer.from(content, 'base64'));

for (let request = nextRequest(), count = 1; request !== null; request = nextRequest(), count++) {
  const { id, files } = request;
  seconds = request.seconds;
  for (const [path, content] of Object.entries(files))
    writeFileSync(join(root, path), Buffer.from(content, 'base64'));
  beginRun(root);
  const fault = await runAll(count);
  answer({ id, tests: endRun(), fault });
  for (const path of Object.keys(files)) {
    const before = plain.get(path);
    writeFileSync(
      join(root, path),
      before ? Buffer.from(before, 'base64') : readFileSync(join(source, path)),
    );
  }
}
process.exit(0);

/** Why tests could not be loaded; null if they were. */
async function runAll(count) {
  for (const path of Object.keys(require.cache)) if (path.startsWith(root)) delete require.cache[path];
  for (const path of settings.tests) {
    const isTests = /(['"])(?:node:)?test\1/.test(readFileSync(join(root, path), 'utf8'));
    if (isTests && !usesTests) watchTests();
    begin(seconds);
    let failure = null;
    try {
      await import(`${pathToFileURL(join(root, path)).href}?hefix=${count}`);
    } catch (error) {
      failure = error;
    }
    const lines = end();
    if (!isTests) {
      noteScript(path, failure);
      noteLines(path, lines);
    } else if (failure) return `${failure?.name}: ${String(failure?.message).split('\n')[0]}`;
    else await testsEnded();
  }
  return null;
}

function watchTests() {
  usesTests = true;
  beforeEach(() => void begin(seconds));
  afterEach(context => noteLines(context.name, end()));
}

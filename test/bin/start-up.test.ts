import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package-root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Runs hefix and returns its output and the modules it loaded, relative to dist or as names of packages. */
async function loadedBy(args: readonly string[]) {
  const folder = await temporaryFolder();
  const list = join(folder, 'modules.txt');
  const load = `import { appendFileSync } from 'node:fs';
    export async function load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + '\\n');
      return next(url, context);
    }`;
  const hook = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(load))});`;
  const hefix = packageFile('dist/bin/hefix.js');
  const { stdout } = await execa(process.execPath, ['--import', dataUrl(hook), hefix, ...args]);
  const urls = (await readFile(list, 'utf8')).trim().split('\n');
  const names = urls
    .filter(url => url.startsWith('file:'))
    .map(url => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url.split('/dist/')[1] ?? url);
  return { stdout, modules: [...new Set(names)] };
}

function dataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

test('--version loads nothing but the version', async () => {
  const { modules } = await loadedBy(['--version']);
  expect(modules.sort()).toEqual([
    'bin/exit-codes.js',
    'bin/hefix.js',
    'bin/main.js',
    'lib/files/package-root.js',
    'lib/files/versions.js',
  ]);
});

test('exec loads the sandbox of its language alone', async () => {
  const folder = await temporaryFolder();
  const [code, tests] = [join(folder, 'code.py'), join(folder, 'tests.py')];
  await writeFile(code, 'def area(w, h):\n    return w * h\n');
  await writeFile(tests, 'assert area(2, 3) == 6\n');
  const { stdout, modules } = await loadedBy([
    'exec',
    '--code',
    code,
    '--tests',
    tests,
    '--entry-point',
    'area',
  ]);
  expect(stdout).toBe('passed: All tests passed.');
  expect(modules).toContain('lib/sandbox/python/host/python-sandbox.js');
  const others = modules.filter(name =>
    /^(lib\/(sandbox\/(compiled|docker|javascript)|syntax|model\/(onnx\/(?!devices)|hub|generate))|execa|xstate|onnxruntime|acorn)/.test(
      name,
    ),
  );
  expect(others).toEqual([]);
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Runs hefix and returns its output, how many files it loaded, and the sources and packages that they contain. */
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
  const files = [...new Set(urls.filter(url => url.startsWith('file:')))];
  const sources = await Promise.all(files.map(sourcesOf));
  return { stdout, files, modules: [...new Set(sources.flat())] };
}

/** The bundler names each source in a comment: `// lib/core/errors.ts`. */
async function sourcesOf(url: string): Promise<string[]> {
  const packaged = packageOf(url);
  if (packaged) return [packaged];
  const text = await readFile(fileURLToPath(url), 'utf8');
  return [...text.matchAll(/^\/\/ ([\w./-]+\.(?:ts|js))$/gm)].map(([, name = '']) => packageOf(name) ?? name);
}

function packageOf(path: string): string | undefined {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
}

function dataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

test('--version loads nothing but the version', async () => {
  const { modules } = await loadedBy(['--version']);
  expect(modules.sort()).toEqual([
    'bin/hefix.ts',
    'lib/cli/main.ts',
    'lib/files/package.ts',
    'lib/options/trust/search-path.ts',
  ]);
});

test('exec loads the sandbox of its language alone', async () => {
  const folder = await temporaryFolder();
  const [code, tests] = [join(folder, 'code.py'), join(folder, 'tests.py')];
  await writeFile(code, 'def area(w, h):\n    return w * h\n');
  await writeFile(tests, 'assert area(2, 3) == 6\n');
  const { stdout, files, modules } = await loadedBy([
    'exec',
    '--code',
    code,
    '--tests',
    tests,
    '--entry-point',
    'area',
  ]);
  expect(stdout).toBe('passed: All tests passed.');
  expect(modules).toContain('lib/sandbox/python/host/python-sandbox.ts');
  // A file costs about a third of a millisecond.
  expect(files.length).toBeLessThanOrEqual(70);
  const others = modules.filter(name =>
    /^(lib\/(sandbox\/javascript|extra\/\w+\/(?!extra\.)|syntax|model\/(onnx\/(?!devices)|hub|generate))|execa|xstate|onnxruntime|acorn)/.test(
      name,
    ),
  );
  expect(others).toEqual([]);
});

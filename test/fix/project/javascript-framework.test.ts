import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { frameworkOf } from '../../../lib/fix/project/javascript-framework.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hefix-framework-'));
});
afterEach(() => {
  vi.unstubAllGlobals();
  rmSync(root, { recursive: true });
});

/** Packages are installed by their names. */
function found(files: Readonly<Record<string, string>>, ...packages: readonly string[]) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const modules = join(root, 'node_modules');
  for (const name of packages) mkdirSync(join(modules, name), { recursive: true });
  const tests = Object.keys(files).filter(path => path.includes('.test.'));
  return frameworkOf(root, tests, [{ path: modules, folder: '', inside: {}, outside: [] }]);
}

const globals = "it('adds', () => expect(1 + 1).toBe(2));\n";

test.each([
  ['a script', { 'package.json': '{"scripts": {"test": "nyc mocha --require a"}}' }, 'mocha'],
  [
    'another script',
    { 'package.json': '{"scripts": {"test": "run-s test:*", "test:unit": "jest"}}' },
    'jest',
  ],
  ['a configuration file', { 'vitest.config.ts': '', 'package.json': '{}' }, 'vitest'],
  ['a package', { 'package.json': '{"devDependencies": {"jest": "*"}}' }, 'jest'],
])('tests with globals run with the framework that %s names', (_, files, framework) => {
  expect(found({ ...files, 'a.test.js': globals }, framework)).toMatchObject({ framework });
});

test('what the tests import decides, and assertions alone need no framework', () => {
  const manifest = '{"scripts": {"test": "mocha"}}';
  const importing = { 'package.json': manifest, 'a.test.js': "import { test } from 'vitest';\n" };
  expect(found(importing, 'mocha', 'vitest').framework).toBe('vitest');
  const plain = { 'a.test.js': "import assert from 'node:assert';\nassert.equal(1 + 1, 2);\n" };
  expect(found(plain, 'mocha').framework).toBe('node:test');
  expect(found({ 'a.test.js': `import assert from 'node:assert';\n${globals}` }, 'mocha').framework).toBe(
    'mocha',
  );
});

test.each(['ava', 'tape'])('tests that import %s run with it', framework => {
  const tests = { 'a.test.js': `const test = require('${framework}');\n` };
  expect(found(tests, framework).framework).toBe(framework);
});

test('a text, or a few tests for another runtime, do not decide about the others', () => {
  const manifest = { 'package.json': '{"scripts": {"test": "mocha test"}}' };
  const named = { ...manifest, 'a.test.js': `${globals}hook.call('tap');\n` };
  expect(found(named, 'mocha').framework).toBe('mocha');
  const mixed = { ...manifest, 'a.test.js': globals, 'deno.test.js': "Deno.test('a', () => {});\n" };
  expect(found(mixed, 'mocha').framework).toBe('mocha');
});

test.each([
  ['bun test', { 'a.test.js': "import { test } from 'bun:test';\n" }],
  ['bun test', { 'package.json': '{"scripts": {"test": "bun test"}}', 'a.test.js': globals }],
  ['uvu', { 'a.test.js': "import { test } from 'uvu';\n" }],
])('%s is refused by its name', (name, files) => {
  expect(() => found(files)).toThrow(
    expect.objectContaining({
      code: 'TESTS_NOT_COLLECTED',
      message: `The tests use ${name}, which hefix cannot run.`,
    }),
  );
});

test('TypeScript tests of node:test load what the script names', () => {
  const typed = { 'a.test.ts': "import test from 'node:test';\n" };
  const script = '{"scripts": {"test": "node --import tsx --test"}}';
  expect(found({ ...typed, 'package.json': script }, 'tsx').loader).toBe('tsx');
});

test.each([
  ['tsx', 'tsx'],
  ['ts-node', 'ts-node/register'],
  ['@swc-node/register', '@swc-node/register/esm-register'],
])('TypeScript tests of node:test run with %s only where Node does not read TypeScript', (name, loader) => {
  const typed = { 'a.test.ts': "import test from 'node:test';\n" };
  vi.stubGlobal('process', { ...process, features: { typescript: 'strip' } });
  expect(found(typed, name).loader).toBeNull();
  vi.stubGlobal('process', { ...process, features: {}, versions: { node: '22.17.0' } });
  expect(found(typed, name).loader).toBe(loader);
  rmSync(join(root, 'node_modules'), { recursive: true });
  expect(() => found(typed)).toThrow('from Node 22.18 on; this is Node 22.17.0');
});

test('vitest before version 1 is refused, with its version', () => {
  const files = {
    'a.test.js': "import { test } from 'vitest';\n",
    'node_modules/vitest/package.json': '{"version": "0.34.6"}',
  };
  expect(() => found(files)).toThrow('vitest 0.34.6, and hefix runs vitest 1 and newer');
  expect(found({ ...files, 'node_modules/vitest/package.json': '{"version": "1.6.1"}' })).toMatchObject({
    framework: 'vitest',
  });
});

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { fix } from '../../../lib/run/library/fix.ts';
import { installedJest, installedMocha, installedPackages } from '../../support/installed-packages.ts';
import { needs } from '../../support/needs.ts';

/** Projects that bring their own framework; vitest is the one that runs these tests. */

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hefix-framework-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

const cart = `export interface Item {
  readonly price: number;
  readonly count: number;
}

/** The price of all items. */
export class Cart {
  constructor(private readonly items: readonly Item[]) {}

  public total(): number {
    return this.items.reduce((sum: number, { price, count }: Item) => sum + price + count, 0);
  }

  largest<T extends number>(least: T): number {
    return Math.max(least, ...this.items.map(item => item.price));
  }
}
`;

const cartTest = `import { expect, test } from 'FRAMEWORK';
import { Cart } from '../src/cart';

const cart = new Cart([{ price: 3, count: 4 }, { price: 5, count: 1 }]);

test('the total counts each item', () => {
  expect(cart.total()).toBe(17);
});

test('the largest price', () => {
  expect(cart.largest(1)).toBe(5);
});
`;

const fixed = cart.replace('price + count, 0', 'price * count, 0');

/** The first repair that passes. */
const quick = { noRank: true, questionTime: 0 } as const;

/** Several repairs pass its test: `> 0`, `>= 0` and others. */
async function addsTest(header: string, packages: string): Promise<void> {
  const isModule = header.startsWith('import');
  await put({
    'package.json': isModule
      ? '{"type": "module", "devDependencies": {"vitest": "*"}}'
      : '{"devDependencies": {"jest": "*"}}',
    'count.js': `${isModule ? 'export ' : ''}function positives(values) {\n  return values.filter(value => value < 0).length;\n}\n${isModule ? '' : 'module.exports = { positives };\n'}`,
    'count.test.js': `${header}\ntest('counts', () => {\n  expect(positives([3, 1, -2])).toBe(2);\n});\n`,
  });
  const options = { cwd: folder, packages, noRank: true, time: 300 };
  const answered = await fix('count.js', { ...options, questionTime: 200, addTest: 2, write: true });
  expect(answered.report.question).toMatchObject({ function: 'positives', chosen: 1 });
  expect(await readFile(join(folder, 'count.test.js'), 'utf8')).toMatch(
    /\ntest\('positives\(\[.*\]\) returns \d+', \(\) => \{\n {2}expect\(positives\(\[.*\]\)\)\.toBe\(\d+\);\n\}\);\n$/,
  );
  const { report } = await fix('count.js', { ...options, questionTime: 0 });
  expect(report).toMatchObject({ outcome: 'nothing-to-repair', before: { passed: 2 } });
}

test('a file that node:test cannot load does not hide the tests of later files', async () => {
  await put({
    'package.json': '{"type": "module"}',
    'double.js': 'export function double(x) {\n  return x + 2;\n}\n',
    'test/a.test.js': "import test from 'node:test';\nimport './missing.js';\ntest('a', () => {});\n",
    'test/double.test.js':
      "import assert from 'node:assert';\nimport test from 'node:test';\nimport { double } from '../double.js';\ntest('four', () => assert.equal(double(4), 8));\n",
  });
  const { report } = await fix('.', { cwd: folder, ...quick, time: 120 });
  expect(report).toMatchObject({ outcome: 'repaired', before: { failed: 1 } });
  expect(report.notes.join()).toContain('test/a.test.js');
});

describe('vitest', () => {
  beforeEach(async () => await symlink(packageFile('node_modules'), join(folder, 'node_modules')));

  it('adds the test of the repair that is meant', async () => {
    const header = "import { expect, test } from 'vitest';\nimport { positives } from './count.js';\n";
    await addsTest(header, packageFile('node_modules'));
  });

  it('repairs a method of a TypeScript class, and changes nothing else', async () => {
    await put({
      'package.json': '{"type": "module", "devDependencies": {"vitest": "*"}}',
      'src/cart.ts': cart,
      'test/cart.test.ts': cartTest.replace('FRAMEWORK', 'vitest'),
    });
    const { report } = await fix('.', {
      cwd: folder,
      packages: packageFile('node_modules'),
      ...quick,
      time: 120,
      write: true,
    });
    expect(report).toMatchObject({
      outcome: 'repaired',
      runner: 'vitest',
      repairs: [{ function: 'Cart.total' }],
    });
    expect(await readFile(join(folder, 'src/cart.ts'), 'utf8')).toBe(fixed);
    expect(existsSync(join(folder, 'hefix-setup.mjs'))).toBe(false);
  });

  it('keeps the set-up files and the settings of the project, and stops endless loops', async () => {
    await put({
      'package.json': '{"type": "module"}',
      'vitest.config.ts':
        "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { globals: true, setupFiles: ['./setup.ts'] } });\n",
      'setup.ts': 'Object.assign(globalThis, { LIMIT: 5 });\n',
      'digits.js':
        'export function digits(n) {\n  let count = 1;\n  while (n >= 10) {\n    n = n * 10;\n    count += 1;\n  }\n  return count;\n}\n',
      'digits.test.js':
        "import { test, expect } from 'vitest';\nimport { digits } from './digits.js';\ntest('one', () => expect(digits(7)).toBe(1));\nit('limit', () => expect(globalThis.LIMIT).toBe(5));\ntest('three', () => expect(digits(123)).toBe(3));\n",
    });
    const { report } = await fix('digits.js', {
      cwd: folder,
      packages: packageFile('node_modules'),
      ...quick,
      time: 120,
      timeout: 2,
    });
    expect(report.before).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(report).toMatchObject({ outcome: 'repaired', runner: 'vitest' });
  });

  it('says what vitest says of tests that cannot be loaded', async () => {
    await put({
      'package.json': '{"type": "module"}',
      'a.js': 'export function a() {\n  return 1;\n}\n',
      'a.test.js':
        "import { test } from 'vitest';\nimport { b } from './missing.js';\ntest('a', () => b());\n",
    });
    await expect(
      fix('a.js', { cwd: folder, packages: packageFile('node_modules'), ...quick }),
    ).rejects.toMatchObject({
      code: 'TESTS_NOT_COLLECTED',
      message: expect.stringContaining('missing.js'),
    });
  });
});

const jest = await installedJest();

describe(
  'jest (needs the npm registry, once)',
  needs({ what: 'the npm registry, once', isThere: jest !== null }),
  () => {
    beforeEach(async () => await symlink(join(jest ?? '', 'node_modules'), join(folder, 'node_modules')));

    it('adds the test of the repair that is meant', async () => {
      await addsTest("const { positives } = require('./count');\n", join(jest ?? '', 'node_modules'));
    });

    it('repairs CommonJS', async () => {
      await put({
        'package.json': '{"devDependencies": {"jest": "*"}}',
        'sum.js':
          'function sum(values) {\n  let all = 1;\n  for (const value of values) all += value;\n  return all;\n}\n\nmodule.exports = { sum };\n',
        '__tests__/sum.js':
          "const { sum } = require('../sum');\n\ndescribe('sum', () => {\n  it('adds', () => expect(sum([1, 2])).toBe(3));\n  it('takes nothing', () => expect(sum([])).toBe(0));\n});\n",
      });
      const { report } = await fix('.', {
        cwd: folder,
        packages: join(jest ?? '', 'node_modules'),
        ...quick,
        time: 120,
        write: true,
      });
      expect(report).toMatchObject({ outcome: 'repaired', runner: 'jest', repairs: [{ function: 'sum' }] });
      expect(await readFile(join(folder, 'sum.js'), 'utf8')).toContain('let all = 0;');
    });

    it('repairs TypeScript', async () => {
      await put({
        'package.json': '{"devDependencies": {"jest": "*"}}',
        'babel.config.js':
          "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'] };\n",
        'src/cart.ts': cart,
        'test/cart.test.ts': cartTest.replace('FRAMEWORK', '@jest/globals'),
      });
      const { report } = await fix('src/cart.ts', {
        cwd: folder,
        packages: join(jest ?? '', 'node_modules'),
        ...quick,
        time: 120,
        write: true,
      });
      expect(report).toMatchObject({ outcome: 'repaired', runner: 'jest' });
      expect(await readFile(join(folder, 'src/cart.ts'), 'utf8')).toBe(fixed);
    });

    it('keeps the settings of the project, stops endless loops, and says which test fails and how', async () => {
      await put({
        'package.json':
          '{"devDependencies": {"jest": "*"}, "jest": {"setupFilesAfterEnv": ["./setup.js"], "testMatch": ["**/*.check.js"]}}',
        'setup.js': "globalThis.LIMIT = 5;\nconsole.error('a warning');\n",
        'digits.js':
          'exports.digits = n => {\n  let count = 1;\n  while (n >= 10) {\n    n = n * 10;\n    count += 1;\n  }\n  return count;\n};\nexports.next = n => n + 2;\n',
        'digits.check.js':
          "const { digits, next } = require('./digits');\ntest('one', () => expect(digits(7)).toBe(1));\ntest('limit', () => expect(LIMIT).toBe(5));\ntest('three', () => expect(digits(123)).toBe(3));\ntest.skip('later', () => {});\ntest('next', () => expect(next(1)).toBe(2));\n",
      });
      const { report } = await fix('digits.js', {
        ...{
          cwd: folder,
          packages: join(jest ?? '', 'node_modules'),
          ...quick,
          time: 120,
          timeout: 2,
          tests: 'digits.check.js',
        },
      });
      expect(report.before).toEqual({ passed: 2, failed: 2, skipped: 1 });
      expect(report.failing.map(({ id }) => id)).toEqual([
        'digits.check.js > three',
        'digits.check.js > next',
      ]);
      expect(report).toMatchObject({ outcome: 'repaired', runner: 'jest' });
      expect(report.repairs.map(each => each.function).sort()).toEqual(['digits', 'next']);
    });

    it('says what jest says of tests that cannot be loaded', async () => {
      await put({
        'package.json': '{"devDependencies": {"jest": "*"}}',
        'a.js': 'exports.a = () => 1;\n',
        'a.test.js': "const { b } = require('./missing');\ntest('a', () => b());\n",
      });
      await expect(
        fix('a.js', { cwd: folder, packages: join(jest ?? '', 'node_modules'), ...quick }),
      ).rejects.toMatchObject({
        code: 'TESTS_NOT_COLLECTED',
        message: expect.stringContaining('./missing'),
      });
    });
  },
);

const mocha = await installedMocha();

describe(
  'mocha and tsx (need the npm registry, once)',
  needs({ what: 'the npm registry, once', isThere: mocha !== null }),
  () => {
    beforeEach(async () => await symlink(join(mocha ?? '', 'node_modules'), join(folder, 'node_modules')));
    const options = { packages: join(mocha ?? '', 'node_modules'), ...quick, time: 120 };

    it('repairs with the words of the script, stops endless loops, and takes warnings on stderr', async () => {
      await put({
        'package.json': '{"scripts": {"test": "mocha --require ./setup.js --reporter dot checks"}}',
        'setup.js': 'globalThis.LIMIT = 5;\n',
        'digits.js':
          'exports.digits = n => {\n  let count = 1;\n  while (n >= 10) {\n    n = n * 10;\n    count += 1;\n  }\n  return count;\n};\n',
        'checks/digits.test.js':
          "const assert = require('assert');\nconst { digits } = require('../digits');\ndescribe('digits', () => {\n  it('one', () => assert.equal(digits(7), 1));\n  it('limit (+)', () => assert.equal(LIMIT, 5));\n  it('three', () => assert.equal(digits(123), 3));\n  it.skip('later', () => {});\n});\n",
      });
      const { report } = await fix('.', { ...options, cwd: folder, timeout: 2 });
      expect(report.before).toEqual({ passed: 2, failed: 1, skipped: 1 });
      expect(report).toMatchObject({
        outcome: 'repaired',
        runner: 'mocha',
        failing: [{ id: 'checks/digits.test.js > digits > three' }],
        repairs: [{ function: 'digits' }],
      });
    });

    it('node:test runs TypeScript with the project’s tsx', async () => {
      await put({
        'package.json': '{"type": "module", "scripts": {"test": "node --import tsx --test"}}',
        'src/cart.ts': cart,
        'test/cart.test.ts':
          "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { Cart } from '../src/cart.js';\n\ntest('the total', () => assert.equal(new Cart([{ price: 3, count: 4 }]).total(), 12));\n",
      });
      const { report } = await fix('.', { ...options, cwd: folder });
      expect(report).toMatchObject({
        outcome: 'repaired',
        runner: 'node:test',
        repairs: [{ function: 'Cart.total' }],
      });
    });
  },
);

const oldJest = await installedPackages('jest-22', ['jest@22']);

it(
  'jest 22 keeps the set-up file of the project (needs the npm registry, once)',
  needs({ what: 'the npm registry, once', isThere: oldJest !== null }),
  async () => {
    await symlink(join(oldJest ?? '', 'node_modules'), join(folder, 'node_modules'));
    await put({
      'package.json':
        '{"scripts": {"test": "jest"}, "jest": {"testEnvironment": "node", "setupTestFrameworkScriptFile": "./setup.js"}}',
      'setup.js': 'global.LIMIT = 5;\n',
      'double.js': 'exports.double = x => x + LIMIT - 3;\n',
      'double.test.js':
        "const { double } = require('./double');\ntest('five', () => expect(double(5)).toBe(10));\ntest('limit', () => expect(LIMIT).toBe(5));\n",
    });
    const { report } = await fix('double.js', {
      ...{ cwd: folder, packages: join(oldJest ?? '', 'node_modules'), ...quick, time: 120 },
    });
    expect(report.before).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(report).toMatchObject({ outcome: 'repaired', runner: 'jest' });
  },
);

const oldVersions = await Promise.all(
  [1, 2, 3].map(async version => ({
    version,
    installed: await installedPackages(`vitest-${version}`, [`vitest@${version}`]),
  })),
);

it.for(oldVersions)(
  'vitest $version runs several files, and again (needs the npm registry, once)',
  needs({ what: 'the npm registry, once', isThere: oldVersions.every(each => each.installed !== null) }),
  async ({ installed }) => {
    const packages = join(installed ?? '', 'node_modules');
    await symlink(packages, join(folder, 'node_modules'));
    await put({
      'package.json': '{"type": "module", "devDependencies": {"vitest": "*"}}',
      'src/cart.ts': cart,
      'test/cart.test.ts': cartTest.replace('FRAMEWORK', 'vitest'),
      'test/memory.test.ts':
        "import { expect, test } from 'vitest';\ntest('memory', () => expect(process.memoryUsage().heapUsed).toBeGreaterThan(0));\n",
    });
    const { report } = await fix('.', {
      ...{ cwd: folder, packages, ...quick, time: 120 },
    });
    expect(report.before).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(report).toMatchObject({ outcome: 'repaired', runner: 'vitest' });
  },
);

it('tests of node:test see no arguments, and can end the processes that they start', async () => {
  await put({
    'package.json': '{"type": "module"}',
    'half.js': 'export function half(n) {\n  return n * 2;\n}\n',
    'wait.js': "setInterval(() => {}, 1000);\nprocess.send('up');\n",
    'half.test.js': `import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { half } from './half.js';

test('half', () => assert.equal(half(4), 2));
test('no arguments', () => assert.equal(process.argv.length, 2));
test('a process ends', async () => {
  const child = fork('wait.js');
  await once(child, 'message');
  child.kill();
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
});
`,
  });
  const { report } = await fix('.', { cwd: folder, ...quick, time: 120 });
  expect(report.before).toEqual({ passed: 2, failed: 1, skipped: 0 });
  expect(report.outcome).toBe('repaired');
});

const readsTypeScript = Boolean(Reflect.get(process.features, 'typescript'));
const typed = {
  'package.json': '{"type": "module"}',
  'src/cart.ts': cart.replace(
    'constructor(private readonly items: readonly Item[]) {}',
    'private readonly items: readonly Item[];\n\n  constructor(items: readonly Item[]) {\n    this.items = items;\n  }',
  ),
  'test/cart.test.ts': `import assert from 'node:assert/strict';
import test from 'node:test';
import { Cart } from '../src/cart.ts';

const cart = new Cart([{ price: 3, count: 4 }, { price: 5, count: 1 }]);

test('the total counts each item', () => assert.equal(cart.total(), 17));
test('the largest price', () => assert.equal(cart.largest(1), 5));
`,
};

it(
  'node:test runs TypeScript (needs Node 22.18)',
  needs({ what: 'Node 22.18 or newer', isThere: readsTypeScript }),
  async () => {
    await put(typed);
    const { report } = await fix('.', { cwd: folder, ...quick, time: 120 });
    expect(report).toMatchObject({
      outcome: 'repaired',
      runner: 'node:test',
      repairs: [{ function: 'Cart.total' }],
    });
  },
);

it(
  'an older Node is named that cannot run TypeScript',
  needs({ what: 'a Node before 22.18', isThere: !readsTypeScript }),
  async () => {
    await put(typed);
    await expect(fix('.', { cwd: folder, ...quick })).rejects.toMatchObject({
      code: 'TESTS_NOT_COLLECTED',
      message: `The tests are TypeScript, which node:test runs from Node 22.18 on; this is Node ${process.versions.node}.`,
    });
  },
);

it('a framework that is not installed is named', async () => {
  await put({
    'package.json': '{"devDependencies": {"vitest": "*"}}',
    'a.js': 'export const a = () => 1;\n',
    'a.test.js': "import { test } from 'vitest';\n",
  });
  await expect(fix('a.js', { cwd: folder, ...quick })).rejects.toMatchObject({
    code: 'TESTS_NOT_COLLECTED',
    message: 'The tests use vitest, which is not installed in the project.',
  });
});

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageFile } from '../../../lib/files/package-root.ts';
import { fix } from '../../../lib/library/fix.ts';

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

describe('vitest', { timeout: 200_000 }, () => {
  beforeEach(async () => await symlink(packageFile('node_modules'), join(folder, 'node_modules')));

  it('repairs a method of a TypeScript class, and changes nothing else', async () => {
    await put({
      'package.json': '{"type": "module", "devDependencies": {"vitest": "*"}}',
      'src/cart.ts': cart,
      'test/cart.test.ts': cartTest.replace('FRAMEWORK', 'vitest'),
    });
    const { report } = await fix('.', { cwd: folder, noRank: true, time: 120, write: true });
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
    const { report } = await fix('digits.js', { cwd: folder, noRank: true, time: 120, timeout: 2 });
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
    await expect(fix('a.js', { cwd: folder, noRank: true })).rejects.toMatchObject({
      code: 'TESTS_NOT_COLLECTED',
      message: expect.stringContaining('missing.js'),
    });
  });
});

// A folder with jest and @babel/preset-typescript, such as one made with npm install.
const jest = process.env.HEFIX_TEST_JEST ?? '';

describe.skipIf(!existsSync(join(jest, 'node_modules/jest')))(
  'jest (needs a folder with it: HEFIX_TEST_JEST)',
  { timeout: 200_000 },
  () => {
    beforeEach(async () => await symlink(join(jest, 'node_modules'), join(folder, 'node_modules')));

    it('repairs CommonJS', async () => {
      await put({
        'package.json': '{"devDependencies": {"jest": "*"}}',
        'sum.js':
          'function sum(values) {\n  let all = 1;\n  for (const value of values) all += value;\n  return all;\n}\n\nmodule.exports = { sum };\n',
        '__tests__/sum.js':
          "const { sum } = require('../sum');\n\ndescribe('sum', () => {\n  it('adds', () => expect(sum([1, 2])).toBe(3));\n  it('takes nothing', () => expect(sum([])).toBe(0));\n});\n",
      });
      const { report } = await fix('.', { cwd: folder, noRank: true, time: 120, write: true });
      expect(report).toMatchObject({ outcome: 'repaired', runner: 'jest', repairs: [{ function: 'sum' }] });
      expect(await readFile(join(folder, 'sum.js'), 'utf8')).toContain('let all = 0;');
    });

    it.skipIf(!existsSync(join(jest, 'node_modules/@babel/preset-typescript')))(
      'repairs TypeScript',
      async () => {
        await put({
          'package.json': '{"devDependencies": {"jest": "*"}}',
          'babel.config.js':
            "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'] };\n",
          'src/cart.ts': cart,
          'test/cart.test.ts': cartTest.replace('FRAMEWORK', '@jest/globals'),
        });
        const { report } = await fix('src/cart.ts', { cwd: folder, noRank: true, time: 120, write: true });
        expect(report).toMatchObject({ outcome: 'repaired', runner: 'jest' });
        expect(await readFile(join(folder, 'src/cart.ts'), 'utf8')).toBe(fixed);
      },
    );
  },
);

it('a framework that is not installed is named', async () => {
  await put({
    'package.json': '{"devDependencies": {"vitest": "*"}}',
    'a.js': 'export const a = () => 1;\n',
    'a.test.js': "import { test } from 'vitest';\n",
  });
  await expect(fix('a.js', { cwd: folder, noRank: true })).rejects.toMatchObject({
    code: 'TESTS_NOT_COLLECTED',
    message: 'The tests use vitest, which is not installed in the project.',
  });
});

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fix } from '../../../lib/run/library/fix.ts';
import { installedAvaAndTape } from '../../support/installed-packages.ts';
import { needs } from '../../support/needs.ts';

const packages = await installedAvaAndTape();

/** Its second function never ends for 10 and more. */
const source = `function total(items) {
  let sum = 0;
  for (const { price, count } of items) sum += price + count;
  return sum;
}

function digits(n) {
  let count = 1;
  while (n >= 10) {
    n = n * 10;
    count += 1;
  }
  return count;
}
`;

const skipped = "test.skip('later', t => t.fail());";

const avaTests = (importing: string): string => `${importing}
test.before(() => total([]));
test('the *total* of all items', t => t.is(total([{ price: 3, count: 4 }]), 12));
test('one digit', t => t.is(digits(7), 1));
test('three digits', t => t.is(digits(123), 3));
${skipped}
`;

const tapeTests = (importing: string): string => `${importing}
test('total', t => {
  t.test('of all items', inner => {
    inner.equal(total([{ price: 3, count: 4 }]), 12);
    inner.end();
  });
  t.end();
});
test('one digit', t => { t.plan(1); setTimeout(() => t.equal(digits(7), 1), 1); });
test('three digits', async t => t.equal(digits(123), 3));
test('later', { skip: true }, t => t.end());
`;

const asModule = `${source}export { total, digits };\n`;
/** With a loop that ends; the modules have the endless one. */
const asCommonJs = `${source.replace('n * 10', 'n - 10')}module.exports = { total, digits };\n`;

describe(
  'ava and tape (need the npm registry, once)',
  needs({ what: 'the npm registry, once', isThere: packages !== null }),
  () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'hefix-framework-'));
      await symlink(join(packages ?? '', 'node_modules'), join(folder, 'node_modules'));
    });
    afterEach(async () => await rm(folder, { recursive: true, force: true }));

    it.each([
      {
        runner: 'ava',
        manifest: { type: 'module', scripts: { test: 'ava' } },
        code: asModule,
        tests: avaTests("import test from 'ava';\nimport { digits, total } from '../numbers.js';"),
        failing: ['the *total* of all items', 'three digits'],
      },
      {
        runner: 'ava',
        manifest: { scripts: { test: 'ava' }, ava: { workerThreads: false } },
        code: asCommonJs,
        tests: avaTests("const test = require('ava');\nconst { digits, total } = require('../numbers.js');"),
        failing: ['the *total* of all items', 'three digits'],
      },
      {
        runner: 'tape',
        manifest: { scripts: { test: 'tape test/*.js' } },
        code: asCommonJs,
        tests: tapeTests(
          "const test = require('tape');\nconst { digits, total } = require('../numbers.js');",
        ),
        failing: ['total > of all items', 'three digits'],
      },
      {
        runner: 'tape',
        manifest: { type: 'module', scripts: { test: 'tape test/*.js' } },
        code: asModule,
        tests: tapeTests("import test from 'tape';\nimport { digits, total } from '../numbers.js';"),
        failing: ['total > of all items', 'three digits'],
      },
    ])(
      '$runner with $manifest: two functions are repaired',
      async ({ runner, manifest, code, tests, failing }) => {
        const files = {
          'package.json': JSON.stringify(manifest),
          'numbers.js': code,
          'test/numbers.js': tests,
        };
        for (const [path, text] of Object.entries(files)) {
          await mkdir(dirname(join(folder, path)), { recursive: true });
          await writeFile(join(folder, path), text);
        }
        const options = {
          packages: join(packages ?? '', 'node_modules'),
          noRank: true,
          questionTime: 0,
          time: 280,
        };
        const { report } = await fix('.', { ...options, cwd: folder, timeout: 2 });
        expect(report).toMatchObject({
          outcome: 'repaired',
          runner,
          before: { failed: 2, skipped: 1 },
          failing: failing.map(name => ({ id: `test/numbers.js > ${name}` })),
        });
        const changed = report.repairs.map(repair => repair.function).toSorted();
        expect(changed).toEqual(['digits', 'total']);
      },
      300_000,
    );
  },
);

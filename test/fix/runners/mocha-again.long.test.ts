import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestReport } from '../../../lib/core/project-tests.ts';
import { installedMocha, installedPackages } from '../../support/installed-packages.ts';
import { needs } from '../../support/needs.ts';
import { rerunProject } from '../../support/rerun-project.ts';

/** Each test fails with the number of times that its process has loaded it, and with what the source returns. */

const mocha = await installedMocha();
const newest = await installedPackages('mocha-12', ['mocha@12']);
let packages = '';
const told = `globalThis.loads = (globalThis.loads ?? 0) + 1;
const { loads } = globalThis;
it('tells', () => assert.fail(loads + ' ' + value()));
`;
const commonTest = `const assert = require('assert');\nconst { value } = require('./value');\n${told}`;
const moduleTest = `import assert from 'assert';\nimport { value } from './value.EXT';\n${told}`;
const common = (text: string): string => `exports.value = () => '${text}';\n`;
const esm = (text: string): string => `export const value = () => '${text}';\n`;

const project = rerunProject();
beforeEach(() => {
  packages = join(mocha ?? '', 'node_modules');
});

async function start(files: Readonly<Record<string, string>>, script = 'mocha *.test.*'): Promise<void> {
  const manifest = JSON.stringify({ scripts: { test: script } });
  await project.start({ 'package.json': manifest, ...files }, packages);
}

async function reportWith(path: string, text: string, only: readonly string[]): Promise<TestReport> {
  return await project.run(path, text, only, 5);
}

/** What the only test says. */
async function said(path: string, text: string, id: string): Promise<string> {
  const { tests, fault } = await reportWith(path, text, [id]);
  return tests[0]?.message ?? String(fault);
}

describe(
  'tests that mocha runs again (needs the npm registry, once)',
  needs({ what: 'the npm registry, once', isThere: mocha !== null && newest !== null }),
  () => {
    it('share a process, see the changed module, and get a new process after 200 runs', async () => {
      await start({ 'a.test.js': commonTest, 'value.js': common('old') });
      const texts: string[] = [];
      for (let run = 1; run <= 202; run++)
        texts.push(await said('value.js', common(`v${run}`), 'a.test.js > tells'));
      const loads = Array.from({ length: 202 }, (_, index) => (index % 200) + 1);
      expect(texts).toEqual(loads.map((count, index) => `${count} v${index + 1}`));
    });

    it.each([
      ['ESM tests and source', 'a.test.mjs', moduleTest.replace('EXT', 'mjs'), 'value.mjs', esm],
      ['ESM tests of CommonJS', 'a.test.mjs', moduleTest.replace('EXT', 'js'), 'value.js', common],
      [
        'CommonJS tests that import ESM later',
        'a.test.js',
        `const assert = require('assert');\nlet value;\nbefore(async () => ({ value } = await import('./value.mjs')));\n${told}`,
        'value.mjs',
        esm,
      ],
    ])('get a new process each time: %s', async (_, test, text, path, source) => {
      await start({ [test]: text, [path]: source('old') });
      const id = `${test} > tells`;
      expect(await said(path, source('one'), id)).toBe('1 one');
      expect(await said(path, source('two'), id)).toBe('1 two');
      expect(await said(path, source('three'), id)).toBe('1 three');
    });

    it('run after a candidate that cannot be loaded, ends the process, or never ends', async () => {
      await start({ 'a.test.js': commonTest, 'value.js': common('old') });
      const id = 'a.test.js > tells';
      expect(await said('value.js', common('one'), id)).toBe('1 one');
      expect(await said('value.js', 'throw new TypeError("no");\n', id)).toContain('TypeError: no');
      expect(await said('value.js', common('two'), id)).toContain('two');
      const ending = await reportWith('value.js', 'exports.value = () => process.exit(0);\n', [id]);
      expect(ending.tests).toEqual([]);
      expect(await said('value.js', common('three'), id)).toBe('1 three');
      expect(await said('value.js', 'exports.value = () => { for (;;); };\n', id)).not.toContain('three');
      expect(await said('value.js', common('four'), id)).toContain('four');
    });

    it('may be those of another file', async () => {
      await start({ 'a.test.js': commonTest, 'b.test.js': commonTest, 'value.js': common('old') });
      expect(await said('value.js', common('one'), 'a.test.js > tells')).toContain('one');
      expect(await said('value.js', common('two'), 'b.test.js > tells')).toContain('two');
    });

    it('run with mocha 12, also where the settings stop after the first failure', async () => {
      packages = join(newest ?? '', 'node_modules');
      const more = `${commonTest}it('more', () => {});\n`;
      await start({ 'a.test.js': more, 'value.js': common('old'), '.mocharc.json': '{"bail": true}' });
      const id = 'a.test.js > tells';
      expect((await reportWith('value.js', common('all'), [])).tests).toHaveLength(2);
      expect(await said('value.js', common('one'), id)).toBe('1 one');
      expect(await said('value.js', common('two'), id)).toBe('2 two');
    });

    it('run with options for Node, which make mocha start another process', async () => {
      const script = 'mocha --expose-gc *.test.js';
      await start({ 'a.test.js': commonTest, 'value.js': common('old') }, script);
      expect(await said('value.js', common('one'), 'a.test.js > tells')).toBe('1 one');
      expect(await said('value.js', common('two'), 'a.test.js > tells')).toBe('1 two');
    });
  },
);

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedJest } from '../../support/installed-packages.ts';
import { needs } from '../../support/needs.ts';
import { rerunProject } from '../../support/rerun-project.ts';

/** The test fails with the number of times that its environment has loaded it, and with what the source returns. */
const jest = await installedJest();
const packages = join(jest ?? '', 'node_modules');
const tells = `const { value } = require('./value');
globalThis.loads = (globalThis.loads ?? 0) + 1;
const { loads } = globalThis;
const spy = jest.spyOn(console, 'log');
beforeEach(() => jest.useFakeTimers());
test('tells', () => {
  console.log('x');
  expect(loads + ' ' + value() + ' ' + spy.mock.calls.length).toBe('');
});
`;
const returns = (text: string): string => `exports.value = () => '${text}';\n`;

const project = rerunProject();

async function start(files: Readonly<Record<string, string>>): Promise<void> {
  await project.start({ 'package.json': '{"scripts": {"test": "jest"}}', ...files }, packages);
}

/** What the only test says. */
async function said(text: string, only: readonly string[] | null = ['a.test.js > tells']): Promise<string> {
  const { tests, fault } = await project.run('value.js', text, only, 5);
  return tests[0]?.actual?.replaceAll("'", '') ?? tests[0]?.message ?? String(fault);
}

describe(
  'tests that jest runs again (needs the npm registry, once)',
  needs({ what: 'the npm registry, once', isThere: jest !== null }),
  () => {
    it('share an environment, see the changed module, and get a new one for a run of all tests', async () => {
      await start({ 'a.test.js': tells, 'value.js': returns('old') });
      expect(await said(returns('all'), null)).toBe('1 all 1');
      expect(await said(returns('one'))).toBe('1 one 1');
      expect(await said(returns('two'))).toBe('2 two 1');
      expect(await said('throw new TypeError("no");\n')).toContain('no');
      expect(await said(returns('three'))).toBe('3 three 1');
      expect(await said('exports.value = () => { for (;;); };\n')).not.toContain('three');
      expect(await said(returns('four'))).toBe('5 four 1');
      expect(await said(returns('all'), null)).toBe('1 all 1');
    });

    it('run without jest’s globals, and all of them where the settings stop after the first failure', async () => {
      const test = `const { expect, jest, beforeEach, test } = require('@jest/globals');\n${tells}test('more', () => {});\n`;
      const manifest = '{"jest": {"injectGlobals": false, "bail": true}, "scripts": {"test": "jest"}}';
      await start({ 'package.json': manifest, 'a.test.js': test, 'value.js': returns('old') });
      expect(await said(returns('all'), null)).toBe('1 all 1');
      expect(await said(returns('one'))).toBe('1 one 1');
      expect(await said(returns('two'))).toBe('2 two 1');
    });

    it('get a new environment each time if they are ESM', async () => {
      const script = 'NODE_OPTIONS=--experimental-vm-modules jest';
      const header = "import { jest } from '@jest/globals';\nimport { value } from './value.js';\n";
      await start({
        'package.json': JSON.stringify({
          type: 'module',
          scripts: { test: script },
          jest: { transform: {} },
        }),
        'a.test.js': header + tells.replace(/^.*\n/, ''),
        'value.js': "export const value = () => 'old';\n",
      });
      expect(await said("export const value = () => 'one';\n")).toBe('1 one 1');
      expect(await said("export const value = () => 'two';\n")).toBe('1 two 1');
    });

    it('get a new environment if it has a document, or after 200 runs', async () => {
      const own = `module.exports = class Own extends require('jest-environment-node').TestEnvironment {};\n`;
      const docblock = '/** @jest-environment ./own.js */\n';
      await start({
        'a.test.js': tells,
        'b.test.js': docblock + tells,
        'own.js': own,
        'value.js': returns('old'),
      });
      const other = ['b.test.js > tells'];
      expect(await said(returns('one'), other)).toBe('1 one 1');
      expect(await said(returns('two'), other)).toBe('1 two 1');
      const texts: string[] = [];
      for (let run = 1; run <= 202; run++) texts.push(await said(returns(`v${run}`)));
      expect(texts).toEqual(texts.map((_, index) => `${(index % 200) + 1} v${index + 1} 1`));
    });
  },
);

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testCommands } from '../../../lib/fix/project/javascript-framework.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hefix-scripts-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const commands = (scripts: Readonly<Record<string, string>>, ...programs: readonly string[]) => {
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }));
  return testCommands(root, new Set(programs));
};

test('finds a program behind wrappers, with its arguments and variables', () => {
  const script =
    'npm run lint && cross-env TZ=UTC c8 node_modules/.bin/mocha --require "./a b.js" \'test/**\' | cat';
  expect(commands({ test: script }, 'mocha')).toEqual([
    { program: 'mocha', args: ['--require', './a b.js', 'test/**'], env: { TZ: 'UTC' } },
  ]);
});

test('takes the script test first, then others about tests, and no others', () => {
  const scripts = { 'test:unit': 'jest --env node', build: 'jest build', test: 'npm run lint; vitest run' };
  expect(commands(scripts, 'jest', 'vitest').map(({ program }) => program)).toEqual(['vitest', 'jest']);
});

test('a package without scripts has no commands', () => {
  writeFileSync(join(root, 'package.json'), '{}');
  expect(testCommands(root, new Set(['jest']))).toEqual([]);
});

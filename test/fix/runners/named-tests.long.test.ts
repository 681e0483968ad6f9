import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { openProject } from '../../../lib/fix/project/open-project.ts';
import { installedJest } from '../../support/installed-packages.ts';
import { needs } from '../../support/needs.ts';
import { projectOptions } from '../../support/project-options.ts';

/** Tests that tell whether a test above them in the file has run. */
const tests = `let ran = '';
describe('suite', () => {
  test('first', () => { ran += 'first '; expect(value).toBe(2); });
  test('a (+) [1] > b', () => { ran += 'second '; expect(ran).toBe(''); });
});
test('a (+)', () => { ran += 'third '; expect(ran).toBe(''); });
`;
const [first, second, third] = ['suite > first', 'suite > a (+) [1] > b', 'a (+)'].map(
  name => `a.test.js > ${name}`,
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hefix-named-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The tests that ran for each of some requests, and what they say. */
async function saidOf(
  files: Readonly<Record<string, string>>,
  packages: string,
  requests: readonly (readonly (string | undefined)[] | null)[],
) {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  symlinkSync(packages, join(folder, 'node_modules'));
  const project = await openProject(projectOptions(folder, [packages]), new AbortController().signal);
  const runner = project.startRunner();
  try {
    const said: (readonly [id: string, ran: string | undefined])[][] = [];
    for (const wanted of requests) {
      const only = wanted?.filter(id => id !== undefined) ?? null;
      const request = { files: new Map(), only, trace: false, stop: false, seconds: 5 };
      const { tests } = await runner.run(request, new AbortController().signal);
      said.push(tests.map(({ id, actual }) => [id, actual]));
    }
    return said;
  } finally {
    await runner.close();
    await project.close();
  }
}

/** The second and third test alone, both, and all tests; the third again. */
const requests = [[second], [third], [second, third], null, [third]];
const expected = [
  [[second, 'second ']],
  [[third, 'third ']],
  [
    [second, 'second '],
    [third, 'second third '],
  ],
  [
    [first, '1'],
    [second, 'first second '],
    [third, 'first second third '],
  ],
  [[third, 'third ']],
];

it('vitest runs only the tests that are wanted', async () => {
  const files = {
    'package.json': '{"type": "module", "devDependencies": {"vitest": "*"}}',
    'value.js': 'export const value = 1;\n',
    'a.test.js': `import { describe, expect, test } from 'vitest';\nimport { value } from './value.js';\n${tests}`,
  };
  expect(await saidOf(files, packageFile('node_modules'), requests)).toEqual(expected);
});

const jest = await installedJest();
describe(
  'jest (needs the npm registry, once)',
  needs({ what: 'the npm registry, once', isThere: jest !== null }),
  () => {
    it('runs only the tests that are wanted', async () => {
      const files = {
        'package.json': '{"devDependencies": {"jest": "*"}}',
        'value.js': 'exports.value = 1;\n',
        'a.test.js': `const { value } = require('./value');\n${tests}`,
      };
      expect(await saidOf(files, join(jest ?? '', 'node_modules'), requests)).toEqual(expected);
    });
  },
);

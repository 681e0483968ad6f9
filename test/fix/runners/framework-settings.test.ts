import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { type OpenProject, openProject } from '../../../lib/fix/project/open-project.ts';
import type { Runner } from '../../../lib/fix/runners/runner.ts';
import { projectOptions } from '../../support/project-options.ts';

/** Settings of projects that once did not go together with hefix’s own parts; others are in fixtures/projects. */

let folder: string;
let project: OpenProject;
let runner: Runner;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hefix-settings-'));
});
afterEach(async () => {
  await runner.close();
  await project.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(files: Readonly<Record<string, string>>, packages: readonly string[]): Promise<void> {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  project = await openProject(projectOptions(folder, packages), new AbortController().signal);
  runner = project.startRunner();
}

async function outcomes(only: readonly string[] | null, source: string | null): Promise<string[]> {
  const files = new Map(source === null ? [] : [['double.js', Buffer.from(source)]]);
  const request = { files, only, trace: only === null, stop: false, seconds: 5 };
  const { tests, fault } = await runner.run(request, new AbortController().signal);
  return [...tests.map(each => each.outcome), ...(fault === null ? [] : [fault])];
}

const double = (text: string): string => `export const double = x => ${text};\n`;

test('node:test loads what the script loads before its tests, again in each run', async () => {
  await start(
    {
      'package.json': JSON.stringify({
        type: 'module',
        scripts: { test: 'node --env-file=.env --require ./a.cjs --import ./b.js --test' },
      }),
      '.env': 'FACTOR=2\n',
      'a.cjs': 'globalThis.zero = 0;\n',
      'b.js': "import { double } from './double.js';\nglobalThis.four = double(2);\n",
      'double.js': double('x + Number(process.env.FACTOR) + 1 + zero'),
      'double.test.js':
        "import assert from 'node:assert';\nimport test from 'node:test';\nimport { double } from './double.js';\ntest('four', () => assert.equal(double(2), 4 + zero));\ntest('loaded', () => assert.equal(four, double(2)));\n",
    },
    [],
  );
  expect(await outcomes(null, null)).toEqual(['failed', 'passed']);
  expect(await outcomes(['double.test.js > four'], double('x * Number(process.env.FACTOR)'))).toEqual([
    'passed',
    'passed',
  ]);
  expect(await outcomes(null, 'throw new TypeError("no");\n')).toEqual([expect.stringContaining('no')]);
});

test('vitest runs in an environment with a document, whose modules are those of a browser', async () => {
  const packages = packageFile('node_modules');
  symlinkSync(packages, join(folder, 'node_modules'));
  await start(
    {
      'package.json': '{"type": "module"}',
      'vitest.config.js': "export default { test: { environment: './own.js', bail: 1 } };\n",
      'own.js':
        "export default {\n  name: 'own',\n  viteEnvironment: 'client',\n  setup(global) {\n    global.document = {};\n    return { teardown: () => delete global.document };\n  },\n};\n",
      'double.js': double('x + 2 + 1'),
      'double.test.js':
        "import { expect, test } from 'vitest';\nimport { double } from './double.js';\ntest('four', () => expect(double(2)).toBe(4));\ntest('document', () => expect(document).toEqual({}));\n",
    },
    [packages],
  );
  expect(await outcomes(null, null)).toEqual(['failed', 'passed']);
  expect(await outcomes(['double.test.js > four'], double('x * 2'))).toEqual(['passed']);
  expect(await outcomes(['double.test.js > four'], double('x + 3'))).toEqual(['failed']);
});

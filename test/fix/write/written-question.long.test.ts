import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fix } from '../../../lib/fix/fix.ts';
import type { FixOptions, FixParts } from '../../../lib/fix/options.ts';
import { unifiedDiff } from '../../../lib/fix/patch/unified-diff.ts';
import type { ProjectContext } from '../../../machines/project-setup.ts';
import { openModel } from '../../model/server/open-model.ts';
import { type Answer, startServer, stream } from '../../model/server/test-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** @param waits whether the server answers once an edit passes */
async function repaired(files: Readonly<Record<string, string>>, answer: string, waits = false) {
  const cwd = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) await writeFile(join(cwd, path), text);
  let found = (): void => {};
  const isFound = new Promise<void>(resolve => {
    found = resolve;
  });
  const delayed: Answer = async (response, request) => {
    if (waits) await isFound;
    await stream(answer)(response, request);
  };
  const server = await startServer(delayed);
  const options: FixOptions = {
    ...{ tests: [], cwd, env: process.env, time: 60, timeout: 5, memory: 2048 },
    ...{ requireIsolation: false, allowNetwork: false, suspectsOnly: false, beams: 0 },
    ...{ iterations: 2, questionTime: 30, temperature: null, maxNewTokens: 200, seed: 0 },
    ...{ converses: true, maxRequests: 4 },
  };
  const parts: FixParts = {
    openModel: async () => openModel(server),
    onEvent: () => {},
    now: () => performance.now(),
    inspect: {
      next(event) {
        const { context } = (event.type === '@xstate.snapshot' ? event.snapshot : {}) as {
          context?: Partial<ProjectContext>;
        };
        if (context?.found) found();
      },
    },
  };
  const report = await fix(options, parts, new AbortController().signal);
  return { report, diff: unifiedDiff(report.changes).toString('utf8') };
}

const edit = (path: string, search: string, replace: string) =>
  `${path}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;

test('which repair is meant is asked of a method that a model wrote, whose objects are built as the tests build them', async () => {
  const files = {
    'shelf.py': `class Shelf:
    def __init__(self, size, name='a'):
        self.size = size
        self.name = name

    def room(self, used):
        return self.size + used
`,
    'test_shelf.py': `from shelf import Shelf


def test_room():
    assert Shelf(5).room(2) == 3
    assert Shelf(9).room(4) == 5
    assert Shelf(7).room(7) == 0
`,
  };
  const answer = edit(
    'shelf.py',
    '        return self.size + used',
    '        return max(0, self.size - used)',
  );
  const { report } = await repaired(files, answer);
  expect(report).toMatchObject({
    outcome: 'repaired',
    repairs: [{ function: 'Shelf.room', origin: 'sample' }],
  });
  const { question } = report;
  expect(question?.call).toMatch(/^Shelf\(-?\d+\)\.room\(-?\d+\)$/);
  const [written, enumerated] = question?.answers ?? [];
  expect(written?.does).toBe('returns 0');
  expect(enumerated?.does).toMatch(/^returns -\d+$/);
  expect(enumerated?.diff).toContain('return self.size - used');
  expect(written?.test?.file).toBe('test_shelf.py');
  expect(written?.test?.code).toContain(`assert ${question?.call} == 0`);
});

const SHELF = `export class Shelf {
  constructor(size, name = 'a') {
    this.size = size;
    this.name = name;
  }

  room(used) {
    return this.size + used;
  }
}
`;
const SHELF_TEST = `import assert from 'node:assert';
import { test } from 'node:test';
import { Shelf } from './shelf.mjs';

test('room', () => {
  assert.strictEqual(new Shelf(5).room(2), 3);
  assert.strictEqual(new Shelf(9).room(4), 5);
  assert.strictEqual(new Shelf(7).room(7), 0);
});
`;
const shelf = (code: string) => edit('shelf.mjs', '    return this.size + used;', code);

test.each([
  ['a constructor', SHELF],
  [
    'a class above it',
    `class Base {}\n\n${SHELF.replace('Shelf {', 'Shelf extends Base {').replace('    this.size', '    super();\n    this.size')}`,
  ],
  [
    'a constructor above it',
    `class Base {\n${/ {2}constructor[^}]*}\n/.exec(SHELF)?.[0]}}\n\n${SHELF.replace(/ {2}constructor[^}]*}\n\n/, '').replace('Shelf {', 'Shelf extends Base {')}`,
  ],
])('in JavaScript too: %s', async (_, code) => {
  const { report } = await repaired(
    { 'shelf.mjs': code, 'shelf.test.mjs': SHELF_TEST },
    shelf('    return Math.max(0, this.size - used);'),
  );
  expect(report).toMatchObject({ repairs: [{ function: 'Shelf.room', origin: 'sample' }] });
  const { question } = report;
  expect(question?.call).toMatch(/^new Shelf\(-?\d+\)\.room\(-?\d+\)$/);
  const [written, enumerated] = question?.answers ?? [];
  expect(written?.does).toBe('returns 0');
  expect(enumerated?.does).toMatch(/^returns -\d+$/);
  expect(enumerated?.diff).toContain('return this.size - used');
  expect(written?.test?.code).toContain(`assert.strictEqual(${question?.call}, 0)`);
});

test('a smaller edit of a method in JavaScript that changes the object alike comes first, and no other', async () => {
  const files = { 'shelf.mjs': SHELF, 'shelf.test.mjs': SHELF_TEST };
  const longer = '    const left = this.size - used;\n    return left;';
  const { diff } = await repaired(files, shelf(longer), true);
  expect(diff).toContain('+    return this.size - used;\n');
  const changing = '    const left = this.size - used;\n    this.size = 1;\n    return left;';
  const other = await repaired(files, shelf(changing), true);
  expect(other.diff).toContain('+    this.size = 1;\n');
});

const AREA = {
  'area.py': 'def area(a, b):\n    return a + b\n',
  'test_area.py': `from area import area


def test_area():
    assert area(2, 3) == 6
    assert area(4, 5) == 20
    assert area(1, 7) == 7
`,
};
const written = (code: string) => edit('area.py', '    return a + b', code);

test('an edit that passes comes before what a model wrote if it is smaller and does the same', async () => {
  const longer = '    product = 0\n    if True:\n        product = a * b\n    return product';
  const { report, diff } = await repaired(AREA, written(longer), true);
  expect(diff).toContain('+    return a * b\n');
  expect(report.repairs).toMatchObject([{ function: 'area', origin: 'edit' }]);
  expect(report).toMatchObject({ outcome: 'repaired', question: null, model: { requests: 1 } });
});

test('what a model wrote comes first if it does something else', async () => {
  const { report, diff } = await repaired(AREA, written('    return max(0, a) * max(0, b)'), true);
  expect(diff).toContain('+    return max(0, a) * max(0, b)\n');
  expect(report.repairs).toMatchObject([{ function: 'area', origin: 'sample' }]);
  expect(report.question?.answers[1]?.diff).toContain('return a * b');
});

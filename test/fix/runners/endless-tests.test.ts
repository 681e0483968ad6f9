import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type OpenProject, openProject } from '../../../lib/fix/project/open-project.ts';
import type { Runner } from '../../../lib/fix/runners/runner.ts';
import { projectOptions } from '../../support/project-options.ts';

const files = {
  'package.json': '{"type": "module"}',
  'count.js': 'export function count(n) {\n  while (n > 0) n += 1;\n  return n;\n}\n',
  'count.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { count } from './count.js';
test('up', () => assert.equal(count(1), 0));
test('again', () => assert.equal(count(2), 0));
test('zero', () => assert.equal(count(0), 0));
`,
};
const source = files['count.js'];

let folder: string;
let project: OpenProject;
let runner: Runner;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hefix-endless-'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  project = await openProject(projectOptions(folder, []), new AbortController().signal);
  runner = project.startRunner();
});
afterAll(async () => {
  await runner?.close();
  await project?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function reportOf(code: string, only: readonly string[] | null, seconds: number, cpuSeconds?: number) {
  const limits = { seconds, ...(cpuSeconds === undefined ? {} : { cpuSeconds }) };
  const request = {
    files: new Map([['count.js', Buffer.from(code)]]),
    only,
    trace: false,
    stop: false,
    ...limits,
  };
  return await runner.run(request, new AbortController().signal);
}

async function outcomes(...given: Parameters<typeof reportOf>) {
  const { tests } = await reportOf(...given);
  return tests.map(({ id, outcome, timeout }) => [id.replace(/.* > /, ''), timeout ? 'endless' : outcome]);
}

const ids = ['up', 'again', 'zero'].map(name => `count.test.js > ${name}`);

test('the first test of a file is stopped like the others', async () => {
  expect(await outcomes(source, null, 1)).toEqual([
    ['up', 'endless'],
    ['again', 'endless'],
    ['zero', 'passed'],
  ]);
});

test('a limit on processor time stops a test long before the wall-clock time is up, and the run with it', async () => {
  expect(await outcomes(source, ids, 600, 0.2)).toEqual(
    ['up', 'again', 'zero'].map(name => [name, 'endless']),
  );
});

test('the same process runs the next candidate', async () => {
  const passing = ['up', 'again', 'zero'].map(name => [name, 'passed']);
  expect(await outcomes(source.replace('+= 1', '= 0'), ids, 600, 0.2)).toEqual(passing);
});

test('tests that nothing can stop are ended with their process, and the reason is given', async () => {
  const stuck = source.replace('while', "/^(a+)+$/.test('a'.repeat(40) + '!');\n  while");
  const { tests, fault } = await reportOf(stuck, ids, 0.2);
  expect(tests).toEqual([]);
  expect(fault).toContain('did not end in time');
});

test('the process of the tests gets as much memory as --memory says', async () => {
  const python = mkdtempSync(join(tmpdir(), 'hefix-memory-'));
  onTestFinished(() => rmSync(python, { recursive: true }));
  writeFileSync(join(python, 'blank.py'), 'def blank(mib):\n    return bytes(mib << 20)\n');
  const tests = 'from blank import blank\n\n\ndef test_blank():\n    assert len(blank(300)) > 0\n';
  writeFileSync(join(python, 'test_blank.py'), tests);
  const outcome = async (memory: number) => {
    const { signal } = new AbortController();
    const opened = await openProject({ ...projectOptions(python, []), memory }, signal);
    const tested = opened.startRunner();
    const request = { files: new Map(), only: null, trace: false, stop: false, seconds: 60 };
    const report = await tested.run(request, signal);
    await tested.close();
    await opened.close();
    return report.tests.map(each => each.outcome);
  };
  expect([await outcome(256), await outcome(1024)]).toEqual([['failed'], ['passed']]);
});

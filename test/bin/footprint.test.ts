import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { cleanMachine } from '../support/footprint.ts';

/** What hefix keeps for later commands: rewritten graphs, and what was found out about Python. */
const cache = ['home/.cache/hefix/graphs/#.#.#-#-#/model.onnx', 'home/.cache/hefix/python/#.json'];

test('a run leaves its results and hefix’s cache, and contacts nobody', async () => {
  const { run } = await cleanMachine();
  const { exitCode, files, contacts } = await run(['--ts', '1', '--iters', '0']);
  expect(exitCode).toBe(0);
  expect(contacts).toEqual([]);
  expect(files).toEqual([
    ...cache,
    'work/results/#-#-#T#-#-#-hefix-mini-mini.jsonl',
    'work/results/#-#-#T#-#-#-hefix-mini-mini.manifest.json',
  ]);
});

test('fix leaves hefix’s cache, and contacts nobody', async () => {
  const { run } = await cleanMachine(packageFile('fixtures/projects/leap-year'));
  const { exitCode, files, contacts } = await run(['fix', '.']);
  expect(exitCode).toBe(0);
  expect(contacts).toEqual([]);
  expect(files).toEqual(['home/.cache/hefix/changes/#.json', ...cache]);
});

import { expect, test } from 'vitest';
import { cleanMachine } from '../support/footprint.ts';

test('a run leaves its results and hefix’s cache, and contacts nobody', async () => {
  const { run } = await cleanMachine();
  const { exitCode, files, contacts } = await run(['--ts', '1', '--iters', '0']);
  expect(exitCode).toBe(0);
  expect(contacts).toEqual([]);
  expect(files).toEqual([
    'home/.cache/hefix/graphs/#.#.#-#-#/model.onnx',
    'home/.cache/hefix/python/#.json',
    'work/results/#-#-#T#-#-#-hefix-mini-mini.jsonl',
    'work/results/#-#-#T#-#-#-hefix-mini-mini.manifest.json',
  ]);
});

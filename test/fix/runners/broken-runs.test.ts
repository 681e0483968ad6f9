import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunRequest } from '../../../lib/fix/runners/runner.ts';
import { createServedRunner } from '../../../lib/fix/runners/served-runner.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Breaks for as long as its folder has no file `mended`. */
const program = `import { existsSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
let word;
for await (const line of createInterface({ input: process.stdin })) {
  const value = JSON.parse(line);
  const answer = word === undefined ? { ready: true }
    : existsSync('mended') ? { id: value.id, tests: [], fault: null }
    : { id: value.id, tests: [], fault: 'TypeError: run is not a function', broken: true };
  word ??= value.word;
  writeSync(3, JSON.stringify({ ...answer, word }) + '\\n');
}
`;

const request: RunRequest = { files: new Map(), only: null, trace: false, stop: false, seconds: 5 };
const { signal } = new AbortController();

test('ten runs in a row that break in hefix’s own program end the search, with the reason', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'served.mjs'), program);
  const runner = createServedRunner({
    ...{
      name: 'x',
      time: 5,
      settings: {},
      knowsTrials: false,
      separates: false,
      overhead: { run: 0, start: 0 },
    },
    jail: () => ({
      ...{ file: process.execPath, args: ['served.mjs'], cwd: folder, env: {} },
      release: () => Promise.resolve(),
    }),
    prepared: (_, bytes) => bytes,
  });
  const run = () => runner.run(request, signal);
  const broken = { tests: [], broken: true };
  for (let count = 0; count < 9; count++) expect(await run()).toMatchObject(broken);
  await writeFile(join(folder, 'mended'), '');
  expect(await run()).toEqual({ tests: [], fault: null });
  await rm(join(folder, 'mended'));
  for (let count = 0; count < 9; count++) expect(await run()).toMatchObject(broken);
  await expect(run()).rejects.toMatchObject({
    code: 'SANDBOX_FAILED',
    message: expect.stringContaining('TypeError: run is not a function'),
  });
  await runner.close();
});

/** Answers with the number of requests. */
const counting = `import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
let word;
let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const value = JSON.parse(line);
  const report = { id: value.id, tests: [], fault: String(++count) };
  const answer = word === undefined ? { ready: true } : report;
  if (word === undefined) count = 0;
  word ??= value.word;
  writeSync(3, JSON.stringify({ ...answer, word }) + '\\n');
}
`;

test('a request that is given up before it is sent is not sent', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'served.mjs'), counting);
  let prepare = (): void => {};
  const runner = createServedRunner({
    ...{ name: 'x', time: 5, settings: {}, knowsTrials: false, separates: false },
    overhead: { run: 0, start: 0 },
    jail: () => ({
      ...{ file: process.execPath, args: ['served.mjs'], cwd: folder, env: {} },
      release: () => Promise.resolve(),
    }),
    prepared: (_, bytes) => new Promise(resolve => (prepare = () => resolve(bytes))),
  });
  expect(await runner.run(request, signal)).toMatchObject({ fault: '1' });
  const aborting = new AbortController();
  const files = new Map([['a.js', Buffer.from('')]]);
  const running = runner.run({ ...request, files }, aborting.signal);
  const given = expect(running).rejects.toThrow('enough');
  await new Promise(setImmediate);
  aborting.abort(new Error('enough'));
  prepare();
  await given;
  expect(await runner.run(request, signal)).toMatchObject({ fault: '2' });
  await runner.close();
});

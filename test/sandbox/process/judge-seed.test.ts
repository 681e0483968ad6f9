import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecuteRequest, Sandbox } from '../../../lib/core/ports.ts';
import { judgeSeed } from '../../../lib/sandbox/process/execution.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';

const request: ExecuteRequest = {
  language: 'python',
  candidate: 'def f(x):\n    return x\n',
  tests: 'import random\nassert f(random.random()) is None',
  entryPoint: 'f',
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createPythonSandbox({ timeoutSeconds: 20 });
});
afterAll(() => sandbox.close());

test('repeats for the same execution, and differs with seed, tests and candidate', () => {
  expect(judgeSeed(request)).toMatch(/^[0-9a-f]{64}$/);
  expect(judgeSeed({ ...request })).toBe(judgeSeed(request));
  const others = [{ seed: 1 }, { tests: '' }, { candidate: '' }].map(one =>
    judgeSeed({ ...request, ...one }),
  );
  expect(new Set([judgeSeed(request), ...others]).size).toBe(4);
});

test('tests draw the same numbers each time, others for another seed or candidate, and never those of seed 0', async () => {
  const drawn = async (changes: Partial<ExecuteRequest>) =>
    (await sandbox.execute({ ...request, ...changes })).verdict.actual ?? '';
  const candidate = `${request.candidate}# another\n`;
  const found = [await drawn({}), await drawn({ seed: 7 }), await drawn({ candidate })];
  expect(await drawn({})).toBe(found[0]);
  expect(new Set(found).size).toBe(3);
  expect(found.every(text => text.startsWith('0.') && text !== '0.8444218515250481')).toBe(true);
});

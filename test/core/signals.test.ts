import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { joinSignals, signalWithin } from '../../lib/core/async.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('aborts with the first signal and its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const { signal } = joinSignals(one.signal, undefined, other.signal);
  other.abort('because');
  one.abort('too late');
  expect(signal.reason).toBe('because');
});

test('an already aborted signal aborts it immediately', () => {
  expect(joinSignals(AbortSignal.abort('before')).signal.reason).toBe('before');
});

test('a limited signal aborts when its time is up, and not after its release', async () => {
  const { signal: caller } = new AbortController();
  const [late, released] = [signalWithin(0.02, caller), signalWithin(0.02, caller)];
  released.release();
  await pause(60);
  expect([late.signal.aborted, released.signal.aborted]).toEqual([true, false]);
  expect(signalWithin(60, AbortSignal.abort('before')).signal.reason).toBe('before');
});

test('leaves no listeners after its release', () => {
  const { signal } = new AbortController();
  const joined = Array.from({ length: 5 }, () => joinSignals(signal));
  for (const { release } of joined) release();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('one listener per piece of work in flight is not a leak', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const { signal } = joinSignals(new AbortController().signal);
  for (let count = 0; count < 20; count++) signal.addEventListener('abort', () => {});
  await pause(0);
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

test('a caller’s timeout survives garbage collection, in the sandbox too', async () => {
  const sandbox = await createPythonSandbox({ timeoutSeconds: 30 });
  try {
    const execution = sandbox.execute(
      {
        language: 'python',
        candidate: 'def f(x):\n    while True: pass\n',
        tests: 'assert f(1)',
        entryPoint: 'f',
      },
      AbortSignal.timeout(1500),
    );
    const collecting = setInterval(collect, 50);
    try {
      await expect(Promise.race([execution, pause(20_000)])).rejects.toMatchObject({ name: 'TimeoutError' });
    } finally {
      clearInterval(collecting);
    }
  } finally {
    await sandbox.close();
  }
});

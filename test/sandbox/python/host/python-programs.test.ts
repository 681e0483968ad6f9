import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createPythonSandbox } from '../../../../lib/sandbox/python/host/python-sandbox.ts';

test('the judge runs as python3 -I, as ps shows', async () => {
  const sandbox = await createPythonSandbox();
  try {
    const request = { language: 'python', entryPoint: 'f', tests: 'assert f(1) == 1' } as const;
    await sandbox.execute({ ...request, candidate: 'def f(x):\n    return x\n' });
    const starts = commandLines().map(words => words.slice(1, 4).join(' '));
    expect(starts).toContain('-I -S -B');
  } finally {
    await sandbox.close();
  }
});

/** The arguments of all processes. */
function commandLines(): string[][] {
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')];
    } catch {
      return [];
    }
  });
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exec } from '../../lib/cli/exec/command.ts';
import type { Execution, Sandbox } from '../../lib/core/ports.ts';
import { parseExecOptions } from '../../lib/options/tables/command-options.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createPythonSandbox({ timeoutSeconds: 20 });
});
afterAll(() => sandbox.close());

/** Classes that answer what the tests want, where a function is wanted. */
const liars = [
  ['arithmetic', 'def __sub__(self, other): return 0.0', 'assert abs(F(2) - 4) < 1e-6'],
  ['equality', 'def __eq__(self, other): return True', 'assert F(2) == 4'],
  ['order', 'def __lt__(self, other): return True\n    __gt__ = __lt__', 'assert 3 < F(2) < 5'],
  ['membership', 'def __contains__(self, item): return True', 'assert 4 in F(2)'],
  ['truth', 'def __bool__(self): return True', 'assert F(2)'],
  ['length', 'def __len__(self): return 4', 'assert len(F(2)) == 4'],
  ['iteration', 'def __iter__(self): return iter([4])', 'assert list(F(2)) == [4]'],
  ['items', 'def __getitem__(self, at): return 4', 'assert F(2)[0] == 4'],
  ['rounding', 'def __round__(self, digits=None): return 4', 'assert round(F(2)) == 4'],
] as const;

describe.each(liars)('a class that lies by %s', (_name, method, tests) => {
  const code = `class F:\n    def __init__(self, *_): pass\n    ${method}\n`;

  test('is refused if the reference has a function', async () => {
    const { verdict } = await run(code, tests, 'def F(n):\n    return 2 * n\n');
    expect(verdict).toMatchObject({
      kind: 'not-serializable',
      message: 'F(2) returned a value of type F, which is not plain data.',
    });
  });

  test('proves nothing if nothing says what it is', async () => {
    expect(await run(code, tests)).toMatchObject({ verdict: { kind: 'passed' }, judge: 'isolated' });
  });
});

test('a class that is one in the reference too is judged by its own methods', async () => {
  const code = 'class F:\n    def __init__(self, n): self.n = n\n    def __len__(self): return self.n\n';
  expect(await run(code, 'assert len(F(4)) == 4', code)).toMatchObject({
    verdict: { kind: 'passed' },
    judge: 'isolated',
  });
});

test('helpers of the reference do not replace those of the candidate', async () => {
  const program = (step: number) => `def inc(n):\n    return n + ${step}\n\ndef F(n):\n    return inc(n)\n`;
  const { verdict } = await run(program(1), 'assert F(1) == inc(1)', program(2), 'F,inc');
  expect(verdict.kind).toBe('passed');
});

async function run(
  code: string,
  tests: string,
  reference?: string,
  entryPoint = 'F',
): Promise<Pick<Execution, 'verdict' | 'judge'>> {
  const folder = await temporaryFolder();
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const given = {
    code: await file('code.py', code),
    tests: await file('tests.py', `${tests}\n`),
    entryPoint,
    ...(reference === undefined ? {} : { reference: await file('reference.py', reference) }),
  };
  return await exec(parseExecOptions(given), sandbox, new AbortController().signal);
}

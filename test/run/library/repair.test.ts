import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as hefix from '../../../lib/index.ts';
import {
  createSandbox,
  createScriptedModel,
  type RepairInput,
  repair,
  type Sandbox,
} from '../../../lib/index.ts';

/** A real sandbox; the model replays answers, except in the test of the defaults. */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ timeout: 5 });
});
afterAll(() => sandbox.close());

const answers = (...completions: string[]) => createScriptedModel({ completions });
const repaired = (input: Omit<RepairInput, 'sandbox'>) => repair({ sandbox, ...input });

test('the package exports a dozen names', () => {
  expect(Object.keys(hefix).sort()).toEqual([
    ...[
      'HefixError',
      'createSandbox',
      'createScriptedModel',
      'fix',
      'hefixVersion',
      'loadDataset',
      'loadModel',
    ],
    ...['readRecords', 'recordSchema', 'repair', 'run', 'score', 'summarise'],
  ]);
});

describe('repair', () => {
  test('needs only code and tests', async () => {
    const found = await repair({
      code: 'def area(width, height):\n    return width + height\n',
      tests: 'assert area(2, 3) == 6\nassert area(1, 5) == 5\n',
    });
    expect(found).toMatchObject({
      outcome: 'repaired',
      code: 'def area(width, height):\n    return width * height\n',
      verdict: { kind: 'passed' },
      judge: 'proven',
    });
    expect(found.diff).toContain('-    return width + height\n+    return width * height\n');
  });

  test('changes only the function, and keeps docstring, comments and surrounding code', async () => {
    const code = [
      'import math\n\n# A comment.\nTOP = 3\n\n',
      'def best(xs):\n    """The largest.\n\n    >>> best([1, 2])\n    2\n    """\n    return min(xs)\n\n\n',
      'def other( x ):\n    return x   # odd\n',
    ].join('');
    const model = answers('```python\ndef best(xs):\n    return max(xs)\n```');
    const found = await repaired({ code, tests: 'assert best([1, 4, 2]) == 4\n', model });
    expect(found.outcome).toBe('repaired');
    expect(found.code).toBe(code.replace('min(xs)', 'max(xs)'));
  });

  test('repairs a helper that the tests do not use directly', async () => {
    const code =
      'def twice(x):\n    return x + 1\n\n\ndef total(xs):\n    return sum(twice(x) for x in xs)\n';
    const tests = 'assert total([1, 4]) == 10\n';
    const same = '```python\ndef total(xs):\n    return sum(twice(x) for x in xs)\n```';
    const model = answers(same, '```python\ndef twice(x):\n    return 2 * x\n```');
    const found = await repaired({ code, tests, model, iters: 0 });
    expect(found.code).toBe(code.replace('x + 1', '2 * x'));
  });

  test('accepts tests that define check(candidate), and imports added by an answer', async () => {
    const model = answers('```python\nimport math\n\ndef root(x):\n    return math.isqrt(x)\n```');
    const tests = 'def check(candidate):\n    assert candidate(9) == 3\n';
    const found = await repaired({ code: 'def root(x):\n    return x\n', tests, model });
    expect(found.outcome).toBe('repaired');
    expect(found.code).toBe('import math\n\n\ndef root(x):\n    return math.isqrt(x)\n');
  });

  test('distinguishes JavaScript from Python', async () => {
    const model = answers('```js\nfunction half(x) {\n  return x / 2;\n}\n```');
    const code = 'export function half(x) {\n  return x * 2;\n}\n';
    const found = await repaired({ code, tests: 'console.assert(half(4) === 2);\n', model });
    expect(found).toMatchObject({ outcome: 'repaired', verdict: { kind: 'passed' } });
    expect(found.code).toContain('x / 2');
    expect(found.code).toMatch(/^export function half/);
  });

  test('keeps Windows line endings', async () => {
    const code = '# Sizes.\r\ndef half(x):\r\n    return x * 2\r\n';
    const model = answers('```python\ndef half(x):\n    return x / 2\n```');
    const found = await repaired({ code, tests: 'assert half(4) == 2\n', model });
    expect(found.code).toBe(code.replace('x * 2', 'x / 2'));
  });

  test('leaves passing code unchanged, and says how the best candidate failed', async () => {
    const code = 'def one():\n    return 1\n';
    expect(await repaired({ code, tests: 'assert one() == 1\n', model: answers() })).toMatchObject({
      outcome: 'nothing-to-repair',
      code,
      diff: '',
    });
    const model = answers('def one():\n    return 3\n');
    expect(await repaired({ code, tests: 'assert one() == 2\n', model, iters: 0 })).toMatchObject({
      outcome: 'not-repaired',
      code,
      verdict: { kind: 'failed', expected: '2', actual: '3' },
    });
  });

  test('explains invalid input', async () => {
    const tests = 'assert one() == 1\n';
    const refused = (input: Partial<RepairInput>) =>
      expect(repaired({ code: 'def one():\n    return 2\n', tests, model: answers(), ...input })).rejects;
    await refused({ code: '' }).toMatchObject({ code: 'CODE_WITHOUT_FUNCTION' });
    await refused({ tests: 'assert two() == 2' }).toThrow('use no function that the code defines: one');
    await refused({ entryPoint: 'onne' }).toMatchObject({
      code: 'ENTRY_POINT_UNKNOWN',
      hint: 'Did you mean one?',
    });
    await refused({ iters: -1 }).toThrow('--iters is -1');
    await refused({ signal: AbortSignal.abort() }).toThrow(/abort/i);
  });
});

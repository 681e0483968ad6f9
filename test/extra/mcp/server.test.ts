import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { createScriptedModel } from '../../../lib/model/scripted.ts';
import { openSandbox } from '../../../lib/run/open-parts.ts';
import { isolationUnavailable } from '../../../lib/sandbox/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { connected, structured } from './connected.ts';

// One sandbox for all tests; closing the server leaves it open.
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox(
    { sandbox: 'process', timeout: 20, memory: 1024, isolation: undefined, requireIsolation: false },
    'python',
  );
});
afterAll(() => sandbox.close());
const parts = () => ({ openSandbox: async () => ({ ...sandbox, close: async () => {} }) });

const successor = {
  language: 'python',
  code: 'def f(x):\n    return x + 1\n',
  tests: 'assert f(1) == 2\n',
  entry_point: 'f',
};

test('lists tools with schemas and annotations', async () => {
  const { client } = await connected({}, parts());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['run_with_tests', 'fix_function']);
  for (const { inputSchema, outputSchema, annotations, description } of tools) {
    expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
    expect(outputSchema?.required).toEqual(['result', 'error']);
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    expect(description?.length).toBeGreaterThan(50);
  }
  const { client: other } = await connected(
    { backend: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9' },
    parts(),
  );
  const open = (await other.listTools()).tools.map(({ annotations }) => annotations?.openWorldHint);
  expect(open).toEqual([false, true]);
});

describe('run_with_tests', () => {
  test('returns the verdict and how it was reached, with progress', async () => {
    const { client } = await connected({}, parts());
    const progress: unknown[] = [];
    const answer = await client.callTool(
      { name: 'run_with_tests', arguments: successor },
      { onprogress: step => progress.push(step) },
    );
    expect(answer.isError).toBe(false);
    expect(structured(answer)).toMatchObject({
      result: { passed: true, verdict: { kind: 'passed' }, judge: 'proven', isolation: sandbox.isolation },
      error: null,
    });
    // Clients without structured content get the same as text.
    expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(answer.structuredContent) }]);
    expect(progress).toEqual([
      { progress: 1, total: 2, message: 'Opening the sandbox' },
      { progress: 2, total: 2, message: 'Running the tests' },
    ]);

    const failing = { ...successor, code: 'def f(x):\n    print("here")\n    return x\n' };
    const failed = structured(await client.callTool({ name: 'run_with_tests', arguments: failing }));
    expect(failed.result).toMatchObject({
      passed: false,
      verdict: { kind: 'failed', expected: '2', actual: '1', test: { line: 1 } },
      stdout: 'here\n',
    });
  });

  test.each([
    ['__sub__(self, other): return 0.0', 'assert abs(F(2) - 4) < 1e-6'],
    ['__bool__(self): return True', 'assert F(2)'],
    ['__contains__(self, item): return True', 'assert 4 in F(2)'],
    ['__len__(self): return 4', 'assert len(F(2)) == 4'],
    ['__eq__(self, other): return True', 'assert F(2) == 4'],
  ])('a class with %s proves nothing', async (method, tests) => {
    const { client } = await connected({}, parts());
    const code = `class F:\n    def __init__(self, *_): pass\n    def ${method}\n`;
    const input = { language: 'python', code, tests, entry_point: 'F' };
    const { result } = structured(await client.callTool({ name: 'run_with_tests', arguments: input }));
    expect(result).toMatchObject({ passed: true, judge: 'isolated' });
  });

  test('judges tests in one process on request, and says isolated', async () => {
    const { client } = await connected({}, parts());
    const tests = 'def test_f():\n    assert f(1) == 2\n';
    const input = { ...successor, tests, judge: 'isolated' };
    const { result } = structured(await client.callTool({ name: 'run_with_tests', arguments: input }));
    expect(result).toMatchObject({ passed: true, judge: 'isolated' });
  });

  test('invalid tests are an error with a hint for callers', async () => {
    const { client } = await connected({}, parts());
    const answer = await client.callTool({
      name: 'run_with_tests',
      arguments: { ...successor, tests: 'assert f(1) ==' },
    });
    expect(answer.isError).toBe(true);
    expect(structured(answer)).toMatchObject({
      result: null,
      error: { code: 'TESTS_INVALID', hint: expect.stringContaining('Correct the tests') },
    });
  });

  test('a sandbox that does not start is a structured error, and the next call retries', async () => {
    let starts = 0;
    const { client } = await connected(
      {},
      {
        async openSandbox() {
          if (starts++ === 0) throw isolationUnavailable(undefined, ['bubblewrap: not installed']);
          return { ...sandbox, close: async () => {} };
        },
      },
    );
    const first = await client.callTool({ name: 'run_with_tests', arguments: successor });
    expect([first.isError, structured(first).error?.code]).toEqual([true, 'ISOLATION_UNAVAILABLE']);
    expect(structured(first).error?.message).toContain('bubblewrap: not installed');
    const second = await client.callTool({ name: 'run_with_tests', arguments: successor });
    expect(structured(second).result).toMatchObject({ passed: true });
  });

  test('rejects wrong arguments and unknown tools by name', async () => {
    const { client } = await connected({}, parts());
    const answer = await client.callTool({
      name: 'run_with_tests',
      arguments: { ...successor, language: 'cobol' },
    });
    expect([answer.isError, JSON.stringify(answer.content)]).toEqual([
      true,
      expect.stringContaining('language'),
    ]);
    await expect(client.callTool({ name: 'none', arguments: {} })).rejects.toThrow(/none/);
  });
});

describe('limits', () => {
  test('size and time', async () => {
    const { client } = await connected({ maxSize: '1', time: '0.5' }, parts());
    const large = { ...successor, code: `${successor.code}# ${'x'.repeat(1024)}` };
    const refused = structured(await client.callTool({ name: 'run_with_tests', arguments: large }));
    expect(refused.error).toMatchObject({
      code: 'INPUT_TOO_LARGE',
      message: 'Code and tests have 2 KiB together, and this server accepts 1.',
    });
    const endless = { ...successor, code: 'def f(x):\n    while True:\n        pass\n' };
    const late = await client.callTool({ name: 'run_with_tests', arguments: endless });
    expect([late.isError, structured(late).error?.code]).toEqual([true, 'TIME_UP']);
  });

  test('queues calls, and rejects one too many', async () => {
    const turns: (() => void)[] = [];
    const slow = {
      openSandbox: async () => ({
        ...sandbox,
        execute: (_: unknown, signal?: AbortSignal) =>
          new Promise<never>((_, reject) => {
            turns.push(() => reject(new Error('over')));
            signal?.addEventListener('abort', () => reject(signal.reason));
          }),
        close: async () => {},
      }),
    };
    const { client } = await connected({ workers: '1' }, slow);
    const calls = Array.from({ length: 66 }, () =>
      client.callTool({ name: 'run_with_tests', arguments: successor }),
    );
    for (const call of calls) call.catch(() => {});
    const refused = structured(await Promise.race(calls));
    expect(refused.error?.code).toBe('SERVER_BUSY');
    await eventually(() => expect(turns).toHaveLength(1));
    turns[0]?.();
    // The second one begins only now.
    await eventually(() => expect(turns).toHaveLength(2));
  });

  test('aborts a cancelled call, whether it is running or waiting', async () => {
    const aborted: string[] = [];
    const slow = {
      openSandbox: async () => ({
        ...sandbox,
        execute: (_: unknown, signal?: AbortSignal) =>
          new Promise<never>((_, reject) =>
            signal?.addEventListener('abort', () => {
              aborted.push('execution');
              reject(signal.reason);
            }),
          ),
        close: async () => {},
      }),
    };
    const { client } = await connected({ workers: '1' }, slow);
    const running = new AbortController();
    const waiting = new AbortController();
    const begun = new Promise(resolve => {
      const onprogress = ({ progress }: { progress: number }) => progress === 2 && resolve(null);
      const call = { name: 'run_with_tests', arguments: successor };
      client.callTool(call, { signal: running.signal, onprogress }).catch(() => {});
      client.callTool(call, { signal: waiting.signal }).catch(() => {});
    });
    await begun;
    waiting.abort();
    running.abort();
    await eventually(async () => {
      const { resources } = await client.listResources();
      expect(resources.map(({ description }) => description)).toEqual([
        expect.stringContaining('CANCELLED'),
        expect.stringContaining('CANCELLED'),
      ]);
    });
    expect(aborted).toEqual(['execution']);
  });
});

describe('fix_function', () => {
  test.each([
    [
      'python',
      'def positives(values):\n    return len([value for value in values if value < 0])\n',
      'assert positives([3, 1, -2]) == 2',
      /^assert positives\(.*\) == \d+$/,
    ],
    [
      'js',
      'function positives(values) {\n  return values.filter(value => value < 0).length;\n}\n',
      "const assert = require('node:assert');\nassert.strictEqual(positives([3, 1, -2]), 2);",
      /^assert\.strictEqual\(positives\(.*\), \d+\);$/,
    ],
  ])(
    '%s: returns a call on which repairs differ, with what each does and its test',
    async (language, program, tests, test) => {
      const completions = [`\`\`\`${language}\n${program.replace('< 0', '> 0')}\`\`\``];
      const createModel = async () => createScriptedModel({ completions });
      const { client } = await connected({ questionTime: '600' }, { ...parts(), createModel });
      const input = { language, code: program, tests };
      const answer = await client.callTool({ name: 'fix_function', arguments: input }, { timeout: 600_000 });
      const { outcome, question, diff } = structured(answer).result as Record<string, never>;
      expect(outcome).toBe('repaired');
      expect(question).toMatchObject({ call: expect.stringMatching(/^positives\(.*\)$/) });
      const { answers, repairs, behaviours } = Object(question);
      expect(answers.length).toBeGreaterThan(1);
      expect(repairs).toBeGreaterThanOrEqual(behaviours);
      expect(answers[0].diff).toBe(diff);
      for (const each of answers) {
        expect(each.does).toMatch(/^returns \d+$/);
        expect(each.test).toMatch(test);
      }
    },
  );

  const code =
    'def plus(x):\n    """Give x plus 1.\n\n    >>> plus(1)\n    2\n    """\n    return x - 1\n\n\nlimit = 3\n';
  const answers = (...completions: string[]) => ({
    ...parts(),
    createModel: async () =>
      createScriptedModel({ completions: completions.map(one => `\`\`\`python\n${one}\`\`\``) }),
  });
  const right = 'def plus(x):\n    return x + 1\n';

  test('returns the repaired code, its diff and every attempt', async () => {
    const { client } = await connected({}, answers('def plus(x):\n    return x\n', right));
    const messages: (string | undefined)[] = [];
    const answer = await client.callTool(
      { name: 'fix_function', arguments: { code } },
      { onprogress: ({ message }) => messages.push(message) },
    );
    expect(structured(answer).result).toMatchObject({
      outcome: 'repaired',
      // The docstring and the code around the function are kept.
      code: code.replace('x - 1', 'x + 1'),
      diff: expect.stringContaining('-    return x - 1\n+    return x + 1\n'),
      judge: 'proven',
      attempts: [
        { iteration: 0, verdict: 'failed' },
        { iteration: 1, verdict: 'passed' },
      ],
      model: 'scripted',
    });
    expect(messages.slice(-2)).toEqual(['Attempt 1: failed', 'Attempt 2: passed']);

    const { resources } = await client.listResources();
    expect(resources).toMatchObject([
      { uri: 'hefix://calls/1', description: expect.stringMatching(/: repaired$/) },
    ]);
    const { contents } = await client.readResource({ uri: 'hefix://calls/1' });
    const call = JSON.parse(String(Object(contents[0]).text));
    expect(call).toMatchObject({ tool: 'fix_function', input: { code }, result: { outcome: 'repaired' } });
    expect(call.details.attempts[0].prompt[1].content).toContain('Give x plus 1.');
  });

  test('uses tests or examples; passing code needs no model', async () => {
    const { client } = await connected({ iters: '0' }, answers(right, right, 'def plus(x):\n    return 7\n'));
    const fix = async (input: object) =>
      structured(await client.callTool({ name: 'fix_function', arguments: { code, ...input } })).result;
    expect(await fix({ tests: 'assert plus(5) == 6\n' })).toMatchObject({ outcome: 'repaired' });
    expect(await fix({ examples: 'plus(5) == 6\nplus(6) -> 7' })).toMatchObject({ outcome: 'repaired' });
    expect(await fix({ examples: 'plus(5) == 4' })).toMatchObject({
      outcome: 'nothing-to-repair',
      code: null,
      passed: true,
    });
    expect(await fix({ tests: 'assert plus(5) == 6\n', judge: 'isolated' })).toMatchObject({
      outcome: 'not-repaired',
      code: null,
      diff: '',
      judge: 'isolated',
      verdict: { kind: 'failed', actual: '7' },
    });
  });

  test.each([
    ['both tests and examples', { tests: 'assert True', examples: 'plus(1) == 2' }, 'INPUT_INVALID'],
    ['examples without values', { examples: 'it adds one' }, 'TESTS_MISSING'],
    ['nothing to judge by', { code: 'def plus(x):\n    return x\n' }, 'TESTS_MISSING'],
    ['no function', { code: 'x = 1\n', tests: 'assert x == 2' }, 'CODE_WITHOUT_FUNCTION'],
    ['tests of something else', { tests: 'assert minus(1) == 2' }, 'CODE_WITHOUT_FUNCTION'],
    ['no such function', { entry_point: 'minus' }, 'ENTRY_POINT_UNKNOWN'],
    ['a model that fails', { tests: 'assert plus(1) == 2' }, 'MODEL_SCRIPT_ENDED'],
  ])('%s', async (_, input, expected) => {
    const { client } = await connected({}, answers());
    const answer = await client.callTool({ name: 'fix_function', arguments: { code, ...input } });
    expect([answer.isError, structured(answer).error?.code]).toEqual([true, expected]);
    expect(structured(answer).error?.hint).toMatch(/\.$/);
  });

  test('keeps CRLF line endings, helpers below and decorators', async () => {
    const given =
      'import functools\r\n\r\n\r\n@functools.lru_cache\r\ndef plus(x):\r\n    """Give x plus 1."""\r\n    return x - one()\r\n\r\n\r\ndef one():\r\n    return 1\r\n';
    const answer = '@functools.lru_cache\ndef plus(x):\n    return x + one()\n';
    const { client } = await connected({}, answers(answer));
    const input = { code: given, tests: 'assert plus(1) == 2\n' };
    const { result } = structured(await client.callTool({ name: 'fix_function', arguments: input }));
    expect(result).toMatchObject({ outcome: 'repaired', code: given.replace('x - one', 'x + one') });
  });
});

test('fix_function finds the fault in a helper, by the examples of any docstring', async () => {
  const code =
    'def twice(x):\n    return x + 1\n\n\ndef total(xs):\n    """\n    >>> total([1, 4])\n    10\n    """\n    return sum(twice(x) for x in xs)\n';
  const completions = ['def total(xs):\n    return 0\n', 'def twice(x):\n    return 2 * x\n'];
  const createModel = async () =>
    createScriptedModel({ completions: completions.map(one => `\`\`\`python\n${one}\`\`\``) });
  const { client } = await connected({ iters: '0' }, { ...parts(), createModel });
  const { result } = structured(await client.callTool({ name: 'fix_function', arguments: { code } }));
  expect(result).toMatchObject({ outcome: 'repaired', code: code.replace('x + 1', '2 * x') });
});

describe('resources', () => {
  test('exposes the latest runs in the results folder, and nothing else', async () => {
    const folder = await temporaryFolder();
    const { hefixHere, writeSmallSet } = await import('../../support/cli.ts');
    const { dataset, script } = await writeSmallSet(folder, 1);
    const out = join(folder, 'my run.jsonl');
    await hefixHere([
      '--backend',
      'scripted',
      '--model',
      script,
      '--dataset',
      dataset,
      '--out',
      out,
      '--quiet',
    ]);
    await writeFile(join(folder, 'secret.jsonl'), 'secret');
    const { client } = await connected({ results: folder }, parts());
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: 'hefix://runs/my%20run', name: 'my run.jsonl' }]);
    const { contents } = await client.readResource({ uri: 'hefix://runs/my%20run' });
    expect(JSON.parse(String(Object(contents[0]).text))).toMatchObject({
      summary: { solved: 1 },
      tasks: [{ task_id: 'small/0', passed: true, iters: 1, verdict: 'passed' }],
    });
    for (const uri of ['hefix://runs/secret', 'hefix://runs/..%2Fsecret', 'hefix://calls/1'])
      await expect(client.readResource({ uri })).rejects.toThrow(/not found/);
  });
});

test('the resources are the last 20 calls and the latest 20 runs', async () => {
  const results = await temporaryFolder();
  for (let n = 0; n < 22; n++) {
    const manifest = join(results, `run${n}.manifest.json`);
    await writeFile(manifest, '{}');
    await utimes(manifest, n, n);
    await writeFile(join(results, `run${n}.jsonl`), '');
  }
  const { client } = await connected({ results, maxSize: '1' }, parts());
  const large = { ...successor, code: 'x'.repeat(2000) };
  for (let n = 0; n < 22; n++) await client.callTool({ name: 'run_with_tests', arguments: large });
  const { resources } = await client.listResources();
  const latest = (uri: (n: number) => string) => Array.from({ length: 20 }, (_, n) => uri(n));
  expect(resources.map(({ uri }) => uri)).toEqual([
    ...latest(n => `hefix://calls/${22 - n}`),
    ...latest(n => `hefix://runs/run${21 - n}`),
  ]);
});

test('close stops the calls in progress and closes everything', async () => {
  const closed = vi.fn(async () => {});
  const { client, server } = await connected(
    {},
    { openSandbox: async () => ({ ...sandbox, close: closed }) },
  );
  const endless = { ...successor, code: 'def f(x):\n    while True:\n        pass\n' };
  const progress = vi.fn();
  const call = client.callTool({ name: 'run_with_tests', arguments: endless }, { onprogress: progress });
  await eventually(() => expect(progress).toHaveBeenCalledTimes(2));
  await server.close();
  expect(structured(await call).error?.code).toBe('SERVER_CLOSED');
  expect(closed).toHaveBeenCalledOnce();
});

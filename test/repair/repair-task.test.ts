import { describe, expect, test } from 'vitest';
import { HefixError } from '../../lib/core/errors.ts';
import type { GenerateRequest, TextModel } from '../../lib/core/ports.ts';
import type { Language } from '../../lib/core/task.ts';
import { createScriptedModel } from '../../lib/model/scripted.ts';
import { type RepairOptions, repairTask } from '../../lib/repair/repair-task.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';
import { half, sharedSandbox } from './small-tasks.ts';

const right = '```python\ndef half(n):\n    return n // 2\n```';
const wrong = '```python\ndef half(n):\n    return n - 2\n```';

const options: RepairOptions = {
  agent: 'reflect',
  maxIterations: 2,
  temperature: { schedule: 'ramp', base: 0, step: 0.2, cap: 0.8 },
  topP: 0.9,
  topK: 40,
  maxNewTokens: 77,
  seed: 5,
  feedback: 'tests',
};

const sandbox = sharedSandbox();

/** A scripted model that keeps its requests. */
function watched(completions: readonly string[]): { model: TextModel; requests: GenerateRequest[] } {
  const scripted = createScriptedModel({ completions });
  const requests: GenerateRequest[] = [];
  const model: TextModel = {
    ...scripted,
    generate: (request, given) => {
      requests.push(request);
      return scripted.generate(request, given);
    },
  };
  return { model, requests };
}

test('an attempt records prompt, completion, verdict and tokens', async () => {
  const { model } = watched([right]);
  let milliseconds = 0;
  const outcome = await repairTask({
    task: half,
    model,
    sandbox: sandbox(),
    options,
    now: () => {
      milliseconds += 500;
      return milliseconds;
    },
  });
  expect(outcome).toMatchObject({
    state: 'solved',
    path: ['draft', 'examine', 'execute', 'solved'],
    cause: null,
  });
  const [attempt] = outcome.attempts;
  expect(attempt).toMatchObject({
    iteration: 0,
    node: 'draft',
    temperature: 0,
    completion: right,
    candidate: 'def half(n):\n    return n // 2\n',
    verdict: { kind: 'passed' },
    repeated: false,
    seconds: { proposal: 0.5 },
  });
  // There was nothing to choose from.
  expect(attempt).not.toHaveProperty('selection');
  expect(attempt?.prompt.map(message => message.role)).toEqual(['system', 'user']);
  expect(attempt?.tokens.completion).toBeGreaterThan(3);
  expect(attempt?.seconds.execution).toBeGreaterThan(0);
  expect(outcome.steps?.map(({ state, seconds }) => [state, seconds])).toEqual([
    ['draft', 0.5],
    ['examine', 0.5],
    ['execute', 0.5],
    ['solved', 0],
  ]);
});

test('each iteration has its own seed, the same in every run', async () => {
  const seeds = async (seed: number) => {
    const { model, requests } = watched([wrong, 'def half(n):\n    return 3\n', right]);
    await repairTask({ task: half, model, sandbox: sandbox(), options: { ...options, seed } });
    expect(requests).toHaveLength(3);
    expect(requests[0]).toMatchObject({ topP: 0.9, topK: 40, maxNewTokens: 77, temperature: 0 });
    return requests.map(request => request.seed);
  };
  const first = await seeds(5);
  expect(new Set(first).size).toBe(3);
  expect(await seeds(5)).toEqual(first);
  expect(await seeds(6)).not.toEqual(first);
});

describe('a repair with the tests as feedback', () => {
  const better = '```python\ndef half(n):\n    return n - 2 if n == 4 else 0\n```';
  const task = { ...half, tests: 'assert half(6) == 3\nassert half(4) == 2\nassert half(0) == 0\n' };

  test('attempts say which assertions pass, and the next prompt is about the one that passes more', async () => {
    const { model, requests } = watched([better, wrong, right]);
    const { state, attempts } = await repairTask({ task, model, sandbox: sandbox(), options });
    expect(state).toBe('solved');
    expect(attempts.map(({ counts }) => counts)).toMatchObject([
      { passed: 2, failed: 1, failing: [{ line: 1, source: 'assert half(6) == 3' }] },
      { passed: 1, failed: 2, failing: [{ line: 1 }, { line: 3 }] },
      undefined,
    ]);
    const [, second, third] = requests.map(({ messages }) =>
      messages.slice(-2).map(({ content }) => content),
    );
    expect(second?.[1]).toContain('2 of 3 assertions pass; the first that fails is:\nassert half(6) == 3');
    expect(third?.[0]).toBe(second?.[0]);
    expect(third?.[1]).toContain('The answer after it was worse.');
  });

  test('a model that writes edits is not told, and sees its last answer', async () => {
    const { model, requests } = watched(['@2\n-n\n+n - 2 if n == 4 else 0 *', '@2\n-n\n+n +', 'none']);
    const given = {
      ...options,
      answer: 'edit',
      examples: false,
      beams: 0,
      search: { budget: 0, rank: false },
    } as const;
    const { attempts } = await repairTask({ task, model, sandbox: sandbox(), options: given });
    expect(attempts.map(({ counts }) => counts)).toEqual([undefined, undefined, undefined]);
    const prompts = requests.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
    expect(prompts.length).toBe(3);
    expect(prompts.join('\n')).not.toMatch(/assertions pass|worse/);
  });

  test('assertions are not counted for other feedback', async () => {
    for (const feedback of ['examples', 'none'] as const) {
      const { model } = watched([wrong, better, wrong]);
      const { attempts } = await repairTask({
        task,
        model,
        sandbox: sandbox(),
        options: { ...options, feedback },
      });
      expect(attempts.filter(({ counts }) => counts !== undefined)).toEqual([]);
    }
  });
});

test('reports states in order, and text as it arrives', async () => {
  const { model } = watched([wrong, right]);
  const states: string[] = [];
  const pieces: string[] = [];
  const outcome = await repairTask({
    task: half,
    model,
    sandbox: sandbox(),
    options,
    onState: state => states.push(state),
    onText: piece => pieces.push(piece),
  });
  expect(states).toEqual(outcome.path);
  expect(pieces.join('')).toBe(wrong + right);
});

describe('a failure outside the candidate is an error, not a verdict', () => {
  test('a model', async () => {
    const model = createScriptedModel({ completions: [wrong] });
    const outcome = await repairTask({ task: half, model, sandbox: sandbox(), options });
    expect(outcome.state).toBe('error');
    expect(outcome.attempts.map(attempt => attempt.verdict?.kind)).toEqual(['failed']);
    expect(outcome.cause?.code).toBe('MODEL_SCRIPT_ENDED');
  });

  test('a sandbox', async () => {
    const closed = await createPythonSandbox();
    await closed.close();
    const outcome = await repairTask({ task: half, model: watched([right]).model, sandbox: closed, options });
    expect(outcome).toMatchObject({ state: 'error', attempts: [], path: ['draft', 'examine', 'error'] });
    expect(outcome.cause?.code).toBe('SANDBOX_CLOSED');
  });

  test('tests that cannot be run', async () => {
    const broken = { ...half, tests: 'assert half(4 ==\n' };
    const outcome = await repairTask({
      task: broken,
      model: watched([right]).model,
      sandbox: sandbox(),
      options,
    });
    expect(outcome).toMatchObject({ state: 'error', path: ['draft', 'examine', 'execute', 'error'] });
    expect(outcome.cause?.message).not.toBe('');
  });
});

describe('an abort', () => {
  /** A model that writes until it is aborted. */
  function endless(): { model: TextModel; started: Promise<void>; stopped: Promise<unknown> } {
    const started = withResolvers<void>();
    const stopped = withResolvers<unknown>();
    const model: TextModel = {
      name: 'endless',
      fingerprint: 'endless',
      generate: (_, given) =>
        new Promise((_, reject) => {
          given?.signal?.addEventListener('abort', () => {
            stopped.resolve(given.signal?.reason);
            reject(given.signal?.reason);
          });
          started.resolve();
        }),
      close: async () => {},
    };
    return { model, started: started.promise, stopped: stopped.promise };
  }

  test('rejects with its reason and stops the model', async () => {
    const { model, started, stopped } = endless();
    const controller = new AbortController();
    const outcome = repairTask({ task: half, model, sandbox: sandbox(), options, signal: controller.signal });
    await started;
    const reason = new Error('stop, please');
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    await stopped;
  });

  test('an abort before the start never calls the model', async () => {
    const { model, requests } = watched([right]);
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(repairTask({ task: half, model, sandbox: sandbox(), options, signal })).rejects.toThrow(
      'too late',
    );
    expect(requests).toEqual([]);
  });
});

test('a language that cannot be judged is an error that says so', async () => {
  const given = {
    task: { ...half, language: 'cobol' as Language },
    model: watched([right]).model,
    sandbox: sandbox(),
    options,
  };
  const error = await repairTask(given).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(HefixError);
  expect(error).toMatchObject({ code: 'LANGUAGE_UNSUPPORTED' });
});

/** `Promise.withResolvers` needs Node 22. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}

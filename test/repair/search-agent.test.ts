import { describe, expect, test } from 'vitest';
import type { ScoreRequest, TextModel } from '../../lib/core/ports.ts';
import type { Task } from '../../lib/core/task.ts';
import { type RepairOptions, repairTask } from '../../lib/repair/repair-task.ts';
import { area, options as shared, sharedSandbox } from './small-tasks.ts';

const sandbox = sharedSandbox();

/** Prefers a single edit, and keeps its requests. */
function modelThatLikes(liked: string, asked: ScoreRequest[] = []): TextModel {
  return {
    name: 'likes',
    fingerprint: 'likes',
    answer: 'edit',
    generate: () => Promise.reject(new Error('not asked to write')),
    async score(request) {
      asked.push(request);
      const logLikelihoods = request.answers.map(answer => (answer.includes(liked) ? -1 : -9));
      return { logLikelihoods, promptTokens: 11, completionTokens: 22, seconds: 0.5 };
    },
    close: async () => {},
  };
}

const silent: TextModel = {
  name: 'silent',
  fingerprint: 'silent',
  generate: () => Promise.reject(new Error('not asked to write')),
  close: async () => {},
};

const options: RepairOptions = {
  ...shared,
  agent: 'search',
  feedback: 'examples',
  maxIterations: 0,
  search: { budget: 200, rank: true },
};

const run = (model: TextModel, changes: Partial<RepairOptions> = {}, given: Partial<Task> = {}) =>
  repairTask({
    task: { ...area, ...given },
    model,
    sandbox: sandbox(),
    options: { ...options, ...changes },
  });

describe('the search', () => {
  test('takes the first edit that passes the docstring’s examples, and records how it was found', async () => {
    const outcome = await run(silent);
    expect(outcome.state).toBe('solved');
    expect(outcome.path).toEqual([
      'enumerate',
      'decide',
      'rank',
      'decide',
      'screen',
      'decide',
      'choose',
      'examine',
      'execute',
      'score',
      'solved',
    ]);
    expect(outcome.attempts).toMatchObject([
      { node: 'search', completion: '@2\n-+\n+*', verdict: { kind: 'passed' } },
    ]);
    expect(outcome.score?.candidate).toBe(area.canonical);
    expect(outcome.search).toMatchObject({ ranked: false, tried_on: 'docstring' });
    expect(outcome.search?.rank).toBe(outcome.search?.tried);
  });

  test('uses the model’s ranking, by the edits and by the resulting functions', async () => {
    const asked: ScoreRequest[] = [];
    const outcome = await run(modelThatLikes('@2\n-+\n+*', asked));
    expect(outcome.search).toMatchObject({ ranked: true, tried: 1, rank: 1 });
    expect(outcome.attempts[0]).toMatchObject({ tokens: { prompt: 22, completion: 44 } });
    expect(asked[0]?.answers).toContain('@2\n-+\n+*');
    expect(asked[0]?.messages[1]?.content).toContain('2|    return width + height');
    expect(asked[1]?.continues).toBe(true);
    expect(asked[1]?.messages[1]?.content).toMatch(/```python\n$/);
    expect(asked[1]?.answers[0]).toBe('1|def area(width, height):\n2|    return width * height\n```');
  });

  test('asks a model that writes functions for the likelihoods of functions', async () => {
    const asked: ScoreRequest[] = [];
    const model = { ...modelThatLikes('width * height', asked), answer: 'whole' as const };
    expect((await run(model)).search).toMatchObject({ ranked: true, tried: 1 });
    expect(asked[0]?.answers[0]).toMatch(/^```python\ndef area/);
  });

  test('takes the model’s first choice if nothing may be run', async () => {
    const right = await run(modelThatLikes('@2\n-+\n+*'), { feedback: 'none' });
    expect(right).toMatchObject({ state: 'solved', search: { tried: 0, rank: 1, tried_on: 'nothing' } });
    expect(right.attempts[0]?.verdict).toBeNull();
    const wrong = await run(modelThatLikes('@2\n-+\n+-'), { feedback: 'none' });
    expect(wrong).toMatchObject({ state: 'unsolved', score: { verdict: { kind: 'failed' } } });
  });

  test('can search on the hidden tests, and counts earlier candidates as iterations', async () => {
    const outcome = await run(silent, { feedback: 'tests' });
    expect(outcome).toMatchObject({ state: 'solved', search: { tried_on: 'tests' } });
    expect(outcome.attempts.at(-1)?.iteration).toBe((outcome.search?.rank ?? 0) - 1);
  });

  test('uses the dataset’s example tests if the docstring has no examples', async () => {
    const given = { docstring: 'The area of a frame.', exampleTests: 'assert area(4, 5) == 20\n' };
    expect(await run(silent, {}, given)).toMatchObject({ state: 'solved', search: { tried_on: 'dataset' } });
  });

  test('continues with pairs of edits, and takes the best failing one', async () => {
    const buggy = 'def area(width):\n    total = 1\n    return total\n';
    const declaration = 'def area(width):\n';
    const docstring = '>>> area(2)\n600\n>>> area(3)\n2';
    const search = { budget: 400, rank: false };
    const outcome = await run(silent, { search }, { buggy, declaration, docstring });
    expect(outcome.path).toContain('combine');
    expect(outcome.search?.tried).toBeGreaterThan(100);
    expect(outcome.search?.tried).toBeLessThanOrEqual(400);
    expect(outcome).toMatchObject({ attempts: [{ verdict: { kind: 'failed' } }], score: {} });
  });

  test('ends if there is nothing to edit', async () => {
    const outcome = await run(silent, {}, { entryPoint: 'missing' });
    expect(outcome).toMatchObject({
      state: 'unsolved',
      attempts: [],
      search: { candidates: 0, rank: null },
    });
  });

  test('gives up if no edit can be run', async () => {
    const buggy = `def twice(n, n):\n    return n\n\n\n${area.buggy}`;
    const outcome = await run(silent, {}, { buggy });
    expect(outcome).toMatchObject({ state: 'unsolved', attempts: [] });
    expect(outcome.steps?.filter(({ state }) => state === 'choose')).toMatchObject([
      { counts: { chosen: 0 } },
    ]);
  });

  test('a failing model makes the task an error', async () => {
    const broken = {
      ...silent,
      score: () => Promise.reject(Object.assign(new Error('gone'), { code: 'MODEL_DOWN' })),
    };
    expect(await run(broken)).toMatchObject({ state: 'error', cause: { code: 'MODEL_DOWN' } });
  });
});

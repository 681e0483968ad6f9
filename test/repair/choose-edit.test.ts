import { describe, expect, test } from 'vitest';
import type { TaskOutcome } from '../../lib/core/attempt.ts';
import type { BeamRequest, TextModel } from '../../lib/core/ports.ts';
import type { Task } from '../../lib/core/task.ts';
import { type AgentSnapshot, type RepairOptions, repairTask } from '../../lib/repair/repair-task.ts';
import { area, options, sharedSandbox } from './small-tasks.ts';

const sandbox = sharedSandbox();

/**
 * Likeliest first: one without effect, one that does not apply, one that does not parse, then some that can
 * be tried.
 */
const answers = [
  '@2\n-+\n++',
  '@9\n-a\n+b',
  '@2\n-+\n+(',
  '@2\n-+\n+-',
  '@2\n-width + height\n+width  -  height',
  '@2\n-+\n+*',
];

function beamModel(asked: BeamRequest[]): TextModel {
  return {
    name: 'beams',
    fingerprint: 'beams',
    answer: 'edit',
    generate: async () => ({ text: 'sampled', promptTokens: 1, completionTokens: 1, finish: 'stop' }),
    async beams(request) {
      asked.push(request);
      const beams = answers.map((text, place) => ({ text, logLikelihood: -place }));
      return { beams, promptTokens: 7, completionTokens: 70, seconds: 0.25 };
    },
    close: async () => {},
  };
}

async function run(
  changes: Partial<RepairOptions> = {},
  given: Partial<Task> = {},
  model: Partial<TextModel> = {},
) {
  const asked: BeamRequest[] = [];
  const outcome = await repairTask({
    task: { ...area, ...given },
    model: { ...beamModel(asked), ...model },
    sandbox: sandbox(),
    options: { ...options, ...changes },
  });
  return { asked, outcome };
}

const untold = { examples: false, search: { budget: 0, rank: true } } as const;

/** Several edits agree with the example, and none passes. */
const unsolvable = {
  docstring: 'The area of a frame.\n>>> area(1, 0)\n1',
  exampleTests: '',
  tests: 'assert area(2, 3) == 6 and area(3, 3) == 60\n',
};

describe('a model that writes edits', () => {
  test('takes the likeliest edit that passes the docstring’s examples, and records what each check rejected', async () => {
    const { asked, outcome } = await run();
    expect(outcome.state).toBe('solved');
    expect(outcome.attempts).toMatchObject([
      {
        completion: '@2\n-+\n+*',
        temperature: null,
        tokens: { prompt: 7, completion: 70 },
        selection: {
          origin: { kind: 'beam', rank: 6, of: 6 },
          left_out: 3,
          checks: [{ source: 'docstring', code: 'assert area(2, 3) == 6', rejected: expect.any(Number) }],
          agrees: true,
          time_up: false,
        },
      },
    ]);
    expect(asked.map(({ messages, beams }) => [messages.length, beams])).toEqual([[2, 12]]);
  });

  test('runs candidates on the assertion that a failure revealed, and shows it in the next prompt', async () => {
    const { asked, outcome } = await run(untold);
    expect(outcome.state).toBe('solved');
    expect(outcome.attempts.map(({ completion }) => completion)).toEqual(['@2\n-+\n+-', '@2\n-+\n+*']);
    expect(outcome.attempts[0]?.selection?.checks).toEqual([]);
    expect(outcome.attempts[1]?.selection?.checks).toEqual([
      { source: 'revealed', code: 'assert area(2, 3) == 6', rejected: 2 },
    ]);
    expect(asked.map(({ messages }) => messages.length)).toEqual([2, 4]);
    expect(asked[1]?.messages.at(-1)?.content).toContain('assert area(2, 3) == 6');
    expect(outcome.attempts[1]?.prompt).toEqual(asked[1]?.messages);
  });

  test('takes an enumerated edit if none of its own passes', async () => {
    const given = { buggy: 'def area(width, height):\n    return width * width\n' };
    const { outcome } = await run({}, given);
    expect(outcome.state).toBe('solved');
    expect(outcome.attempts[0]?.selection).toMatchObject({ origin: { kind: 'edit' }, agrees: true });
  });

  test('is not used for a language that it was not trained on; enumerated edits are tried', async () => {
    const { asked, outcome } = await run({}, {}, { languages: ['js'] });
    expect(asked).toEqual([]);
    expect(outcome).toMatchObject({
      state: 'solved',
      attempts: [{ prompt: [], selection: { ranked: false } }],
    });
  });

  test('takes the candidate that passes the most checks if none passes all, and says so', async () => {
    const { outcome } = await run(untold, {
      docstring: '>>> area(2, 3)\n600',
      tests: 'assert area(2, 3) == 600',
    });
    expect(outcome.state).toBe('unsolved');
    expect(outcome.attempts[1]?.selection?.agrees).toBe(false);
  });

  test('takes a candidate that never ends only if there is no other', async () => {
    const beams = ['@2\n-width + height\n+[0 for _ in iter(int, 1)]', '@2\n-+\n+-'].map((text, place) => ({
      text,
      logLikelihood: -place,
    }));
    const { outcome } = await run(
      { maxIterations: 0, search: untold.search },
      { docstring: '>>> area(2, 3)\n600' },
      { beams: async () => ({ beams, promptTokens: 1, completionTokens: 1, seconds: 0 }) },
    );
    expect(outcome.attempts[0]).toMatchObject({ completion: '@2\n-+\n+-', selection: { agrees: false } });
  });

  test('takes the likeliest candidate if the time is up before any is tried, and says so', async () => {
    const { outcome } = await run({ searchSeconds: 1e-9 });
    expect(outcome.attempts[0]).toMatchObject({
      completion: '@2\n-+\n+-',
      selection: { checks: [{ rejected: 0 }], agrees: false, time_up: true },
    });
  });

  test('runs nothing if nothing may be run, and with `one-shot`', async () => {
    for (const changes of [{ feedback: 'none', maxIterations: 0 }, { agent: 'one-shot' }] as const) {
      const { outcome } = await run({ ...untold, ...changes });
      expect(outcome.attempts[0]?.completion).toBe('@2\n-+\n+-');
      expect(outcome.attempts[0]?.selection?.checks).toEqual([]);
    }
  });

  test('keeps more answers for more attempts, and as many as requested', async () => {
    expect((await run({ maxIterations: 9 })).asked[0]?.beams).toBe(30);
    expect((await run({ maxIterations: 9, beams: 4 })).asked[0]?.beams).toBe(4);
  });

  test('a run that is resumed in the middle of a search asks nothing again and writes the same records', async () => {
    const saved: AgentSnapshot[] = [];
    const asked: BeamRequest[] = [];
    const input = {
      task: area,
      model: beamModel(asked),
      sandbox: sandbox(),
      options: { ...options, ...untold },
    };
    const whole = await repairTask({
      ...input,
      onSnapshot: snapshot => saved.push(JSON.parse(JSON.stringify(snapshot))),
    });
    const outcomeOf = ({ attempts, path, steps = [] }: TaskOutcome) => ({
      path,
      counts: steps.map(({ counts }) => counts),
      attempts: attempts.map(({ seconds: _, ...attempt }) => attempt),
    });
    const second = saved.filter(({ steps }) => steps.at(-1)?.attempt === 1);
    const states = second.map(({ steps }) => steps.at(-1)?.state);
    expect(states).toEqual(['reflect', 'enumerate', 'screen', 'rank', 'choose', 'examine', 'execute']);
    for (const [index, snapshot] of second.entries()) {
      asked.length = 0;
      expect(outcomeOf(await repairTask({ ...input, snapshot }))).toEqual(outcomeOf(whole));
      expect(asked.length).toBe(index === 0 ? 1 : 0);
    }
  });

  test('can be asked only once, and tries its other answers later', async () => {
    const { asked, outcome } = await run({ ...untold, beamPrompt: 'first' });
    expect(outcome.state).toBe('solved');
    expect(asked.map(({ messages }) => messages.length)).toEqual([2, 2]);
    expect(outcome.attempts[1]).toMatchObject({ tokens: { prompt: 0, completion: 0 } });
  });

  test('is sampled with --beams 0', async () => {
    const { asked, outcome } = await run({ beams: 0, maxIterations: 0 });
    expect(asked).toEqual([]);
    expect(outcome.attempts[0]).toMatchObject({ completion: 'sampled', temperature: 0 });
  });

  test('proposes the same at every temperature, and draws from those that agree', async () => {
    const score: TextModel['score'] = async ({ answers }) => ({
      logLikelihoods: answers.map(text => -text.length / 10),
      promptTokens: 1,
      completionTokens: 1,
      seconds: 0,
    });
    const drawn = async (base: number, seed: number) => {
      const temperature = { ...options.temperature, base, cap: 1 };
      const { asked, outcome } = await run({ temperature, seed, maxIterations: 1 }, unsolvable, { score });
      expect(asked).toHaveLength(2);
      expect(outcome.attempts[0]?.selection?.agrees).toBe(true);
      expect(outcome.attempts.map(each => each.temperature)).toEqual([base, Math.min(base + 0.2, 1)]);
      return outcome.attempts.map(({ completion }) => completion).join();
    };
    const warm: string[] = [];
    for (let seed = 1; seed <= 6 && new Set(warm).size < 2; seed++) warm.push(await drawn(0.8, seed));
    expect(new Set(warm).size).toBe(2);
    expect(await drawn(0.8, 1)).toBe(warm[0]);
    const [cold, again] = [await drawn(0, 1), await drawn(0, 2)];
    expect(cold.split(',')[0]).toBe(again.split(',')[0]);
  });
});

import { describe, expect, test } from 'vitest';
import { type AgentSnapshot, type RepairOptions, repairTask } from '../../lib/agent/repair-task.ts';
import type { TaskOutcome } from '../../lib/core/attempt.ts';
import type { BeamRequest, TextModel } from '../../lib/core/ports.ts';
import { area, options, sharedSandbox } from './small-tasks.ts';

const sandbox = sharedSandbox();

/** The likeliest first: a no-op, an edit that does not fit, one that does not parse, and then some that can be tried. */
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

async function run(changes: Partial<RepairOptions> = {}) {
  const asked: BeamRequest[] = [];
  const outcome = await repairTask({
    task: area,
    model: beamModel(asked),
    sandbox: sandbox(),
    options: { ...options, ...changes },
  });
  return { asked, outcome };
}

describe('a model that writes edits', () => {
  test('tries its next best edit each time, past those that change nothing, do not fit, do not parse or came before', async () => {
    const { asked, outcome } = await run();
    expect(outcome.state).toBe('solved');
    expect(outcome.attempts.map(({ completion }) => completion)).toEqual(['@2\n-+\n+-', '@2\n-+\n+*']);
    expect(outcome.attempts[0]).toMatchObject({
      tokens: { prompt: 7, completion: 70 },
      seconds: { proposal: 0.25 },
    });
    expect(asked.map(({ messages, beams }) => [messages.length, beams])).toEqual([[2, 12]]);
    expect(outcome.attempts[1]).toMatchObject({
      tokens: { prompt: 0, completion: 0 },
      seconds: { proposal: 0 },
    });
  });

  test('keeps more answers for more attempts, and as many as it is told', async () => {
    expect((await run({ budget: 9 })).asked[0]?.beams).toBe(30);
    expect((await run({ budget: 9, beams: 4 })).asked[0]?.beams).toBe(4);
  });

  test('a run that is gone on with asks for its list again, and records the same', async () => {
    const saved: AgentSnapshot[] = [];
    const asked: BeamRequest[] = [];
    const input = { task: area, model: beamModel(asked), sandbox: sandbox(), options };
    const whole = await repairTask({
      ...input,
      onSnapshot: snapshot => saved.push(structuredClone(snapshot)),
    });
    const later = await repairTask({ ...input, snapshot: saved.at(-3) });
    expect(asked.length).toBe(2);
    const told = ({ attempts }: TaskOutcome) =>
      attempts.map(({ completion, tokens }) => ({ completion, tokens }));
    expect(told(later)).toEqual(told(whole));
  });

  test('may be asked anew with what happened', async () => {
    const { asked, outcome } = await run({ beams: 4, beamPrompt: 'each' });
    expect(outcome.state).toBe('solved');
    expect(asked.map(({ messages, beams }) => [messages.length, beams])).toEqual([
      [2, 4],
      [4, 4],
    ]);
  });

  test('answers with its likeliest once none is left', async () => {
    const { outcome } = await run({ feedback: 'none', budget: 2 });
    expect(outcome.attempts.map(({ completion }) => completion)).toEqual([
      '@2\n-+\n+-',
      '@2\n-+\n+*',
      '@2\n-+\n++',
    ]);
  });

  test('is sampled with beams 0, and at a temperature', async () => {
    for (const changes of [{ beams: 0 }, { temperature: { ...options.temperature, base: 0.4 } }]) {
      const { asked, outcome } = await run({ ...changes, budget: 0 });
      expect(asked).toEqual([]);
      expect(outcome.attempts[0]).toMatchObject({ completion: 'sampled', verdict: { kind: 'no-code' } });
    }
  });

  test('is sampled for whole functions', async () => {
    expect((await run({ answer: 'whole', budget: 0 })).asked).toEqual([]);
  });
});

test('an edit that does not fit is told so in the syntax node', async () => {
  const completions = ['@9\n-a\n+b', '@2\n-+\n+*'];
  const model: TextModel = {
    name: 'edits',
    fingerprint: 'edits',
    answer: 'edit',
    generate: async () => ({
      text: completions.shift() ?? '',
      promptTokens: 1,
      completionTokens: 1,
      finish: 'stop',
    }),
    close: async () => {},
  };
  const { path, attempts } = await repairTask({ task: area, model, sandbox: sandbox(), options });
  expect(path).toEqual(['draft', 'examine', 'iterate', 'syntax', 'examine', 'execute', 'solved']);
  expect(attempts[0]).toMatchObject({
    candidate: null,
    verdict: { kind: 'edit-not-applicable', message: 'There is no line 9: the code has lines 1 to 2.' },
  });
  expect(attempts[1]?.prompt.at(-1)?.content).toBe(
    'That edit does not fit the code. There is no line 9: the code has lines 1 to 2.\n\nFix `area` with an edit of the code above.',
  );
});

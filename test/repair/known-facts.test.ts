import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextModel } from '../../lib/core/ports.ts';
import type { Task } from '../../lib/core/task.ts';
import { createScriptedModel } from '../../lib/model/scripted.ts';
import { repairTask } from '../../lib/repair/repair-task.ts';
import { area, options, sharedSandbox } from './small-tasks.ts';

const sandbox = sharedSandbox();
const warm = { ...options, candidates: 4, examples: true } as const;
const answer = (expression: string) =>
  `\`\`\`python\ndef area(width, height):\n    return ${expression}\n\`\`\``;

describe('samples of one prompt', () => {
  test('are drawn until one passes the docstring’s examples, and rejected ones are counted', async () => {
    const script = ['width - height', 'width +', 'width + height', '6', 'width * height'].map(answer);
    const outcome = await repairTask({
      task: area,
      model: createScriptedModel({ completions: script }),
      sandbox: sandbox(),
      options: warm,
    });
    expect(outcome.state).toBe('solved');
    expect(outcome.attempts.map(({ selection }) => selection)).toMatchObject([
      {
        origin: { kind: 'sample', rank: 4, of: 4 },
        left_out: 2,
        checks: [{ source: 'docstring', rejected: 1 }],
        agrees: true,
      },
      { origin: { kind: 'sample', rank: 1, of: 1 }, agrees: true },
    ]);
    expect(outcome.attempts[0]?.temperature).toBe(0.2);
    expect(outcome.attempts[1]?.prompt.at(-1)?.content).toContain('area(4, 5)');
  });

  test('if none passes all checks, the one that passes the most is taken, and the record says so', async () => {
    const docstring = '>>> area(2, 3)\n6\n>>> area(1, 1)\n1';
    const outcome = await repairTask({
      task: { ...area, docstring },
      model: createScriptedModel({ completions: ['0', '1', '2', '3'].map(answer) }),
      sandbox: sandbox(),
      options: { ...warm, maxIterations: 0 },
    });
    expect(outcome.attempts[0]?.completion).toBe(answer('1'));
    expect(outcome.attempts[0]?.selection?.agrees).toBe(false);
  });
});

test('no attempt contradicts the known assertions', async () => {
  // Each task is a line through points that the tests check in a random order; edits of its two numbers
  // repair it.
  const lines = fc.record({
    slope: fc.integer({ min: 0, max: 4 }),
    offset: fc.integer({ min: 0, max: 4 }),
    points: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 2, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(lines, async ({ slope, offset, points }) => {
      const f = (x: number) => slope * x + offset;
      const [shown = 0, ...hidden] = points;
      const task: Task = {
        ...area,
        entryPoint: 'f',
        declaration: 'def f(x):\n',
        docstring: `>>> f(${shown})\n${f(shown)}`,
        buggy: 'def f(x):\n    return 2 * x + 3\n',
        tests: hidden.map(x => `assert f(${x}) == ${f(x)}\n`).join(''),
      };
      const { attempts } = await repairTask({
        task,
        model: unasked,
        sandbox: sandbox(),
        options: { ...options, maxIterations: 2, search: { budget: 60, rank: true } },
      });
      const known = [`assert f(${shown}) == ${f(shown)}`];
      for (const { candidate, selection, verdict } of attempts) {
        expect(selection?.checks.map(({ code }) => code)).toEqual(known);
        if (selection?.agrees) {
          const tests = known.map(line => `${line}\n`).join('');
          const request = { language: task.language, candidate: candidate ?? '', tests, entryPoint: 'f' };
          expect((await sandbox().execute(request)).verdict.kind).toBe('passed');
        }
        if (verdict?.test && !known.includes(verdict.test.source)) known.push(verdict.test.source);
      }
    }),
    { numRuns: 6 },
  );
});

/** Trained on another language, so edits are enumerated and the model is not asked. */
const unasked: TextModel = {
  name: 'unasked',
  fingerprint: 'unasked',
  answer: 'edit',
  languages: [],
  generate: () => Promise.reject(new Error('not asked')),
  beams: () => Promise.reject(new Error('not asked')),
  close: async () => {},
};

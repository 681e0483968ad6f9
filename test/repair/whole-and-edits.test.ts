import { expect, test } from 'vitest';
import type { TextModel } from '../../lib/core/ports.ts';
import { createScriptedModel } from '../../lib/model/scripted.ts';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { repairTask } from '../../lib/repair/repair-task.ts';
import { area, options, sharedSandbox } from './small-tasks.ts';

const sandbox = sharedSandbox();

const whole = (sum: string) => `\`\`\`python\ndef area(width, height):\n    return ${sum}\n\`\`\``;

async function run(completions: readonly string[], model: Partial<TextModel> = {}) {
  return await repairTask({
    task: area,
    model: { ...createScriptedModel({ completions }), ...model },
    sandbox: sandbox(),
    options: { ...options, maxIterations: 1, search: { budget: 1000, rank: true, joins: true } },
  });
}

test('a function that passes the docstring’s examples is taken before the edits that do', async () => {
  const outcome = await run([whole('height * width')]);
  expect(outcome.state).toBe('solved');
  expect(outcome.attempts).toMatchObject([
    {
      temperature: 0,
      candidate: 'def area(width, height):\n    return height * width\n',
      selection: { origin: { kind: 'sample', rank: 1, of: 1 }, agrees: true, ranked: false },
    },
  ]);
});

test('an enumerated edit is taken if the function that the model writes fails the examples', async () => {
  const outcome = await run([whole('width - height')]);
  expect(outcome.state).toBe('solved');
  expect(outcome.attempts).toMatchObject([
    {
      temperature: null,
      candidate: 'def area(width, height):\n    return width * height\n',
      selection: { origin: { kind: 'edit' }, agrees: true },
    },
  ]);
  expect(outcome.attempts[0]?.tokens.completion).toBeGreaterThan(0);
});

test('the next prompt quotes the function that an edit gave', async () => {
  const tests = 'assert area(2, 3) == 6\nassert area(4, 5) == 0\n';
  const outcome = await repairTask({
    task: { ...area, tests },
    model: createScriptedModel({ completions: [whole('width - height'), whole('width - height')] }),
    sandbox: sandbox(),
    options: { ...options, maxIterations: 1, search: { budget: 1000, rank: true, joins: true } },
  });
  const [first, second] = outcome.attempts;
  expect(first?.selection?.origin.kind).toBe('edit');
  const quoted = second?.prompt.find(({ role }) => role === 'assistant')?.content;
  expect(quoted).toBe(`\`\`\`python\n${first?.candidate?.trim()}\n\`\`\``);
});

test('a model with likelihoods ranks its function and the edits together', async () => {
  const outcome = await run([whole('height * width')], {
    score: async ({ answers }) => ({
      logLikelihoods: answers.map(answer => (answer.includes('width * height') ? -1 : -2)),
      promptTokens: 1,
      completionTokens: 1,
      seconds: 0,
    }),
  });
  expect(outcome.attempts).toMatchObject([{ selection: { origin: { kind: 'edit' }, ranked: true } }]);
});

test.each([
  ['--agent search', { agent: 'search' }],
  ['--agent tools', { agent: 'tools' }],
  ['--agent one-shot', { agent: 'one-shot', prompt: 'humanevalfixtests' }],
  ['--candidates', { candidates: 3 }],
])('edits cannot join answers with %s', (other, given) => {
  expect(() => parseRunOptions({ ...given, withEdits: true })).toThrow(`--with-edits and ${other} cannot`);
});

import { expect, test } from 'vitest';
import { attemptSchema } from '../../lib/core/attempt.ts';
import type { GenerateRequest, TextModel } from '../../lib/core/ports.ts';
import { agentDefaults } from '../../lib/options/tables/agent-options.ts';
import { type RepairOptions, repairTask } from '../../lib/repair/repair-task.ts';
import { half, sharedSandbox } from './small-tasks.ts';

const { iters, temperature, schedule, temperatureStep } = agentDefaults.tools;
const options: RepairOptions = {
  agent: 'tools',
  maxIterations: iters,
  temperature: { schedule, base: temperature, step: temperatureStep, cap: 1 },
  topP: 1,
  topK: 0,
  maxNewTokens: 500,
  seed: 1,
  feedback: 'tests',
};

const sandbox = sharedSandbox();

/** A model that returns native calls, one per body. */
function callingModel(bodies: readonly string[]): { model: TextModel; requests: GenerateRequest[] } {
  const requests: GenerateRequest[] = [];
  const model: TextModel = {
    name: 'calling',
    fingerprint: 'calling',
    nativeTools: true,
    async generate(request) {
      const body = bodies[requests.length] ?? '';
      requests.push(request);
      const given = { code: `def half(n):\n    return ${body}\n`, explanation: 'So.' };
      const toolCalls = [{ name: 'run_code', arguments: JSON.stringify(given) }];
      return { text: '', toolCalls, promptTokens: 1, completionTokens: 1, finish: 'stop' };
    },
    close: async () => {},
  };
  return { model, requests };
}

test('a model with native tools gets the tool, and sees its calls and results as such', async () => {
  const { model, requests } = callingModel(['n - 2', 'n', 'n + 1', '1', '3', 'n // 2']);
  const outcome = await repairTask({ task: half, model, sandbox: sandbox(), options });
  expect(outcome.state).toBe('solved');
  expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['run_code']);
  expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(requests[1]?.messages[2]?.toolCalls?.[0]?.arguments).toContain('return n - 2');
  expect(requests[1]?.messages[3]?.content).toContain('assert half(5) == 2');
  expect(requests.map(request => request.temperature)).toEqual([0.7, 0.5, 0.5, 0.3, 0.3, 0.3]);
  expect(attemptSchema.array().parse(outcome.attempts)).toEqual(outcome.attempts);
});

test('at most ten calls by default', async () => {
  const { model, requests } = callingModel(Array.from({ length: 20 }, (_, index) => `${index} + 100`));
  expect((await repairTask({ task: half, model, sandbox: sandbox(), options })).state).toBe('unsolved');
  expect(requests).toHaveLength(10);
});

test('identical code gets a warning and is not run', async () => {
  const { model, requests } = callingModel(['n - 2', 'n - 2', 'n // 2']);
  const outcome = await repairTask({ task: half, model, sandbox: sandbox(), options });
  expect(outcome.path.filter(state => state === 'execute')).toHaveLength(2);
  expect(requests[2]?.messages.at(-1)?.content).toMatch(
    /^Warning: this code is identical to an earlier submission/,
  );
});

import { expect, test } from 'vitest';
import { createActor } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { reflectMachine } from '../../machines/reflect.ts';
import { type AgentSnapshot, inputOf, type OutcomeName, traversal } from './outcomes.ts';
import { runMachine } from './run-machine.ts';

test('the shortest paths to the final states', () => {
  const paths = getShortestPaths(reflectMachine, {
    ...traversal({ maxIterations: 1 }),
    stopWhen: undefined,
  } as never) as unknown as {
    state: AgentSnapshot;
    steps: { event: { name?: OutcomeName } }[];
  }[];
  const shortest = new Map<string, string[]>();
  for (const { state, steps } of paths) {
    if (state.status !== 'done') continue;
    const names = steps.flatMap(step => step.event.name ?? []);
    const known = shortest.get(String(state.value));
    if (!known || names.length < known.length) shortest.set(String(state.value), names);
  }
  expect(Object.fromEntries(shortest)).toMatchInlineSnapshot(`
    {
      "error": [
        "propose failed",
      ],
      "solved": [
        "propose: an answer",
        "examine: new",
        "execute: passed",
      ],
      "unsolved": [
        "propose: an answer",
        "examine: no code",
        "propose: an answer",
        "examine: no code",
      ],
    }
  `);
});

test('each attempt’s temperature follows the schedule', async () => {
  const { value, context } = await runMachine(reflectMachine, [
    'failed',
    'syntax',
    'failed',
    'failed',
    'failed',
    'failed',
  ]);
  expect(value).toBe('unsolved');
  expect(context.attempts.map(attempt => attempt.temperature)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 0.8]);
});

test('a machine that never ends fails with its path', async () => {
  const endless = reflectMachine.provide({ guards: { isOutOfIterations: () => false } });
  await expect(runMachine(endless, ['failed'])).rejects.toThrow(/does not end: draft failed -> reflect /);
});

test('a machine without actors ends with an explained error', async () => {
  const actor = createActor(reflectMachine, {
    input: inputOf({ maxIterations: 0 }),
  });
  await new Promise<void>(complete => {
    actor.subscribe({ complete });
    actor.start();
  });
  const { value, context } = actor.getSnapshot();
  expect(value).toBe('error');
  expect(context.cause).toEqual({
    code: 'UNEXPECTED',
    message: 'This machine was started without its actors; give them with machine.provide({ actors }).',
  });
});

import { expect, test } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { reflectMachine } from '../../machines/reflect.ts';
import { inputOf, ramp } from './outcomes.ts';

/** Checked by the compiler with the other files: a missing expected error is an error. */
test('wrong wiring does not compile', () => {
  const input = inputOf({ maxIterations: 3 });
  const wrong = [
    // @ts-expect-error the machine needs an input
    () => createActor(reflectMachine),
    // @ts-expect-error the number of iterations is a number
    () => createActor(reflectMachine, { input: { ...input, maxIterations: '3' } }),
    // @ts-expect-error there is no such schedule
    () => createActor(reflectMachine, { input: { ...input, temperature: { ...ramp, schedule: 'random' } } }),
    // @ts-expect-error there is no such feedback
    () => createActor(reflectMachine, { input: { ...input, feedback: 'hints' } }),
    // @ts-expect-error there is no actor of this name
    () => reflectMachine.provide({ actors: { judge: fromPromise(async () => null) } }),
    // @ts-expect-error an execution gives a verdict
    () => reflectMachine.provide({ actors: { execute: fromPromise(async () => ({ passed: true })) } }),
    // @ts-expect-error there is no guard of this name
    () => reflectMachine.provide({ guards: { isLucky: () => true } }),
    // @ts-expect-error there is no action of this name
    () => reflectMachine.provide({ actions: { celebrate: () => undefined } }),
    // @ts-expect-error there is no state of this name
    () => createActor(reflectMachine, { input }).getSnapshot().matches('giveUp'),
  ];
  expect(wrong).toHaveLength(9);
});

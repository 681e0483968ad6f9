import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import type { Feedback } from '../../lib/core/choices.ts';
import { machines } from '../../lib/repair/machines.ts';
import {
  type AgentMachine,
  type AgentSnapshot,
  type OutcomeName,
  outcomeNames,
  possibleOutcomes,
  type Start,
  situation,
  start,
  stepped,
  transitionTable,
  traversal,
} from './outcomes.ts';
import { runMachine } from './run-machine.ts';

/**
 * All agents with a model have the same input and context, which the compiler cannot infer from their states'
 * names.
 */
const agents = Object.entries(machines).filter(([name]) => name !== 'search') as unknown as [
  string,
  AgentMachine,
][];
const feedbacks = ['tests', 'examples', 'none'] as const satisfies Feedback[];

test('`reflect.ts` spells out the states that the other agents share', () => {
  const plain = (machine: { config: { states?: object | undefined } }, name: string) => {
    const { description: _, ...state } = Object(Object(machine.config.states)[name]);
    return JSON.stringify(state);
  };
  for (const name of ['draft', 'examine', 'execute', 'reflect', 'score', 'solved', 'unsolved', 'error']) {
    expect(plain(machines.reflect, name)).toBe(plain(machines.tools, name));
  }
});

describe.each(agents)('%s', (name, machine) => {
  test.each(feedbacks)('the transition table with feedback %s and one iteration', feedback => {
    expect(transitionTable(machine, { maxIterations: 1, feedback })).toMatchSnapshot();
  });

  test('ignores results of actors that are not running', () => {
    for (const { state } of Object.values(
      getAdjacencyMap(machine, traversal({ maxIterations: 1 }) as never) as unknown as Record<
        string,
        { state: AgentSnapshot }
      >,
    )) {
      const impossible = outcomeNames.filter(
        outcome => !possibleOutcomes(state).includes(outcome) && !/ failed$/.test(outcome),
      );
      for (const outcome of impossible)
        expect(situation(stepped(machine, state, outcome))).toBe(situation(state));
    }
  });

  const walks = fc.record({
    maxIterations: fc.integer({ min: 0, max: 6 }),
    feedback: fc.constantFrom(...feedbacks),
    choices: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
  });

  /** Four steps per attempt and one for the score, so this many end any walk. */
  const longest = (maxIterations: number) => 4 * (maxIterations + 1) + 1;

  function walk({ maxIterations, feedback }: Start, choices: readonly number[]): AgentSnapshot[] {
    const first = start(machine, { maxIterations, feedback: feedback ?? 'tests' });
    const snapshots = [first];
    for (let snapshot = first; snapshot.status === 'active'; ) {
      const possible = possibleOutcomes(snapshot);
      const choice = (choices[snapshots.length % choices.length] ?? 0) % possible.length;
      snapshot = stepped(machine, snapshot, possible[choice] as OutcomeName);
      snapshots.push(snapshot);
      if (snapshots.length > longest(maxIterations) + 1) throw new Error('loops for ever');
    }
    return snapshots;
  }

  test('respects the iteration limit, ends, and consults the hidden tests as specified', () => {
    fc.assert(
      fc.property(walks, ({ maxIterations, feedback, choices }) => {
        const snapshots = walk({ maxIterations, feedback }, choices);
        const { context, value, status } = snapshots.at(-1) as AgentSnapshot;
        const { attempts, score } = context;
        expect(status).toBe('done');
        expect(Math.max(...snapshots.map(snapshot => snapshot.context.iteration))).toBeLessThanOrEqual(
          name === 'one-shot' ? 0 : maxIterations,
        );
        expect(attempts.map(attempt => attempt.iteration)).toEqual(attempts.map((_, index) => index));
        const passed = attempts.map(attempt => attempt.verdict?.kind === 'passed');
        const stopped = passed.indexOf(true);
        if (stopped !== -1) expect(stopped).toBe(attempts.length - 1);
        if (feedback === 'tests') {
          expect(score).toBeNull();
          expect(stopped !== -1).toBe(value === 'solved');
          expect(context.path).not.toContain('score');
        } else {
          expect(value === 'solved').toBe(score?.verdict.kind === 'passed');
          expect(context.path.filter(state => state === 'score').length).toBeLessThanOrEqual(1);
        }
        if (feedback === 'none') {
          expect(context.path).not.toContain('execute');
        }
        expect(context.cause !== null).toBe(value === 'error');
        expect(context.path.at(-1)).toBe(value);
      }),
      { numRuns: 300 },
    );
  });

  test('resumes from a stored snapshot as if uninterrupted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('passed', 'failed', 'syntax'), { minLength: 4 }),
        async kinds => {
          const stored: string[] = [];
          const undisturbed = await runMachine(machine, kinds, {
            onSnapshot: snapshot => stored.push(snapshot),
          });
          for (const snapshot of stored) {
            expect(await runMachine(machine, kinds, { from: snapshot })).toEqual(undisturbed);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test('a thrown value that is not an object still has a cause', () => {
    const event = { type: 'xstate.error.actor.generate', error: 'out of order' };
    const [{ context }] = transition(machine, start(machine, { maxIterations: 1 }), event);
    expect(context.cause).toEqual({ code: 'UNEXPECTED', message: 'out of order' });
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMachine, transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import type { Feedback } from '../../lib/core/choices.ts';
import { machines } from '../../lib/repair/all-machines.ts';
import { formatMachine, machineGraph } from '../../lib/repair/machine-formats.ts';
import { suspectMachine } from '../../machines/suspect.ts';
import {
  type AgentMachine,
  type AgentSnapshot,
  type OutcomeName,
  outcomeNames,
  possibleOutcomes,
  type SettingsName,
  type Start,
  settings,
  situation,
  start,
  stepped,
  transitionTable,
  traversal,
} from './outcomes.ts';
import { runMachine } from './run-machine.ts';

/** All agents have the same input and context, which the compiler cannot infer from their states' names. */
const agents = Object.entries(machines) as unknown as [keyof typeof machines, AgentMachine][];
const feedbacks = ['tests', 'examples', 'none'] as const satisfies Feedback[];

/** The ways in which an agent may find candidates. */
function waysOf(name: keyof typeof machines): SettingsName[] {
  if (name === 'search') return ['ranked edits', 'unranked edits', 'likeliest answers, nothing run'];
  if (name === 'tools') return ['one answer', 'samples'];
  return Object.keys(settings).filter(way => !way.endsWith('ranked edits')) as SettingsName[];
}

const walks = fc.record({
  maxIterations: fc.integer({ min: 0, max: 6 }),
  feedback: fc.constantFrom(...feedbacks),
  choices: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
});

/** Ends any walk: 15 steps for each prompt, and the score. */
const longest = (maxIterations: number) => 15 * (maxIterations + 1) + 1;

function walk(machine: AgentMachine, given: Start, choices: readonly number[]): AgentSnapshot[] {
  const first = start(machine, given);
  const snapshots = [first];
  for (let snapshot = first; snapshot.status === 'active'; ) {
    const possible = possibleOutcomes(snapshot);
    const choice = (choices[snapshots.length % choices.length] ?? 0) % possible.length;
    snapshot = stepped(machine, snapshot, possible[choice] as OutcomeName);
    snapshots.push(snapshot);
    if (snapshots.length > longest(given.maxIterations) + 1) throw new Error('loops for ever');
  }
  return snapshots;
}

describe.each(agents)('%s', (name, machine) => {
  const ways = waysOf(name);
  const [usual = 'one answer'] = ways;

  test.each(feedbacks)('the transition table with feedback %s and one iteration', feedback => {
    expect(transitionTable(machine, { maxIterations: 1, feedback, search: usual })).toMatchSnapshot();
  });

  test('ignores results of actors that are not running', () => {
    for (const { state } of Object.values(
      getAdjacencyMap(machine, traversal({ maxIterations: 1, search: usual }) as never) as unknown as Record<
        string,
        { state: AgentSnapshot }
      >,
    )) {
      const own = possibleOutcomes(state)[0]?.split(/[: ]/)[0];
      const impossible = outcomeNames.filter(
        outcome => outcome.split(/[: ]/)[0] !== own && !/ failed$/.test(outcome),
      );
      for (const outcome of impossible)
        expect(situation(stepped(machine, state, outcome))).toBe(situation(state));
    }
  });

  test.each(ways)('%s: respects the limits, ends, and consults the hidden tests as specified', search => {
    fc.assert(
      fc.property(walks, ({ maxIterations, feedback, choices }) => {
        const snapshots = walk(machine, { maxIterations, feedback, search }, choices);
        const { context, value, status } = snapshots.at(-1) as AgentSnapshot;
        const { attempts, score, pool } = context;
        const visited = snapshots.map(snapshot => snapshot.value);
        expect(status).toBe('done');
        expect(Math.max(...snapshots.map(snapshot => snapshot.context.iteration))).toBeLessThanOrEqual(
          name === 'one-shot' || name === 'search' ? 0 : maxIterations,
        );
        if (name !== 'search')
          expect(attempts.map(attempt => attempt.iteration)).toEqual(attempts.map((_, index) => index));
        const passed = attempts.map(attempt => attempt.verdict?.kind === 'passed');
        const stopped = passed.indexOf(true);
        if (stopped !== -1) expect(stopped).toBe(attempts.length - 1);
        if (feedback === 'tests') {
          expect(score).toBeNull();
          expect(stopped !== -1).toBe(value === 'solved');
          expect(visited).not.toContain('score');
        } else {
          expect(value === 'solved').toBe(score?.verdict.kind === 'passed');
          expect(visited.filter(state => state === 'score').length).toBeLessThanOrEqual(1);
        }
        if (feedback === 'none') expect(visited).not.toContain('execute');
        const { answers, edits } = settings[search];
        if (edits === null) expect(visited).not.toContain('enumerate');
        if (answers.kind !== 'samples')
          expect(pool.candidates.length).toBeLessThanOrEqual(edits?.budget ?? 0);
        expect(new Set(pool.taken).size).toBe(pool.taken.length);
        expect(context.cause !== null).toBe(value === 'error');
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });

  test('a walk that is stored and resumed at any step ends in the same way', () => {
    fc.assert(
      fc.property(walks, fc.constantFrom(...ways), ({ maxIterations, feedback, choices }, search) => {
        const snapshots = walk(machine, { maxIterations, feedback, search }, choices);
        for (const [step, snapshot] of snapshots.slice(0, -1).entries()) {
          const stored = JSON.parse(JSON.stringify(machine.getPersistedSnapshot(snapshot)));
          const restored = machine.resolveState({ value: stored.value, context: stored.context });
          const possible = possibleOutcomes(restored);
          const choice = (choices[(step + 1) % choices.length] ?? 0) % possible.length;
          const next = stepped(machine, restored, possible[choice] as OutcomeName);
          expect(next.context).toEqual(snapshots[step + 1]?.context);
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  test('resumes from a stored snapshot as if uninterrupted', async () => {
    if (name === 'search') return;
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
      { numRuns: 20, endOnFailure: true },
    );
  });

  test('a thrown value that is not an object still has a cause', () => {
    const first = start(machine, { maxIterations: 1, search: usual });
    const actor = possibleOutcomes(first)[0]?.split(/[: ]/)[0];
    const event = { type: `xstate.error.actor.${actor}`, error: 'out of order' };
    const [{ context }] = transition(machine, first, event);
    expect(context.cause).toEqual({ code: 'UNEXPECTED', message: 'out of order' });
  });

  test('is what Stately’s editor is given', () => {
    const pasted = createMachine(JSON.parse(formatMachine(machine, 'json')));
    expect(machineGraph(pasted)).toEqual(machineGraph(machine));
  });
});

test('every guard is met and not met', () => {
  const seen = new Map<string, Set<boolean>>();
  const suspect = ['suspect', suspectMachine as unknown as AgentMachine] as const;
  for (const [name, machine] of [...agents, suspect]) {
    const guards = Object.entries(machine.implementations.guards ?? {}).map(([guard, decide]) => {
      const counted = (...given: unknown[]): boolean => {
        const isMet = (decide as unknown as (...all: unknown[]) => boolean)(...given);
        seen.set(guard, (seen.get(guard) ?? new Set()).add(isMet));
        return isMet;
      };
      return [guard, counted];
    });
    const watched = machine.provide({ guards: Object.fromEntries(guards) });
    const ways: SettingsName[] = name === 'suspect' ? ['likeliest answers'] : waysOf(name);
    for (const search of ways) {
      const each = ({
        maxIterations,
        feedback,
        choices,
      }: {
        maxIterations: number;
        feedback: Feedback;
        choices: number[];
      }) => void walk(watched as AgentMachine, { maxIterations, feedback, search }, choices);
      fc.assert(fc.property(walks, each), { seed: 1, numRuns: 100, endOnFailure: true });
      // An answer without code, again and again.
      each({ maxIterations: 6, feedback: 'tests', choices: [1, 0] });
    }
  }
  const oneWay = [...seen].filter(([, ways]) => ways.size < 2).map(([guard]) => guard);
  expect(oneWay).toEqual([]);
  expect(seen.size).toBe(Object.keys(machines.reflect.implementations.guards ?? {}).length);
});

test('the likeliest answers of a prompt, from asking to the candidate', () => {
  expect(
    transitionTable(machines.reflect as unknown as AgentMachine, {
      maxIterations: 0,
      search: 'likeliest answers',
    }),
  ).toMatchSnapshot();
});

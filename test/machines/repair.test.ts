import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor, fromPromise, transition } from 'xstate';
import { getAdjacencyMap, getShortestPaths } from 'xstate/graph';
import type { VerdictKind } from '../../lib/verdict.ts';
import type {
  Examination,
  ExamineInput,
  ExecuteInput,
  GenerateInput,
  Judgement,
  Proposal,
} from '../../machines/actors.ts';
import { repairMachine } from '../../machines/repair.ts';
import {
  after,
  type OutcomeName,
  outcomeNames,
  outcomes,
  possibleOutcomes,
  type RepairSnapshot,
  ramp,
  start,
  task,
} from './outcomes.ts';

/** What tells two snapshots apart for the machine's further way. */
function situation({ value, context: { iteration, budget, examination } }: RepairSnapshot): string {
  return `${value} ${iteration}/${budget}${examination?.repeated ? ' (the buggy function)' : ''}`;
}

const traversal = {
  input: { task, budget: 1, temperature: ramp },
  events: (snapshot: RepairSnapshot) =>
    possibleOutcomes(snapshot).map(name => ({ ...outcomes[name](snapshot), name })),
  serializeState: (snapshot: RepairSnapshot) => situation(snapshot),
  serializeEvent: (event: { name?: string }) => event.name ?? '',
};

describe('the transition table', () => {
  const table = getAdjacencyMap(repairMachine, traversal as never) as unknown as Record<
    string,
    { state: RepairSnapshot; transitions: Record<string, { state: RepairSnapshot }> }
  >;

  test('is this, for a budget of one iteration', () => {
    const rows = Object.entries(table).flatMap(([from, { transitions }]) =>
      Object.entries(transitions)
        .map(([name, { state }]) => [name, situation(state)] as const)
        .filter(([, to]) => to !== from)
        .map(([name, to]) => `${from}  --  ${name}  ->  ${to}`),
    );
    expect(`${rows.join('\n')}\n`).toMatchSnapshot();
  });

  test('has no answer to results of actors that are not running', () => {
    for (const { state } of Object.values(table)) {
      const impossible = outcomeNames.filter(
        name => !possibleOutcomes(state).includes(name) && !/ failed$/.test(name),
      );
      for (const name of impossible) expect(situation(after(state, name))).toBe(situation(state));
    }
  });
});

test('the shortest ways to the final states are these', () => {
  const paths = getShortestPaths(repairMachine, {
    ...traversal,
    stopWhen: undefined,
  } as never) as unknown as {
    state: RepairSnapshot;
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
      "broken": [
        "generate failed",
      ],
      "exhausted": [
        "generate done",
        "examine: no code",
        "generate done",
        "examine: no code",
      ],
      "solved": [
        "generate done",
        "examine: new",
        "execute: passed",
      ],
    }
  `);
});

describe('whatever the actors come to', () => {
  const walks = fc.record({
    budget: fc.integer({ min: 0, max: 6 }),
    choices: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  });

  /** Three steps an attempt, so this many bring any walk to its end. */
  const longest = (budget: number) => 3 * (budget + 1);

  function walk(budget: number, choices: readonly number[]): RepairSnapshot[] {
    const snapshots = [start(budget)];
    for (let snapshot = start(budget); snapshot.status === 'active'; ) {
      const possible = possibleOutcomes(snapshot);
      const choice = (choices[snapshots.length % choices.length] ?? 0) % possible.length;
      snapshot = after(snapshot, possible[choice] as OutcomeName);
      snapshots.push(snapshot);
      if (snapshots.length > longest(budget) + 1) throw new Error('loops for ever');
    }
    return snapshots;
  }

  test('the budget holds, the machine ends, and every attempt has a verdict', () => {
    fc.assert(
      fc.property(walks, ({ budget, choices }) => {
        const snapshots = walk(budget, choices);
        const { context, value, status } = snapshots.at(-1) as RepairSnapshot;
        expect(status).toBe('done');
        expect(Math.max(...snapshots.map(snapshot => snapshot.context.iteration))).toBeLessThanOrEqual(
          budget,
        );
        expect(context.attempts.map(attempt => attempt.iteration)).toEqual(
          context.attempts.map((_, index) => index),
        );
        expect(context.attempts.length).toBeLessThanOrEqual(budget + 1);
        const passed = context.attempts.map(attempt => attempt.verdict.kind === 'passed');
        expect(passed.indexOf(true)).toBe(value === 'solved' ? context.attempts.length - 1 : -1);
        if (value === 'exhausted') expect(context.attempts).toHaveLength(budget + 1);
        expect(context.cause !== null).toBe(value === 'broken');
        expect(context.path.at(-1)).toBe(value);
      }),
      { numRuns: 300 },
    );
  });

  test('a snapshot that was stored goes on as if it had not been', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('passed', 'failed', 'syntax'), { minLength: 4 }),
        async kinds => {
          const stored: string[] = [];
          const undisturbed = await run(kinds, { onSnapshot: snapshot => stored.push(snapshot) });
          for (const snapshot of stored) {
            expect(await run(kinds, { from: snapshot })).toEqual(undisturbed);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

interface RunOptions {
  readonly from?: string;
  readonly onSnapshot?: (snapshot: string) => void;
}

/** Runs the machine to its end; the attempt of each iteration gets the verdict of its place in the list. */
async function run(
  kinds: readonly string[],
  { from, onSnapshot }: RunOptions = {},
): Promise<RepairSnapshot['context']> {
  const verdictOf = (iteration: string) => ({ kind: kinds[Number(iteration)] as VerdictKind, message: '' });
  const machine = repairMachine.provide({
    actors: {
      generate: fromPromise<Proposal, GenerateInput>(async ({ input: { iteration, node, temperature } }) => {
        const tokens = { prompt: 0, completion: 0 };
        return { iteration, node, temperature, prompt: [], completion: `${iteration}`, tokens, seconds: 0 };
      }),
      examine: fromPromise<Examination, ExamineInput>(async ({ input: { completion: candidate } }) => {
        const verdict = verdictOf(candidate);
        return { candidate, verdict: verdict.kind === 'syntax' ? verdict : null, repeated: false };
      }),
      execute: fromPromise<Judgement, ExecuteInput>(async ({ input: { candidate } }) => ({
        verdict: verdictOf(candidate),
        seconds: 0,
      })),
    },
  });
  const actor = createActor(machine, {
    input: { task, budget: kinds.length - 1, temperature: ramp },
    ...(from === undefined ? {} : { snapshot: JSON.parse(from) }),
  });
  await new Promise<void>((complete, error) => {
    actor.subscribe({
      next: () => onSnapshot?.(JSON.stringify(actor.getPersistedSnapshot())),
      complete,
      error,
    });
    actor.start();
  });
  return actor.getSnapshot().context;
}

test('the temperature of each attempt follows the schedule', async () => {
  const { path, attempts } = await run(['failed', 'syntax', 'failed', 'failed', 'failed', 'failed']);
  expect(path.at(-1)).toBe('exhausted');
  expect(attempts.map(attempt => attempt.temperature)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 0.8]);
});

test('a machine without actors breaks and says so', async () => {
  const actor = createActor(repairMachine, { input: { task, budget: 0, temperature: ramp } });
  await new Promise<void>(complete => {
    actor.subscribe({ complete });
    actor.start();
  });
  const { value, context } = actor.getSnapshot();
  expect(value).toBe('broken');
  expect(context.cause).toEqual({
    code: 'UNEXPECTED',
    message: 'This machine was started without its actors; give them with machine.provide({ actors }).',
  });
});

test('an error that is no object still has a cause', () => {
  const event = { type: 'xstate.error.actor.generate', error: 'out of order' };
  const [{ context }] = transition(repairMachine, start(1), event);
  expect(context.cause).toEqual({ code: 'UNEXPECTED', message: 'out of order' });
});

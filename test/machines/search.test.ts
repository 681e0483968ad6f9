import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AnyEventObject, initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import type { Feedback } from '../../lib/core/choices.ts';
import type { VerdictKind } from '../../lib/core/verdict.ts';
import { searchMachine } from '../../machines/search.ts';
import { ramp, tableText, task } from './outcomes.ts';

type SearchSnapshot = SnapshotFrom<typeof searchMachine>;

const budget = 3;
const tokens = { prompt: 5, completion: 9 };

/** Possible results of the actors; the names start with the state that waits for them. */
const outcomes = {
  'enumerate: two': () => done('enumerate', { edits: ['@2\n-x\n+y', '@2\n-1\n+2'], seconds: 1 }),
  'enumerate: none': () => done('enumerate', { edits: [], seconds: 1 }),
  'enumerate failed': () => failed('enumerate'),
  'rank: the other way round': ({ context }: SearchSnapshot) =>
    done('rank', {
      edits: context.progress?.edits.toReversed(),
      prompt: [{ role: 'user', content: 'Fix f.' }],
      tokens,
      seconds: 2,
    }),
  'rank failed': () => failed('rank'),
  'prescreen: the first survives': () =>
    done('prescreen', { assertionsPassed: [2], survived: true, seconds: 1 }),
  'prescreen: none survives': ({ context }: SearchSnapshot) => {
    const left = (context.progress?.edits.length ?? 0) - (context.progress?.tried ?? 0);
    return done('prescreen', {
      assertionsPassed: Array.from({ length: left }, (_, place) => place),
      survived: false,
      seconds: 1,
    });
  },
  'prescreen failed': () => failed('prescreen'),
  'combinePairs: a pair': () => done('combinePairs', { edits: ['@1\n-x\n+y\n@2\n-1\n+2'], seconds: 1 }),
  'combinePairs: none': () => done('combinePairs', { edits: [], seconds: 1 }),
  'examine: new': () => done('examine', examination(null)),
  'examine: does not parse': () => done('examine', examination('syntax')),
  'execute: passed': () => done('execute', judgement('passed')),
  'execute: failed': () => done('execute', judgement('failed')),
  'score: passed': () => done('score', judgement('passed')),
  'score: failed': () => done('score', judgement('failed')),
  'score failed': () => failed('score'),
} satisfies Record<string, (snapshot: SearchSnapshot) => AnyEventObject>;
type Name = keyof typeof outcomes;

describe.each(['tests', 'examples', 'none'] as const)('with feedback %s', feedback => {
  test('the transition table', () => {
    expect(table(feedback)).toMatchSnapshot();
  });

  test('every path ends, respects the budget, and submits an allowed candidate', () => {
    const choices = fc.array(fc.nat(), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(choices, picks => {
        let snapshot = start(feedback);
        for (const pick of picks) {
          const names = possible(snapshot);
          const name = names[pick % Math.max(names.length, 1)];
          if (name) snapshot = stepped(snapshot, name);
        }
        const { context, value, status } = snapshot;
        expect(status).toBe('done');
        expect(context.path.at(-1)).toBe(value);
        expect(context.progress?.tried).toBeLessThanOrEqual(budget);
        expect(new Set(context.progress?.proposed).size).toBe(context.progress?.proposed.length);
        if (feedback === 'none') expect(context.path).not.toContain('prescreen');
        if (feedback === 'tests') expect(context.path).not.toContain('score');
        else expect(value === 'solved').toBe(context.score?.verdict.kind === 'passed');
        expect(context.cause !== null).toBe(value === 'error');
      }),
    );
  });
});

test('the first submitted candidate records the prompt and all costs', () => {
  const names = [
    'enumerate: two',
    'rank: the other way round',
    'prescreen: the first survives',
    'examine: new',
    'execute: passed',
    'score: passed',
  ] as const;
  const { context, value } = names.reduce<SearchSnapshot>(stepped, start('examples'));
  expect(value).toBe('solved');
  expect(context.attempts).toMatchObject([
    {
      node: 'search',
      iteration: 0,
      completion: '@2\n-1\n+2',
      tokens,
      seconds: { proposal: 3, execution: 1.5 },
    },
  ]);
});

test('when searching on the hidden tests, the iteration counts earlier candidates', () => {
  const names = [
    'enumerate: two',
    'rank: the other way round',
    'prescreen: the first survives',
    'examine: new',
    'execute: failed',
    'prescreen: the first survives',
    'examine: new',
    'execute: passed',
  ] as const;
  const { context, value } = names.reduce<SearchSnapshot>(stepped, start('tests'));
  expect(value).toBe('solved');
  expect(context.attempts.map(({ iteration, completion }) => [iteration, completion])).toEqual([
    [0, '@2\n-1\n+2'],
    [1, '@2\n-x\n+y'],
  ]);
});

test('if no candidate survives, submits the one that passes the most assertions', () => {
  const names = [
    'enumerate: two',
    'rank: the other way round',
    'prescreen: none survives',
    'combinePairs: none',
    'examine: new',
    'execute: failed',
    'score: failed',
  ] as const;
  const { context, value } = names.reduce<SearchSnapshot>(stepped, start('examples'));
  expect(value).toBe('unsolved');
  expect(context.attempts.map(({ completion }) => completion)).toEqual(['@2\n-x\n+y']);
});

test('without a ranking, keeps the order of enumeration', () => {
  const [begun] = initialTransition(searchMachine, {
    ...input('examples'),
    search: { budget, rank: false },
  });
  const snapshot = stepped(begun, 'enumerate: two');
  expect(snapshot.value).toBe('prescreen');
  expect(snapshot.context.progress?.ranked).toBe(false);
});

function input(feedback: Feedback) {
  return { task, maxIterations: 0, temperature: ramp, feedback, search: { budget, rank: true } };
}

function start(feedback: Feedback): SearchSnapshot {
  return initialTransition(searchMachine, input(feedback))[0];
}

function stepped(snapshot: SearchSnapshot, name: Name): SearchSnapshot {
  return transition(searchMachine, snapshot, outcomes[name](snapshot))[0];
}

function possible({ value, status }: SearchSnapshot): Name[] {
  if (status !== 'active') return [];
  return (Object.keys(outcomes) as Name[]).filter(name => name.split(/[: ]/)[0] === value);
}

function situation({ value, context: { progress, attempts } }: SearchSnapshot): string {
  const runnable = attempts.some(({ verdict }) => verdict?.kind !== 'syntax');
  const proposed = (progress?.proposed ?? []).join('+');
  return `${value} tried ${progress?.tried} of ${progress?.edits.length}, proposed ${proposed === '' ? 'none' : proposed}${progress?.pairsCombined ? ', pairsCombined' : ''}${progress?.isLast ? ', last' : ''}${runnable ? ', has a candidate' : ''}`;
}

function table(feedback: Feedback): string {
  const map = getAdjacencyMap(searchMachine, {
    input: input(feedback),
    events: (snapshot: SearchSnapshot) =>
      possible(snapshot).map(name => ({ ...outcomes[name](snapshot), name })),
    serializeState: (snapshot: SearchSnapshot) => situation(snapshot),
    serializeEvent: (event: { name?: string }) => event.name ?? '',
  } as never) as unknown as Record<string, { transitions: Record<string, { state: SearchSnapshot }> }>;
  return tableText(map, situation);
}

function examination(kind: VerdictKind | null) {
  const verdict = kind && { kind, message: kind };
  return { candidate: 'def f(x):\n    return 2 * x\n', verdict, repeated: false, unchanged: false };
}

function judgement(kind: VerdictKind) {
  return { verdict: { kind, message: kind }, seconds: 0.5 };
}

function done(actor: string, output: unknown): AnyEventObject {
  return { type: `xstate.done.actor.${actor}`, output };
}

function failed(actor: string): AnyEventObject {
  return { type: `xstate.error.actor.${actor}`, error: Object.assign(new Error('broke'), { code: 'DOWN' }) };
}

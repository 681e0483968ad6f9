import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyEventObject, createMachine, initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import { formatMachine } from '../../lib/repair/machine-formats.ts';
import { machineGraph } from '../../lib/repair/machine-graph.ts';
import { projectMachine } from '../../machines/project.ts';
import type { Found, SearchResult, Suspect } from '../../machines/project-actors.ts';
import type { ProjectContext } from '../../machines/project-setup.ts';
import { tableText } from './outcomes.ts';

type Snapshot = SnapshotFrom<typeof projectMachine>;

const passed = (id: string) => ({ id, outcome: 'passed' }) as const;
const failed = (id: string) => ({ id, outcome: 'failed' }) as const;
const both = { tests: [failed('a'), failed('b')], fault: null };
const one = { tests: [passed('a'), failed('b')], fault: null };
const none = { tests: [passed('a'), passed('b')], fault: null };

const suspects: readonly Suspect[] = ['f', 'g'].map(name => ({
  ...{ file: 'a.py', function: name, line: 1, suspicion: 1, lines: [[2, 1]] },
}));

const result = ({ context }: Snapshot, changed: Partial<SearchResult> = {}): SearchResult => ({
  ...{ found: null, progress: null, isWritten: false, best: null, isTimeUp: false },
  tried: context.tried + 1,
  ...changed,
});

function found({ context }: Snapshot, tests = 1): Found {
  const name = context.suspects[context.place]?.function ?? '';
  return {
    change: { path: `${name}.py`, content: '' },
    repair: { file: `${name}.py`, function: name, line: 1, origin: 'edit' },
    passed: tests,
  };
}

/** Possible results of the actors; the names start with the state that waits for them. */
const outcomes = {
  'copy: done': () => done('copy', { root: '/p', runner: 'pytest', isolation: 'ulimit', notes: [] }),
  'copy failed': () => broken('copy'),
  'test: two fail': () => done('test', both),
  'test: none fails': () => done('test', none),
  'test failed': () => broken('test'),
  'repeat: all count': ({ context }) => done('repeat', baseline(context.first?.tests ?? [])),
  'repeat: the failing are flaky': ({ context }) =>
    done('repeat', { ...baseline((context.first?.tests ?? []).filter(isPassed)), flaky: ['a', 'b'] }),
  'repeat: one is flaky': ({ context }) =>
    done('repeat', {
      ...baseline((context.first?.tests ?? []).filter(({ id }) => id !== 'b')),
      flaky: ['b'],
    }),
  'repeat failed': () => broken('repeat'),
  'locate: two': () => done('locate', suspects),
  'locate: none': () => done('locate', []),
  'locate failed': () => broken('locate'),
  'search: found': snapshot => done('search', result(snapshot, { found: found(snapshot, 2) })),
  'search: written': snapshot => done('search', result(snapshot, { isWritten: true })),
  'search: nothing': snapshot => done('search', result(snapshot)),
  'search: progress': snapshot => done('search', result(snapshot, { progress: found(snapshot) })),
  'search: time up': snapshot => done('search', result(snapshot, { isTimeUp: true })),
  'search failed': () => broken('search'),
  'rewrite: found': snapshot => done('rewrite', result(snapshot, { found: found(snapshot, 2) })),
  'rewrite: nothing': snapshot => done('rewrite', result(snapshot)),
  'rewrite: time up': snapshot => done('rewrite', result(snapshot, { isTimeUp: true })),
  'rewrite failed': () => broken('rewrite'),
  'confirm: one left': () => done('confirm', { report: one }),
  'confirm: all pass': () => done('confirm', { report: none }),
  'confirm: not better': () => done('confirm', { report: null }),
  'confirm failed': () => broken('confirm'),
  'judge: proven': () => done('judge', { judge: 'proven' }),
  'judge failed': () => broken('judge'),
} satisfies Record<string, (snapshot: Snapshot) => AnyEventObject>;
type Name = keyof typeof outcomes;

function baseline(tests: ProjectContext['tests']) {
  return { tests, flaky: [], notes: [], isOffline: false };
}

function isPassed({ outcome }: ProjectContext['tests'][number]): boolean {
  return outcome === 'passed';
}

function done(actor: string, output: unknown): AnyEventObject {
  return { type: `xstate.done.actor.${actor}`, output };
}

function broken(actor: string): AnyEventObject {
  const error = Object.assign(new Error(`${actor} failed`), { code: 'BROKEN' });
  return { type: `xstate.error.actor.${actor}`, error };
}

const whole = { suspectsOnly: false, iterations: 3 };

function start(input = whole): Snapshot {
  return initialTransition(projectMachine, input)[0];
}

function stepped(snapshot: Snapshot, name: Name): Snapshot {
  return transition(projectMachine, snapshot, outcomes[name](snapshot))[0];
}

function after(names: readonly Name[], input = whole): Snapshot {
  return names.reduce(stepped, start(input));
}

function possible({ value, status }: Snapshot): Name[] {
  const names = Object.keys(outcomes) as Name[];
  return status === 'active' ? names.filter(name => name.startsWith(String(value))) : [];
}

/** What distinguishes two snapshots for the rest of the path. */
function situation({ value, context }: Snapshot): string {
  const { effort, place, progress, repairs, tests, baseline: known, first } = context;
  const failing = tests.filter(test => !isPassed(test)).length;
  const notes = [
    ...(value === 'search' || value === 'rewrite' ? [`${effort} ${place}`] : []),
    ...(progress.some(each => each !== null) ? ['progress'] : []),
    ...(known && known.flaky.length > 0 ? ['flaky'] : []),
    ...(repairs.length > 0 ? [`${repairs.length} repaired`] : []),
    ...(known
      ? [`${failing} fail`]
      : first
        ? [`${first.tests.filter(test => !isPassed(test)).length} fail`]
        : []),
  ];
  return `${value} (${notes.join(', ')})`;
}

test('the transition table, up to the first repair', () => {
  const map = getAdjacencyMap(projectMachine, {
    input: whole,
    events: (snapshot: Snapshot) =>
      snapshot.context.repairs.length > 0 && snapshot.value !== 'judge'
        ? []
        : possible(snapshot).map(name => ({ ...outcomes[name](snapshot), name })),
    serializeState: situation,
    serializeEvent: (event: { name?: string }) => event.name ?? '',
  } as never) as never;
  expect(tableText(map, situation)).toMatchSnapshot();
});

test('every path ends, and its end agrees with the tests', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 60, maxLength: 60 }), picks => {
      let snapshot = start();
      for (const pick of picks) {
        const names = possible(snapshot);
        // One repair after another may go on for ever where tests that pass fail again.
        const name = names[pick % Math.max(names.length, 1)];
        if (name) snapshot = stepped(snapshot, name);
      }
      const { value, status, context } = snapshot;
      if (status !== 'done') return expect(context.repairs.length).toBeGreaterThan(0);
      expect(context.cause !== null).toBe(value === 'error');
      expect(value === 'repaired' || value === 'partly').toBe(
        context.repairs.length > 0 && value !== 'error',
      );
      const { flaky = [] } = context.baseline ?? {};
      const isPassedOrFlaky = (each: ProjectContext['tests'][number]) =>
        isPassed(each) || flaky.includes(each.id);
      if (value === 'repaired') expect(context.after?.tests.every(isPassedOrFlaky)).toBe(true);
      expect(context.judge !== null).toBe(value === 'repaired' || value === 'partly');
    }),
  );
});

const located: readonly Name[] = ['copy: done', 'test: two fail', 'repeat: all count', 'locate: two'];

test('one repair after another, until no test fails', () => {
  const first = after([...located, 'search: nothing', 'search: found', 'confirm: one left']);
  expect(first.value).toBe('locate');
  expect(first.context).toMatchObject({ repairs: [{ function: 'g' }], changes: [{ path: 'g.py' }] });
  const second = (['locate: two', 'search: found', 'confirm: all pass', 'judge: proven'] as const).reduce(
    stepped,
    first,
  );
  expect(second.value).toBe('repaired');
  expect(second.context).toMatchObject({
    repairs: [{ function: 'g' }, { function: 'f' }],
    judge: 'proven',
    tried: 3,
  });
});

test('the function that repairs most is taken if none repairs all, the more suspicious one first', () => {
  const names: Name[] = [
    ...located,
    'search: nothing',
    'search: progress',
    'search: progress',
    'search: progress',
  ];
  const { value, context } = after(names);
  expect(value).toBe('confirm');
  expect(context.found?.repair.function).toBe('f');
});

test('without the tests of a repair, nothing is changed', () => {
  const { value, context } = after([...located, 'search: found', 'confirm: not better']);
  expect([value, context.changes, context.judge]).toEqual(['notRepaired', [], null]);
});

test('functions are written again only by models that wrote them, and only where iterations are left', () => {
  const names: Name[] = [...located, 'search: written'];
  expect(after(names).value).toBe('rewrite');
  expect(after([...names, 'rewrite: nothing']).context).toMatchObject({ place: 1, effort: 'promising' });
  expect(after(names, { ...whole, iterations: 0 }).value).toBe('search');
  expect(after([...located, 'search: nothing']).value).toBe('search');
});

test('ranking the suspects is the end if nothing else is wanted', () => {
  const { value, context } = after(located, { ...whole, suspectsOnly: true });
  expect([value, context.ranked?.length]).toEqual(['notRepaired', 2]);
});

test('a snapshot is plain data and can be resumed anywhere', () => {
  let snapshot = start();
  for (const name of [...located, 'search: progress', 'search: found', 'confirm: all pass'] as const) {
    const plain = JSON.parse(JSON.stringify(snapshot.context));
    expect(plain).toEqual(snapshot.context);
    snapshot = stepped({ ...snapshot, context: plain } as Snapshot, name);
  }
  expect(snapshot.value).toBe('judge');
});

test('every guard holds somewhere and fails somewhere', () => {
  const guards = Object.keys(projectMachine.implementations.guards);
  const seen = new Map<string, Set<boolean>>(guards.map(name => [name, new Set()]));
  const counted = projectMachine.provide({
    guards: Object.fromEntries(
      Object.entries(projectMachine.implementations.guards).map(([name, guard]) => [
        name,
        (args: never, params: never) => {
          const holds = (guard as (args: never, params: never) => boolean)(args, params);
          seen.get(name)?.add(holds);
          return holds;
        },
      ]),
    ) as never,
  });
  const walk = (pick: (names: readonly Name[], step: number) => Name | undefined, input: typeof whole) => {
    let [snapshot] = initialTransition(counted, input);
    for (let step = 0; step < 40; step++) {
      const name = pick(
        possible(snapshot).filter(each => !each.endsWith('failed')),
        step,
      );
      if (name) [snapshot] = transition(counted, snapshot, outcomes[name](snapshot));
    }
  };
  const random = fc.array(fc.nat(), { minLength: 40, maxLength: 40 });
  for (const picks of fc.sample(random, { numRuns: 100, seed: 1 }))
    for (const suspectsOnly of [true, false])
      walk((names, step) => names[(picks[step] ?? 0) % Math.max(names.length, 1)], {
        ...whole,
        suspectsOnly,
      });
  // To the last pair of edits, to the best of those that repair a part, and to a repair next to a flaky test.
  for (const last of ['search: nothing', 'search: progress'])
    walk((names, step) => located[step] ?? names.find(name => name === last), whole);
  const flaky: Name[] = [
    'copy: done',
    'test: two fail',
    'repeat: one is flaky',
    'locate: two',
    'search: found',
  ];
  walk((names, step) => flaky[step] ?? names.find(name => name === 'confirm: all pass'), whole);
  expect([...seen].filter(([, values]) => values.size < 2).map(([name]) => name)).toEqual([]);
});

test('the machine that is printed as JSON has the same states and transitions', () => {
  const config = JSON.parse(formatMachine(projectMachine, 'json'));
  expect(machineGraph(createMachine(config))).toEqual(machineGraph(projectMachine));
});

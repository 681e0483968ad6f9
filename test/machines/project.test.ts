import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyEventObject, initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
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
  'rewrite: nothing': snapshot => done('rewrite', result(snapshot, { isWritten: true })),
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
      if (value === 'repaired') expect(context.after?.tests.every(isPassed)).toBe(true);
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

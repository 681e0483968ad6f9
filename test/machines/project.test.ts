import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyEventObject, createMachine, initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import { formatMachine, machineGraph } from '../../lib/repair/machine-formats.ts';
import { type AgentContext, initialContext } from '../../machines/context.ts';
import { emptyPool } from '../../machines/pool.ts';
import { projectMachine, searchOf } from '../../machines/project.ts';
import type { Suspect } from '../../machines/project-actors.ts';
import { type ProjectContext, TIME_UP } from '../../machines/project-setup.ts';
import { settings, tableText, task } from './outcomes.ts';

type Snapshot = SnapshotFrom<typeof projectMachine>;

const passed = (id: string) => ({ id, outcome: 'passed' }) as const;
const failed = (id: string) => ({ id, outcome: 'failed' }) as const;
const both = { tests: [failed('a'), failed('b')], fault: null };
const one = { tests: [passed('a'), failed('b')], fault: null };
const none = { tests: [passed('a'), passed('b')], fault: null };

const suspects: readonly Suspect[] = ['f', 'g'].map(name => ({
  ...({
    kind: 'function',
    file: 'a.py',
    function: name,
    line: 1,
    suspicion: 1,
    lines: [[2, 1]],
    task,
  } as const),
}));

/** What a machine that searches in a function ends with. */
function ended(changed: Partial<AgentContext> = {}): AgentContext {
  const search = settings['ranked edits'];
  const temperature = { schedule: 'ramp', base: 0, step: 0.2, cap: 1 } as const;
  return {
    ...initialContext({ task, maxIterations: 0, temperature, feedback: 'tests', search }),
    ...changed,
  };
}

const changes = [{ path: 'a.py', content: '' }];
const passing = { outcome: 'passed', assertionsPassed: 2, firstFailing: null, overran: false } as const;
const edit = { code: 'an edit', origin: { kind: 'edit', rank: 1, of: 1 } } as const;
const other = { ...edit, code: 'another edit' };
const found = {
  pool: { ...emptyPool, candidates: [edit, other], trials: [passing, passing], order: [0, 1] },
};
const timeUp = { cause: { code: TIME_UP, message: 'The time is up.' } };

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
  'locate: two': () => done('locate', { suspects }),
  'locate: one': () => done('locate', { suspects: suspects.slice(0, 1) }),
  'locate: none': () => done('locate', { suspects: [] }),
  'locate failed': () => broken('locate'),
  'search: found': () => done('search', ended(found)),
  'search: nothing': () => done('search', ended()),
  'search: progress': ({ context: { place } }) => ({
    ...{ type: 'tried', place, passed: 1, of: 2 },
    progress: { place, code: 'an edit', origin: 'edit', passed: 1 },
  }),
  'search: a failure': ({ context: { place } }) => ({
    ...{ type: 'tried', place, passed: 0, of: 2, progress: null },
  }),
  'search: time up': () => done('search', ended(timeUp)),
  'search: the model broke': () => done('search', ended({ cause: { code: 'BROKEN', message: '' } })),
  'search failed': () => broken('search'),
  'search: files are written': () => done('write', { changes, repaired: [], report: none }),
  'search: an answer fails': () => ({ type: 'answered' }),
  'search: the model gives up': () => done('write', null),
  'wait: files are written': () =>
    done('write', {
      ...{ changes, report: one },
      repaired: [{ kind: 'function', file: 'a.py', function: 'f', line: 1, origin: 'sample' }],
    }),
  'wait: an answer fails': () => ({ type: 'answered' }),
  'wait: the model gives up': () => done('write', null),
  'wait: too long': () => ({ type: 'xstate.after.answerLimit.project.repair.wait' }),
  'confirm: one left': ({ context }) =>
    done('confirm', { report: one, changes, repaired: placeOf(context), others: [] }),
  'confirm: all pass': ({ context }) =>
    done('confirm', { report: none, changes, repaired: placeOf(context), others: [] }),
  'confirm: not better': () => done('confirm', { report: null, changes: [], repaired: [], others: [] }),
  'confirm failed': () => broken('confirm'),
  'question: asked': () =>
    done('question', { question: null, changes, added: null, report: none, note: null }),
  'question failed': () => broken('question'),
  'judge: proven': () => done('judge', { judge: 'proven' }),
  'judge failed': () => broken('judge'),
} satisfies Record<string, (snapshot: Snapshot) => AnyEventObject>;
type Name = keyof typeof outcomes;

function placeOf({ suspects: current, found: confirmed }: ProjectContext) {
  const { kind, file, function: name, line } = current[confirmed?.place ?? 0] ?? ({} as Suspect);
  return { kind, file, function: name, line };
}

function baseline(tests: ProjectContext['tests']) {
  return { tests, flaky: [], notes: [], elsewhere: [], others: [] };
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

const whole = {
  ...{ suspectsOnly: false, iterations: 3, asksModel: true },
  ...{ converses: false, maxRequests: 6, answerSeconds: 300 },
};

function start(input = whole): Snapshot {
  return initialTransition(projectMachine, input)[0];
}

/** What a candidate achieves is told while the machine searches on. */
function stepped(snapshot: Snapshot, name: Name, machine = projectMachine): Snapshot {
  const [next] = transition(machine, snapshot, outcomes[name](snapshot) as never);
  return name === 'search: progress' ? stepped(next, 'search: nothing', machine) : next;
}

function after(names: readonly Name[], input = whole): Snapshot {
  return names.reduce((snapshot, name) => stepped(snapshot, name), start(input));
}

/** The innermost state. */
function leafOf({ value }: Snapshot): string {
  return typeof value === 'string' ? value : value.repair;
}

function possible(snapshot: Snapshot): Name[] {
  const names = Object.keys(outcomes) as Name[];
  const own = names.filter(name => name.startsWith(`${leafOf(snapshot)}`));
  const { status, context } = snapshot;
  const isWriters = /files are|an answer|gives up/;
  return status === 'active' ? own.filter(name => context.isWriting || !isWriters.test(name)) : [];
}

/** What distinguishes two snapshots for the rest of the path. */
function situation(snapshot: Snapshot): string {
  const { context } = snapshot;
  const value = leafOf(snapshot);
  const { effort, slice, place, progress, repairs, tests, baseline: known, first } = context;
  const failing = tests.filter(test => !isPassed(test)).length;
  const notes = [
    ...(value === 'search' ? [`${effort} ${place}${slice > 0 ? `, slice ${slice + 1}` : ''}`] : []),
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
        const names = possible(snapshot).filter(name => name !== 'search: a failure');
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
/** The first round, of both functions. */
const likeliestEdits: readonly Name[] = ['search: nothing', 'search: nothing'];

test('one repair after another, until no test fails', () => {
  const first = after([...located, 'search: nothing', 'search: found', 'confirm: one left']);
  expect(first.value).toBe('locate');
  expect(first.context).toMatchObject({ repairs: [{ function: 'g' }], changes });
  const second = (
    ['locate: two', 'search: found', 'confirm: all pass', 'judge: proven'] as const
  ).reduce<Snapshot>((snapshot, name) => stepped(snapshot, name), first);
  expect(second.value).toBe('repaired');
  expect(second.context).toMatchObject({
    repairs: [{ function: 'g' }, { function: 'f' }],
    judge: 'proven',
  });
});

test('asks which repair is meant if others may pass, and nothing else was repaired', () => {
  const repaired = after([...located, 'search: found', 'confirm: all pass']);
  expect(repaired.value).toBe('question');
  expect(repaired.context.others).toEqual([{ code: 'another edit', origin: 'edit', passes: true }]);
  expect(stepped(repaired, 'question: asked').value).toBe('judge');
});

test('counts the candidates that are run, and keeps the best and the progress of each function', () => {
  const { context, value } = ['search: a failure', 'search: progress', 'search: a failure'].reduce(
    (snapshot, name) => stepped(snapshot, name as Name),
    after(located),
  );
  expect([value, context.place, context.tried]).toEqual([{ repair: 'search' }, 1, 3]);
  expect(context.best).toEqual({ function: 'f', passed: 1, of: 2 });
  expect(context.progress).toMatchObject([{ place: 0 }, null]);
});

test('the time ends a search without an error, and a broken model with one', () => {
  expect(after([...located, 'search: time up']).value).toBe('notRepaired');
  const { value, context } = after([...located, 'search: the model broke']);
  expect([value, context.cause?.code]).toEqual(['error', 'BROKEN']);
});

test('when the time is up, the best so far is confirmed, and nothing more is searched', () => {
  const names: Name[] = [...located, 'search: progress', 'search: time up'];
  expect(after(names)).toMatchObject({
    value: { repair: 'confirm' },
    context: { found: { place: 0, isPartial: true } },
  });
  expect(after([...names, 'confirm: one left'])).toMatchObject({
    value: 'partly',
    context: { repairs: [{ isPartial: true }] },
  });
  expect(after([...names, 'confirm: not better']).value).toBe('notRepaired');
});

test('tests of a named function that fail for another reason do not keep it from being repaired', () => {
  const confirming = after([...located, 'search: progress', 'search: time up']);
  const confirmed = (others: readonly string[]) =>
    transition(
      projectMachine,
      confirming,
      done('confirm', { report: one, changes, repaired: placeOf(confirming.context), others }) as never,
    )[0];
  const { value, context } = confirmed(['b']);
  expect(value).toBe('judge');
  expect(context).toMatchObject({ repairs: [{ function: 'f' }], baseline: { others: ['b'] } });
  expect(context.repairs[0]).not.toHaveProperty('isPartial');
  expect(confirmed([]).context.repairs[0]).toHaveProperty('isPartial', true);
});

test('a repair that was taken when the time was up is known as one that the clock decided', () => {
  const { time } = ended();
  const late = ended({ ...found, time: { ...time, isByClock: true } });
  const decided = (output: AgentContext) =>
    transition(projectMachine, after(located), done('search', output) as never)[0].context.isByClock;
  expect([decided(ended(found)), decided(late)]).toEqual([false, true]);
});

test('the function that repairs most is taken if none repairs all, the more suspicious one first', () => {
  const names: Name[] = [
    ...located,
    ...likeliestEdits,
    'search: nothing',
    'search: progress',
    'search: progress',
    'search: progress',
    // The second slice.
    'search: nothing',
    'search: nothing',
  ];
  const { value, context } = after(names);
  expect(value).toEqual({ repair: 'confirm' });
  expect(context.found?.place).toBe(0);
});

test('a repair that is not confirmed is dismissed, and the search goes on', () => {
  const { value, context } = after([...located, 'search: found', 'confirm: not better']);
  expect([value, context.place, context.changes, context.found]).toEqual([{ repair: 'search' }, 1, [], null]);
  const best: Name[] = [
    ...located,
    ...likeliestEdits,
    'search: nothing',
    'search: progress',
    'search: progress',
    'search: progress',
    // The second slice.
    'search: nothing',
    'search: nothing',
  ];
  expect(after([...best, 'confirm: not better'])).toMatchObject({
    value: { repair: 'confirm' },
    context: { found: { place: 1 } },
  });
});

test('edits of all functions are tried before a model is asked', () => {
  const [first, last] = suspects as [Suspect, Suspect];
  const constant: Suspect = { ...first, kind: 'constant', function: 'LIMIT' };
  const searching = (found: readonly Suspect[]) =>
    transition(
      projectMachine,
      after(['copy: done', 'test: two fail', 'repeat: all count']),
      done('locate', { suspects: found }) as never,
    )[0];
  const visited: unknown[] = [];
  let snapshot = searching([first, constant, last]);
  while (visited.length < 5) {
    const { effort, place } = snapshot.context;
    const { answers, edits } = searchOf(snapshot.context).search;
    visited.push([effort, place, answers.kind, edits?.ranked, edits?.budget]);
    snapshot = stepped(snapshot, 'search: nothing');
  }
  expect(visited).toEqual([
    ['edits', 0, 'none', false, 150],
    ['edits', 2, 'none', false, 150],
    ['promising', 0, 'likeliest', false, 300],
    ['promising', 1, 'likeliest', false, 75],
    ['promising', 2, 'likeliest', false, 300],
  ]);
  expect(searching([constant]).context.effort).toBe('promising');
});

test('the search goes round the suspects in slices, larger ones for those that are more suspicious', () => {
  const [first, last] = suspects as [Suspect, Suspect];
  const less: Suspect = { ...last, function: 'h', suspicion: 0.6 };
  let [snapshot] = transition(
    projectMachine,
    after(['copy: done', 'test: two fail', 'repeat: all count']),
    done('locate', { suspects: [first, last, less] }) as never,
  );
  const budgets: Record<string, number[]> = {};
  while (leafOf(snapshot) === 'search') {
    const { effort, slice, place } = snapshot.context;
    budgets[`${effort} ${slice}`] = [
      ...(budgets[`${effort} ${slice}`] ?? []),
      searchOf(snapshot.context).search.edits?.budget ?? 0,
    ];
    expect(budgets[`${effort} ${slice}`]).toHaveLength(place + 1);
    snapshot = stepped(snapshot, 'search: nothing');
  }
  expect(budgets).toEqual({
    'edits 0': [150, 150, 30],
    'promising 0': [300, 300, 60],
    'all 0': [1200, 1200, 240],
    'all 1': [4000, 4000, 960],
    'all 2': [4000, 4000, 3840],
    'all 3': [4000, 4000, 4000],
    'pairs 3': [5500, 5500, 5500],
  });
});

test('a repair by an edit waits for the first answer of a model that writes, which comes first', () => {
  const writing = { ...whole, converses: true };
  const found: Name[] = [...located, 'search: found'];
  expect(after(found, writing).value).toEqual({ repair: 'wait' });
  expect(after([...found, 'wait: files are written'], writing).context).toMatchObject({
    repairs: [{ function: 'f', origin: 'sample' }],
    isWriting: false,
  });
  expect(after([...found, 'wait: an answer fails'], writing).value).toEqual({ repair: 'confirm' });
  expect(after([...found, 'wait: the model gives up'], writing).value).toEqual({ repair: 'confirm' });
  expect(after([...found, 'wait: too long'], writing).value).toEqual({ repair: 'confirm' });
  expect(after([...located, 'search: an answer fails', 'search: found'], writing).value).toEqual({
    repair: 'confirm',
  });
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
  expect(snapshot.value).toBe('question');
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
    for (let step = 0; step < 50; step++) {
      const name = pick(
        possible(snapshot).filter(each => !each.endsWith('failed') && each !== 'search: a failure'),
        step,
      );
      if (name) snapshot = stepped(snapshot, name, counted as typeof projectMachine);
    }
  };
  const random = fc.array(fc.nat(), { minLength: 50, maxLength: 50 });
  for (const picks of fc.sample(random, { numRuns: 100, seed: 1 }))
    for (const suspectsOnly of [true, false])
      walk((names, step) => names[(picks[step] ?? 0) % Math.max(names.length, 1)], {
        ...whole,
        suspectsOnly,
      });
  for (const picks of fc.sample(random, { numRuns: 100, seed: 2 }))
    walk((names, step) => names[(picks[step] ?? 0) % Math.max(names.length, 1)], {
      ...whole,
      converses: true,
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
  // To the answer that comes after all edits.
  walk((names, step) => located[step] ?? names.find(name => name === 'search: nothing'), {
    ...whole,
    converses: true,
  });
  const partly: Name[] = [...located, 'search: found', 'confirm: one left', 'locate: none'];
  walk((_, step) => partly[step], whole);
  expect([...seen].filter(([, values]) => values.size < 2).map(([name]) => name)).toEqual([]);
});

test('the machine that is printed as JSON has the same states and transitions', () => {
  const config = JSON.parse(formatMachine(projectMachine, 'json'));
  expect(machineGraph(createMachine(config))).toEqual(machineGraph(projectMachine));
});

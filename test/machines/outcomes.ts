import { expect } from 'vitest';
import { type AnyEventObject, initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import type { Feedback } from '../../lib/core/choices.ts';
import type { Task } from '../../lib/core/task.ts';
import type { Verdict, VerdictKind } from '../../lib/core/verdict.ts';
import type { Candidate, Examination, Judgement, Proposal, Trial } from '../../machines/actors.ts';
import type { SearchSettings } from '../../machines/context.ts';
import { candidatesToCompare, candidatesToRun } from '../../machines/context.ts';
import { choosable, remaining } from '../../machines/pool.ts';
import type { reflectMachine } from '../../machines/reflect.ts';
import { finalCandidate } from '../../machines/verdicts.ts';

/** Possible results of the actors of an agent's machine, as the events that the machine receives. */

/** All agents have the same input, context and actors. */
export type AgentMachine = typeof reflectMachine;
export type AgentSnapshot = SnapshotFrom<AgentMachine>;

export const task: Task = {
  id: 'test/0',
  language: 'python',
  entryPoint: 'f',
  declaration: 'def f(x):\n',
  docstring: 'Doubles x.',
  buggy: 'def f(x):\n    return x + x + 1\n',
  canonical: 'def f(x):\n    return x + x\n',
  tests: 'assert f(1) == 2',
  exampleTests: 'assert f(2) == 4',
  bugType: 'excess logic',
};

export const ramp = { schedule: 'ramp', base: 0, step: 0.2, cap: 0.8 } as const;

const shared = { suite: 'known', seconds: 10 } as const;
const edits = { budget: 3, screening: 'all', ranked: true, pairs: true } as const;
const [none, one] = [{ kind: 'none' }, { kind: 'one' }] as const;
const likeliest = { kind: 'likeliest', most: 1 } as const;

/** The ways in which candidates are found. */
export const settings = {
  'one answer': { ...shared, answers: one, edits: null },
  samples: { ...shared, answers: { kind: 'samples', most: 2 }, edits: null },
  'an answer and edits': { ...shared, answers: one, edits },
  'likeliest answers': { ...shared, answers: likeliest, edits },
  'likeliest answers of a compiled language': {
    ...shared,
    answers: likeliest,
    edits: { ...edits, screening: 'first' },
  },
  'likeliest answers, nothing run': { ...shared, answers: likeliest, suite: null, edits },
  'enumerated edits': { ...shared, answers: none, edits: { ...edits, ranked: false } },
  'ranked edits': { ...shared, answers: none, suite: 'tests', edits: { ...edits, screening: 'first' } },
  'unranked edits': {
    ...shared,
    answers: none,
    suite: 'examples',
    edits: { ...edits, screening: 'first', ranked: false },
  },
} as const satisfies Record<string, SearchSettings>;
export type SettingsName = keyof typeof settings;

const outcomes = {
  'propose: an answer': snapshot => done('propose', proposal(snapshot)),
  'propose failed': () => failed('propose', 'MODEL_DOWN'),
  'enumerate: two': ({ context: { time } }) =>
    done('enumerate', { candidates: [edit(1), edit(2)], unusable: 1, time }),
  'enumerate: none': ({ context: { time } }) => done('enumerate', { candidates: [], unusable: 0, time }),
  'enumerate failed': () => failed('enumerate', 'SANDBOX_DOWN'),
  'screen: the first passes': snapshot =>
    screened(snapshot, place => (place === 0 ? passing : failing(place))),
  'screen: all pass, as the buggy program does': snapshot => screened(snapshot, () => passing, true),
  'screen: none passes': snapshot => screened(snapshot, failing),
  'screen: no time': ({ context: { time } }) =>
    done('screen', { trials: [], checks, isEmpty: false, time: { ...time, spent: time.limit } }),
  'screen: nothing is known': ({ context }) => {
    const trials = candidatesToRun(context).asked.map(() => passing);
    return done('screen', { trials, checks: [], isEmpty: true, time: context.time });
  },
  'screen failed': () => failed('screen', 'SANDBOX_DOWN'),
  'rank: the other way round': ({ context: { pool, time } }) => {
    const order = remaining(pool)
      .map((_, index) => index)
      .toReversed();
    return done('rank', { order, prompt: [{ role: 'user', content: 'Fix f.' }], tokens: rankTokens, time });
  },
  'rank failed': () => failed('rank', 'MODEL_DOWN'),
  'compare: the first is alike': snapshot => {
    const alike = candidatesToCompare(snapshot.context).map((_, place) => place === 0);
    return done('compare', { alike, time: snapshot.context.time });
  },
  'compare failed': () => failed('compare', 'SANDBOX_DOWN'),
  'choose: the first': ({ context: { pool } }) => {
    const [first = -1] = choosable(pool);
    return done('choose', { chosen: 0, answer: pool.candidates[first]?.code ?? '' });
  },
  'choose: none is new': () => done('choose', { chosen: null, answer: '' }),
  'choose failed': () => failed('choose', 'SANDBOX_DOWN'),
  'combine: a pair': ({ context: { time } }) =>
    done('combine', { pairs: [{ code: 'both', origin: { kind: 'pair', rank: 1, of: 1 } }], time }),
  'combine: none': ({ context: { time } }) => done('combine', { pairs: [], time }),
  'combine failed': () => failed('combine', 'SANDBOX_DOWN'),
  'examine: new': snapshot => done('examine', examination(snapshot, null)),
  'examine: no code': snapshot => done('examine', { ...examination(snapshot, 'no-code'), candidate: null }),
  'examine: the buggy function': snapshot =>
    done('examine', { ...examination(snapshot, null), repeated: true, unchanged: true }),
  'examine: seen before': snapshot =>
    done('examine', {
      ...examination(snapshot, snapshot.context.feedback === 'none' ? null : 'failed'),
      repeated: true,
    }),
  'examine: does not parse': snapshot => done('examine', examination(snapshot, 'syntax')),
  'examine: other signature': snapshot => done('examine', examination(snapshot, 'signature')),
  'examine failed': () => failed('examine', 'SANDBOX_DOWN'),
  'execute: passed': () => done('execute', judgement('passed')),
  'execute: failed': () => done('execute', judgement('failed')),
  'execute: raised': () => done('execute', judgement('raised')),
  'execute: timeout': () => done('execute', judgement('timeout')),
  'execute failed': () => failed('execute', 'SANDBOX_DOWN'),
  'score: passed': () => done('score', judgement('passed')),
  'score: failed': () => done('score', judgement('failed')),
  'score failed': () => failed('score', 'SANDBOX_DOWN'),
} satisfies Record<string, (snapshot: AgentSnapshot) => AnyEventObject>;
export type OutcomeName = keyof typeof outcomes;
export const outcomeNames = Object.keys(outcomes) as OutcomeName[];

export interface Start {
  readonly maxIterations: number;
  readonly feedback?: Feedback;
  readonly search?: SettingsName;
}

export function inputOf({ maxIterations, feedback = 'tests', search = 'one answer' }: Start) {
  return { task, maxIterations, temperature: ramp, feedback, search: settings[search] };
}

export function start(machine: AgentMachine, given: Start): AgentSnapshot {
  return initialTransition(machine, inputOf(given))[0];
}

export function eventOf(snapshot: AgentSnapshot, outcome: OutcomeName): AnyEventObject {
  return outcomes[outcome](snapshot);
}

export function stepped(machine: AgentMachine, snapshot: AgentSnapshot, outcome: OutcomeName): AgentSnapshot {
  return transition(machine, snapshot, eventOf(snapshot, outcome))[0];
}

/** @throws Error with its path if a machine has had more iterations than it may. */
export function expectToEnd(snapshot: AgentSnapshot): void {
  const { attempts, iteration, maxIterations } = snapshot.context;
  if (iteration <= maxIterations) return;
  const path = attempts.map(({ node, verdict }) => `${node} ${verdict?.kind ?? 'not judged'}`);
  throw new Error(`The machine does not end: ${path.join(' -> ')} -> ${situation(snapshot)}`);
}

/** The outcomes of the state's own actor. */
export function possibleOutcomes(snapshot: AgentSnapshot): OutcomeName[] {
  const { value, status, context } = snapshot;
  if (status !== 'active') return [];
  expectToEnd(snapshot);
  const known: readonly string[] = outcomeNames.map(name => name.split(/[: ]/)[0] ?? '');
  const own = known.includes(String(value)) ? String(value) : 'propose';
  const names = outcomeNames.filter(name => name.split(/[: ]/)[0] === own);
  return names.filter(name => name !== 'choose: the first' || choosable(context.pool).length > 0);
}

/** What distinguishes two snapshots for the rest of the machine's path. */
export function situation({ value, context }: AgentSnapshot): string {
  const { iteration, maxIterations, feedback, examination, attempts, pool } = context;
  const tried = pool.trials.map(trial => (trial === null ? '?' : trial.outcome === 'passed' ? '+' : '-'));
  const words = [
    ...(pool.closest ? ['closest'] : []),
    ...(pool.done.includes('screened') ? ['screened'] : []),
    ...(pool.done.includes('ranked') ? ['ranked'] : []),
    ...(pool.passesUnchanged ? ['unchanged passes'] : []),
    ...(pool.done.includes('compared') ? ['compared'] : []),
    ...(pool.done.includes('combined') ? ['combined'] : []),
    ...(pool.done.includes('stopped') ? ['stopped'] : []),
  ];
  const isPooled = pool.candidates.length > 0;
  const notes = [
    ...(examination?.repeated ? ['the buggy function'] : []),
    ...(feedback !== 'tests' && finalCandidate(attempts) !== null ? ['has a candidate'] : []),
    ...(attempts.some(({ selection }) => selection?.agrees === false) ? ['hopeless'] : []),
    ...(isPooled ? [[tried.join(''), ...words, `${pool.taken.length} taken`].join(' ')] : []),
  ];
  return `${value} ${iteration}/${maxIterations}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

export function traversal(given: Start) {
  return {
    input: inputOf(given),
    events: (snapshot: AgentSnapshot) =>
      possibleOutcomes(snapshot).map(name => ({ ...outcomes[name](snapshot), name })),
    serializeState: (snapshot: AgentSnapshot) => situation(snapshot),
    serializeEvent: (event: { name?: string }) => event.name ?? '',
  };
}

/** For each reachable situation, the possible outcomes and where they lead. */
export function transitionTable(machine: AgentMachine, given: Start): string {
  const map = getAdjacencyMap(machine, traversal(given) as never) as unknown as Record<
    string,
    { transitions: Record<string, { state: AgentSnapshot }> }
  >;
  return tableText(map, situation);
}

/**
 * A line for each situation and target: `draft 0/1 -- an answer -> examine 0/1`. Failures of actors are left out, but
 * checked: all of them end in `error`.
 */
export function tableText<Snapshot>(
  map: Record<string, { transitions: Record<string, { state: Snapshot }> }>,
  situation: (snapshot: Snapshot) => string,
): string {
  const rows = new Map<string, string[]>();
  for (const [from, { transitions }] of Object.entries(map)) {
    for (const [name, { state }] of Object.entries(transitions)) {
      const to = situation(state);
      if (/^\w+ failed$/.test(name)) expect(to).toMatch(/^error /);
      else if (to !== from)
        rows.set(`${from}|${to}`, [...(rows.get(`${from}|${to}`) ?? []), shortName(name)]);
    }
  }
  return [...rows].map(([ends, names]) => `${ends.replace('|', ` -- ${names.join(', ')} -> `)}\n`).join('');
}

/** `examine: new` → `new`; the situation names the state. */
function shortName(name: string): string {
  return name.replace(/^\w+:? /, '');
}

export const rankTokens = { prompt: 5, completion: 9 };

const checks = [
  { source: 'docstring', code: 'assert f(2) == 4' },
  { source: 'revealed', code: 'assert f(1) == 2' },
] as const;

const passing: Trial = { outcome: 'passed', assertionsPassed: 2, firstFailing: null, overran: false };

function failing(place: number): Trial {
  return { outcome: 'failed', assertionsPassed: place % 2, firstFailing: place % 2, overran: false };
}

function screened(
  { context }: AgentSnapshot,
  trialOf: (place: number) => Trial,
  passesUnchanged = false,
): AnyEventObject {
  const { asked, isAll } = candidatesToRun(context);
  const trials = asked.map((_, place) => trialOf(place));
  const end = isAll ? -1 : trials.findIndex(({ outcome }) => outcome === 'passed');
  const run = end === -1 ? trials : trials.slice(0, end + 1);
  return done('screen', { trials: run, checks, isEmpty: false, passesUnchanged, time: context.time });
}

function edit(rank: number): Candidate {
  return { code: `edit ${rank}`, origin: { kind: 'edit', rank, of: 2 } };
}

function proposal({ context, value }: AgentSnapshot): Proposal {
  return {
    node: value === 'reflect' || value === 'repeat' || value === 'syntax' ? value : 'draft',
    prompt: [{ role: 'user', content: 'Fix f.' }],
    answers: ['def f(x):\n    return 2 * x\n'],
    isAnswered: true,
    temperature: context.search.answers.kind === 'likeliest' ? null : 0,
    tokens: { prompt: 3, completion: 7 },
  };
}

function examination({ context: { answer } }: AgentSnapshot, kind: VerdictKind | null): Examination {
  return {
    candidate: answer?.code ?? 'def f(x):\n    return 2 * x\n',
    verdict: kind && verdict(kind),
    repeated: false,
    unchanged: false,
  };
}

function judgement(kind: VerdictKind): Judgement {
  return { verdict: verdict(kind), seconds: 0.5 };
}

function verdict(kind: VerdictKind): Verdict {
  return { kind, message: kind };
}

function done(actor: string, output: unknown): AnyEventObject {
  return { type: `xstate.done.actor.${actor}`, output };
}

function failed(actor: string, code: string): AnyEventObject {
  return {
    type: `xstate.error.actor.${actor}`,
    error: Object.assign(new Error(`${actor} failed`), { code }),
  };
}

import { expect } from 'vitest';
import { type AnyEventObject, initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import type { Feedback } from '../../lib/core/choices.ts';
import type { Task } from '../../lib/core/task.ts';
import type { Verdict, VerdictKind } from '../../lib/core/verdict.ts';
import type { Examination, Judgement, Proposal } from '../../machines/actors.ts';
import { finalCandidate } from '../../machines/final-candidate.ts';
import type { reflectMachine } from '../../machines/reflect.ts';

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

const outcomes = {
  'generate done': (snapshot: AgentSnapshot) => done('generate', proposal(snapshot)),
  'generate failed': () => failed('generate', 'MODEL_DOWN'),
  'examine: new': () => done('examine', examination(null)),
  'examine: no code': () => done('examine', { ...examination('no-code'), candidate: null }),
  'examine: the buggy function': () =>
    done('examine', { ...examination(null), repeated: true, unchanged: true }),
  'examine: seen before': ({ context: { feedback } }) =>
    done('examine', { ...examination(feedback === 'none' ? null : 'failed'), repeated: true }),
  'examine: does not parse': () => done('examine', examination('syntax')),
  'examine: other signature': () => done('examine', examination('signature')),
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
}

export function start(machine: AgentMachine, { maxIterations, feedback = 'tests' }: Start): AgentSnapshot {
  return initialTransition(machine, { task, maxIterations, temperature: ramp, feedback })[0];
}

export function stepped(machine: AgentMachine, snapshot: AgentSnapshot, outcome: OutcomeName): AgentSnapshot {
  return transition(machine, snapshot, outcomes[outcome](snapshot))[0];
}

/** The outcomes of the state's own actor. */
export function possibleOutcomes({ value, status }: AgentSnapshot): OutcomeName[] {
  if (status !== 'active') return [];
  const actor = ['examine', 'execute', 'score'].includes(String(value)) ? String(value) : 'generate';
  return outcomeNames.filter(name => name.startsWith(actor));
}

/** What distinguishes two snapshots for the rest of the machine's path. */
export function situation({ value, context }: AgentSnapshot): string {
  const { iteration, maxIterations, feedback, examination, attempts } = context;
  const notes = [
    ...(examination?.repeated ? ['the buggy function'] : []),
    ...(feedback !== 'tests' && finalCandidate(attempts) !== null ? ['has a candidate'] : []),
  ];
  return `${value} ${iteration}/${maxIterations}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

export function traversal({ maxIterations, feedback = 'tests' }: Start) {
  return {
    input: { task, maxIterations, temperature: ramp, feedback },
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
 * A line for each situation and target: `draft 0/1 -- done -> examine 0/1`. Failures of actors are left out, but
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

function proposal({ context, value }: AgentSnapshot): Proposal {
  return {
    iteration: context.iteration,
    node: value === 'reflect' || value === 'repeat' || value === 'syntax' ? value : 'draft',
    temperature: 0,
    prompt: [{ role: 'user', content: 'Fix f.' }],
    completion: 'def f(x):\n    return 2 * x\n',
    tokens: { prompt: 3, completion: 7 },
    seconds: 1,
  };
}

function examination(kind: VerdictKind | null): Examination {
  return {
    candidate: 'def f(x):\n    return 2 * x\n',
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

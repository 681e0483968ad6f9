import { type AnyEventObject, initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { Task } from '../../lib/task.ts';
import type { Verdict, VerdictKind } from '../../lib/verdict.ts';
import type { Examination, Judgement, Proposal } from '../../machines/actors.ts';
import { repairMachine } from '../../machines/repair.ts';

/** What may come back from the actors of `repair`, as the events that the machine gets. */

export type RepairSnapshot = SnapshotFrom<typeof repairMachine>;

export const task: Task = {
  id: 'test/0',
  language: 'python',
  entryPoint: 'f',
  declaration: 'def f(x):\n',
  docstring: 'Doubles x.',
  buggy: 'def f(x):\n    return x + x + 1\n',
  canonical: 'def f(x):\n    return x + x\n',
  tests: 'assert f(1) == 2',
  exampleTests: '',
  bugType: 'excess logic',
};

export const ramp = { schedule: 'ramp', base: 0, step: 0.2, cap: 0.8 } as const;

export const outcomes = {
  'generate done': (snapshot: RepairSnapshot) => done('generate', proposal(snapshot)),
  'generate failed': () => failed('generate', 'MODEL_DOWN'),
  'examine: new': () => done('examine', examination(null)),
  'examine: no code': () => done('examine', { ...examination('no-code'), candidate: null }),
  'examine: the buggy function': () => done('examine', { ...examination(null), repeated: true }),
  'examine: seen before': () => done('examine', { ...examination('failed'), repeated: true }),
  'examine: does not parse': () => done('examine', examination('syntax')),
  'examine: other signature': () => done('examine', examination('signature')),
  'examine failed': () => failed('examine', 'SANDBOX_DOWN'),
  'execute: passed': () => done('execute', judgement('passed')),
  'execute: failed': () => done('execute', judgement('failed')),
  'execute: raised': () => done('execute', judgement('raised')),
  'execute: timeout': () => done('execute', judgement('timeout')),
  'execute failed': () => failed('execute', 'SANDBOX_DOWN'),
} satisfies Record<string, (snapshot: RepairSnapshot) => AnyEventObject>;
export type OutcomeName = keyof typeof outcomes;
export const outcomeNames = Object.keys(outcomes) as OutcomeName[];

export function start(budget: number): RepairSnapshot {
  return initialTransition(repairMachine, { task, budget, temperature: ramp })[0];
}

export function after(snapshot: RepairSnapshot, outcome: OutcomeName): RepairSnapshot {
  return transition(repairMachine, snapshot, outcomes[outcome](snapshot))[0];
}

/** The outcomes that the state's own actor may have. */
export function possibleOutcomes({ value, status }: RepairSnapshot): OutcomeName[] {
  if (status !== 'active') return [];
  const actor = value === 'examine' || value === 'execute' ? value : 'generate';
  return outcomeNames.filter(name => name.startsWith(actor));
}

function proposal({ context, value }: RepairSnapshot): Proposal {
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
  return { candidate: 'def f(x):\n    return 2 * x\n', verdict: kind && verdict(kind), repeated: false };
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

import { assign, fromPromise, setup } from 'xstate';
import type { Attempt, Node } from '../lib/attempt.ts';
import type { Task } from '../lib/task.ts';
import {
  type Cause,
  causeOf,
  type Examination,
  type ExamineInput,
  type ExecuteInput,
  type GenerateInput,
  type Judgement,
  notProvided,
  type Proposal,
} from './actors.ts';
import { type TemperatureOptions, temperatureAt } from './temperature.ts';

/**
 * The agent `reflect`: draft, judge, and repair by what the verdict says until the tests pass or the
 * budget is spent. It is wiring only: who writes, examines and executes is given with `.provide()`.
 * Its context is plain data, so that a snapshot of it can be stored and taken up again.
 */
export interface RepairInput {
  readonly task: Task;
  /** Repair iterations after the draft; with 0 the draft is judged and that is all. */
  readonly budget: number;
  readonly temperature: TemperatureOptions;
}

export interface RepairContext extends RepairInput {
  /** 0 while the draft is under way; never above the budget. */
  readonly iteration: number;
  /** The attempts that got a verdict. */
  readonly attempts: readonly Attempt[];
  /** Of the attempt under way. */
  readonly proposal: Proposal | null;
  readonly examination: Examination | null;
  /** The states visited. */
  readonly path: readonly string[];
  /** Why it broke. */
  readonly cause: Cause | null;
}

export const repairMachine = setup({
  types: {
    input: {} as RepairInput,
    context: {} as RepairContext,
  },
  actors: {
    generate: fromPromise<Proposal, GenerateInput>(notProvided),
    examine: fromPromise<Examination, ExamineInput>(notProvided),
    execute: fromPromise<Judgement, ExecuteInput>(notProvided),
  },
  guards: {
    isRunnable: (_, examination: Examination) => examination.verdict === null,
    isPassed: (_, judgement: Judgement) => judgement.verdict.kind === 'passed',
    isBudgetSpent: ({ context }) => context.iteration >= context.budget,
    isRepeated: ({ context }) => context.attempts.at(-1)?.repeated === true,
    isUnrunnable: ({ context }) =>
      ['no-code', 'syntax', 'signature'].includes(context.attempts.at(-1)?.verdict.kind ?? ''),
  },
  actions: {
    visit: assign({ path: ({ context }, { state }: { state: string }) => [...context.path, state] }),
    countIteration: assign({ iteration: ({ context }) => context.iteration + 1 }),
    keepProposal: assign({ proposal: (_, proposal: Proposal) => proposal }),
    keepExamination: assign({ examination: (_, examination: Examination) => examination }),
    keepCause: assign({ cause: (_, cause: Cause) => cause }),
    /** The attempt is complete: it has a verdict, from the examination or from the tests. */
    keepAttempt: assign(({ context }, { examination, judgement }: Outcome) => ({
      attempts: [...context.attempts, ...attemptOf(context, examination ?? context.examination, judgement)],
      proposal: null,
      examination: null,
    })),
  },
}).createMachine({
  id: 'repair',
  context: ({ input }) => ({
    ...input,
    iteration: 0,
    attempts: [],
    proposal: null,
    examination: null,
    path: [],
    cause: null,
  }),
  initial: 'draft',
  states: {
    draft: {
      description: 'Ask for the fixed function.',
      entry: { type: 'visit', params: { state: 'draft' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'draft'),
        onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    examine: {
      description: 'Is there a function, does it parse, does its signature hold, is it new?',
      entry: { type: 'visit', params: { state: 'examine' } },
      invoke: {
        id: 'examine',
        src: 'examine',
        input: ({ context: { task, proposal, attempts } }) => ({
          task,
          completion: proposal?.completion ?? '',
          attempts,
        }),
        onDone: [
          {
            guard: { type: 'isRunnable', params: ({ event }) => event.output },
            target: 'execute',
            actions: { type: 'keepExamination', params: ({ event }) => event.output },
          },
          {
            target: 'iterate',
            actions: { type: 'keepAttempt', params: ({ event }) => ({ examination: event.output }) },
          },
        ],
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    execute: {
      description: 'Run the tests.',
      entry: { type: 'visit', params: { state: 'execute' } },
      invoke: {
        id: 'execute',
        src: 'execute',
        input: ({ context: { task, examination } }) => ({ task, candidate: examination?.candidate ?? '' }),
        onDone: [
          {
            guard: { type: 'isPassed', params: ({ event }) => event.output },
            target: 'solved',
            actions: { type: 'keepAttempt', params: ({ event }) => ({ judgement: event.output }) },
          },
          {
            target: 'iterate',
            actions: { type: 'keepAttempt', params: ({ event }) => ({ judgement: event.output }) },
          },
        ],
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    iterate: {
      description: 'If the budget allows: what is the reason of the failure?',
      entry: { type: 'visit', params: { state: 'iterate' } },
      always: [
        { guard: 'isBudgetSpent', target: 'exhausted' },
        { guard: 'isRepeated', target: 'repeat', actions: 'countIteration' },
        { guard: 'isUnrunnable', target: 'syntax', actions: 'countIteration' },
        { target: 'reflect', actions: 'countIteration' },
      ],
    },
    reflect: {
      description: 'Tell which test failed and how.',
      entry: { type: 'visit', params: { state: 'reflect' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'reflect'),
        onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    repeat: {
      description: 'Tell that this was tried before.',
      entry: { type: 'visit', params: { state: 'repeat' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'repeat'),
        onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    syntax: {
      description: 'Tell why the answer could not be run.',
      entry: { type: 'visit', params: { state: 'syntax' } },
      invoke: {
        id: 'generate',
        src: 'generate',
        input: ({ context }) => requestOf(context, 'syntax'),
        onDone: { target: 'examine', actions: { type: 'keepProposal', params: ({ event }) => event.output } },
        onError: {
          target: 'broken',
          actions: { type: 'keepCause', params: ({ event }) => causeOf(event.error) },
        },
      },
    },
    solved: {
      description: 'The tests pass.',
      entry: { type: 'visit', params: { state: 'solved' } },
      type: 'final',
    },
    exhausted: {
      description: 'The budget is spent.',
      entry: { type: 'visit', params: { state: 'exhausted' } },
      type: 'final',
    },
    broken: {
      description: 'The model or the sandbox failed, which says nothing about the task.',
      entry: { type: 'visit', params: { state: 'broken' } },
      type: 'final',
    },
  },
});

interface Outcome {
  readonly examination?: Examination;
  readonly judgement?: Judgement;
}

function requestOf({ task, iteration, temperature, attempts }: RepairContext, node: Node): GenerateInput {
  return { task, node, iteration, temperature: temperatureAt(iteration, temperature), attempts };
}

function attemptOf(
  { proposal }: RepairContext,
  examination: Examination | null,
  judgement: Judgement | undefined,
): Attempt[] {
  const verdict = judgement?.verdict ?? examination?.verdict;
  if (!proposal || !examination || !verdict) return [];
  const { candidate, repeated } = examination;
  const seconds = { proposal: proposal.seconds, execution: judgement?.seconds ?? 0 };
  return [{ ...proposal, candidate, verdict, repeated, seconds }];
}

import { assign, fromPromise, setup } from 'xstate';
import { notProvided } from './actors.ts';
import { output } from './states.ts';
import type {
  Asked,
  AskInput,
  ReduceInput,
  TryInput,
  WriterInput,
  WriterNode,
  WrittenAttempt,
  WrittenRepair,
} from './writer-actors.ts';

export interface WriterContext extends WriterInput {
  readonly attempts: readonly WrittenAttempt[];
  readonly asked: Asked | null;
  readonly repair: WrittenRepair | null;
  /** Whether the model failed, or cannot be asked. */
  readonly isGivenUp: boolean;
}

/** A request failed, or there is no model that writes; the search goes on without it. */
const giveUp = { target: 'closest', actions: 'giveUp' } as const;

const writerSetup = setup({
  types: { input: {} as WriterInput, context: {} as WriterContext, output: {} as WrittenRepair | null },
  actors: {
    /** Null for no answer. */
    ask: fromPromise<Asked | null, AskInput>(notProvided),
    try: fromPromise<WrittenAttempt, TryInput>(notProvided),
    /** Null if the tests do not confirm it. */
    reduce: fromPromise<WrittenRepair | null, ReduceInput>(notProvided),
  },
  guards: {
    isAnswered: (_, asked: Asked | null) => asked !== null,
    passes: ({ context: { attempts } }) => isRepair(attempts.at(-1)),
    mayAskAgain: ({ context: { attempts, maxRequests } }) => attempts.length < maxRequests,
    isRepeated: ({ context: { attempts } }) => attempts.at(-1)?.repeated === true,
    isUnreadable: ({ context: { attempts } }) => attempts.at(-1)?.result === null,
    hasProgress: ({ context: { attempts } }) => closest(attempts) !== null,
    isConfirmed: (_, repair: WrittenRepair | null) => repair !== null,
    isGivenUp: ({ context }) => context.isGivenUp,
  },
  actions: {
    keepAsked: assign({ asked: (_, asked: Asked | null) => asked }),
    keepAttempt: assign({
      attempts: ({ context }, attempt: WrittenAttempt) => [...context.attempts, attempt],
    }),
    keepRepair: assign({ repair: (_, repair: WrittenRepair | null) => repair }),
    giveUp: assign({ isGivenUp: true }),
    /** A repair that only passed by chance. */
    dismiss: assign({
      attempts: ({ context: { attempts } }) =>
        attempts.map((each, index) =>
          index === attempts.length - 1
            ? { ...each, result: null, problems: [...each.problems, BY_CHANCE] }
            : each,
        ),
    }),
  },
});

/** A request to the model: the state is the node. */
function asking(node: WriterNode, description: string) {
  return {
    description,
    invoke: {
      id: node,
      src: 'ask',
      input: ({ context }: { context: WriterContext }): AskInput => ({ ...context, node }),
      onDone: [
        {
          guard: { type: 'isAnswered', params: output<Asked | null> },
          target: 'try',
          actions: { type: 'keepAsked', params: output<Asked | null> },
        },
        giveUp,
      ],
      onError: giveUp,
    },
  } as const;
}

/**
 * Lets a model repair a project in one conversation: its answer is edits of any files, which the failing tests and then
 * all tests judge; what they say is in the next prompt. Contains only the wiring, like `reflect.ts`.
 */
export const writerMachine = writerSetup.createMachine({
  id: 'writer',
  context: ({ input }) => ({ ...input, attempts: [], asked: null, repair: null, isGivenUp: false }),
  initial: 'start',
  states: {
    start: {
      description: 'May the model be asked?',
      always: [{ guard: 'mayAskAgain', target: 'draft' }, { target: 'ended' }],
    },
    draft: asking('draft', 'Show the model the failing tests and the most suspicious code.'),
    reflect: asking('reflect', 'Show it which tests pass now, and which fail, with their values.'),
    repeat: asking('repeat', 'Tell it that it has given this answer before.'),
    syntax: asking('syntax', 'Tell it why its edits cannot be applied, or cannot be run.'),
    try: {
      description: 'Apply the edits, and run the failing tests, then all.',
      invoke: {
        id: 'try',
        src: 'try',
        input: ({ context }) => ({ ...context, asked: context.asked ?? NO_ANSWER }),
        onDone: { target: 'next', actions: { type: 'keepAttempt', params: output } },
        onError: giveUp,
      },
    },
    next: {
      description: 'Do all tests pass? If not: what should the next prompt say?',
      always: [
        { guard: 'passes', target: 'reduce' },
        { guard: 'mayAskAgain', target: 'again' },
        { target: 'closest' },
      ],
    },
    again: {
      description: 'Is the answer new, and could its edits be tried?',
      always: [
        { guard: 'isRepeated', target: 'repeat' },
        { guard: 'isUnreadable', target: 'syntax' },
        { target: 'reflect' },
      ],
    },
    reduce: {
      description: 'Take out what is not needed, and run all tests in a process that has run nothing else.',
      invoke: {
        id: 'reduce',
        src: 'reduce',
        input: ({ context }) => ({ ...context, attempt: closest(context.attempts) ?? NO_ATTEMPT }),
        onDone: [
          {
            guard: { type: 'isConfirmed', params: output },
            target: 'ended',
            actions: { type: 'keepRepair', params: output },
          },
          { guard: 'isGivenUp', target: 'ended' },
          { guard: 'mayAskAgain', target: 'again', actions: 'dismiss' },
          { target: 'ended' },
        ],
        onError: 'ended',
      },
    },
    closest: {
      description: 'Did an answer make some tests pass, and break none?',
      always: [{ guard: 'hasProgress', target: 'reduce', actions: 'giveUp' }, { target: 'ended' }],
    },
    ended: { type: 'final' },
  },
  output: ({ context }) => context.repair,
});

function isRepair(attempt: WrittenAttempt | undefined): boolean {
  const { result = null } = attempt ?? {};
  return result !== null && result.broken.length === 0 && result.passed === result.of && result.of > 0;
}

/** The answer that makes most failing tests pass and breaks none; null if there is none. */
function closest(attempts: readonly WrittenAttempt[]): WrittenAttempt | null {
  const passed = ({ result }: WrittenAttempt): number =>
    result === null || result.broken.length > 0 ? 0 : result.passed;
  return attempts.reduce<WrittenAttempt | null>(
    (best, each) => (passed(each) > (best ? passed(best) : 0) ? each : best),
    null,
  );
}

const BY_CHANCE =
  'With your edits, the tests passed once, and not all of them when they ran again in a new process.';
const NO_ANSWER: Asked = { node: 'draft', completion: '', isCut: false };
const NO_ATTEMPT: WrittenAttempt = {
  ...NO_ANSWER,
  wanted: [],
  changes: [],
  problems: [],
  repeated: false,
  result: null,
};

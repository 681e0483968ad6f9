import { budgetOf } from './budgets.ts';
import type { AgentInput } from './context.ts';
import type { ConfirmInput, QuestionInput } from './project-actors.ts';
import { type ProjectContext, projectContext, projectSetup } from './project-setup.ts';
import { onActorError, output } from './states.ts';
import type { WriterInput } from './writer-actors.ts';

/** The same inside a state. */
const onSearchError = { ...onActorError, target: '#project.error' } as const;

/**
 * Repairs a project: runs its tests, ranks its functions, and searches for the repair of one function after another
 * until no test fails, none can be repaired, or the time is up. Contains only the wiring, like `reflect.ts`.
 */
export const projectMachine = projectSetup.createMachine({
  id: 'project',
  context: ({ input }) => projectContext(input),
  initial: 'copy',
  states: {
    copy: {
      description: 'Copy the project and find its tests.',
      invoke: {
        id: 'copy',
        src: 'copy',
        onDone: { target: 'test', actions: { type: 'keepProject', params: output } },
        onError: onActorError,
      },
    },
    test: {
      description: 'Run all tests and record which lines they execute.',
      invoke: {
        id: 'test',
        src: 'test',
        onDone: [
          {
            guard: { type: 'testsFail', params: output },
            target: 'repeat',
            actions: [{ type: 'keepFirst', params: output }, 'loadModel'],
          },
          { target: 'repeat', actions: { type: 'keepFirst', params: output } },
        ],
        onError: onActorError,
      },
    },
    repeat: {
      description: 'Run failing tests again: which are flaky, or need what the sandbox does not have?',
      invoke: {
        id: 'repeat',
        src: 'repeat',
        input: ({ context }) => context.first ?? { tests: [], fault: null },
        onDone: { target: 'locate', actions: { type: 'keepBaseline', params: output } },
        onError: onActorError,
      },
    },
    locate: {
      description: 'Rank the functions by how suspicious the tests make them.',
      invoke: {
        id: 'locate',
        src: 'locate',
        input: ({ context: { tests, changes } }) => ({ tests, changes }),
        onDone: { target: 'located', actions: { type: 'keepSuspects', params: output } },
        onError: onActorError,
      },
    },
    located: {
      description: 'Is there a test to repair, and a function that may be faulty?',
      always: [
        { guard: 'onlyFlakyTestsFail', target: 'notRepaired' },
        { guard: 'allTestsPass', target: 'nothingToRepair' },
        { guard: 'isOnlyRanking', target: 'notRepaired' },
        { guard: 'hasSuspects', target: 'repair' },
        { target: 'ended' },
      ],
    },
    repair: {
      description: 'Let a model write the repair, and search for it meanwhile.',
      entry: 'startWriting',
      invoke: {
        id: 'write',
        src: 'write',
        input: ({ context }) => writerOf(context),
        onDone: [
          {
            guard: { type: 'hasWritten', params: output },
            target: 'repairedOne',
            actions: [{ type: 'keepWritten', params: output }, 'endSearch'],
          },
          { actions: 'endWriting' },
        ],
        onError: { actions: 'endWriting' },
      },
      on: { answered: { actions: 'keepAnswered' } },
      initial: 'search',
      states: {
        search: {
          description: "Try candidates of one function: the model's answers and enumerated edits.",
          invoke: {
            id: 'search',
            src: 'search',
            input: ({ context }) => searchOf(context),
            onDone: [
              {
                guard: { type: 'searchFailed', params: output },
                target: '#project.error',
                actions: { type: 'keepCause', params: ({ event }) => event.output.cause },
              },
              { target: 'next', actions: { type: 'keepSearch', params: output } },
            ],
            onError: onSearchError,
          },
          on: { tried: { actions: { type: 'keepTried', params: ({ event }) => event } } },
        },
        next: {
          description: 'Is there a repair? If not: which function is next, and which of its candidates?',
          always: [
            { guard: 'hasProgressWhenTimeIsUp', target: 'confirm', actions: 'takeProgress' },
            { guard: 'isTimeUp', target: '#project.ended' },
            { guard: 'mayBeWritten', target: 'wait' },
            { guard: 'hasRepair', target: 'confirm' },
            { guard: 'hasNextSuspect', target: 'search', actions: 'takeNextSuspect' },
            { guard: 'triedEdits', target: 'search', actions: 'tryPromising' },
            { guard: 'triedPromising', target: 'search', actions: 'tryAll' },
            { guard: 'hasNextSlice', target: 'search', actions: 'tryNextSlice' },
            { guard: 'isWriting', target: 'wait' },
            { guard: 'hasProgress', target: 'confirm', actions: 'takeProgress' },
            { guard: 'triedAll', target: 'search', actions: 'tryPairs' },
            { target: '#project.ended' },
          ],
        },
        wait: {
          description: 'Wait for the answer of the model that writes.',
          always: [{ guard: 'needNotWait', target: 'next' }],
          after: { answerLimit: { guard: 'hasRepair', target: 'next', actions: 'keepAnswered' } },
        },
        confirm: {
          description: 'Run all tests in a process that has run nothing else.',
          invoke: {
            id: 'confirm',
            src: 'confirm',
            input: ({ context }) => confirmOf(context),
            onDone: [
              {
                guard: { type: 'isConfirmed', params: output },
                target: '#project.repairedOne',
                actions: { type: 'keepRepair', params: output },
              },
              { target: 'next', actions: 'dismissFound' },
            ],
            onError: onSearchError,
          },
        },
      },
    },
    repairedOne: {
      description: 'Does another test still fail?',
      always: [
        { guard: 'allTestsPass', target: 'ended' },
        { guard: 'isTimeUp', target: 'ended' },
        { target: 'locate' },
      ],
    },
    ended: {
      description: 'What do the tests say about the changes?',
      always: [
        { guard: 'hasNoRepair', target: 'notRepaired' },
        { guard: 'testsStillFail', target: 'partly', actions: 'keepIsolated' },
        { guard: 'otherRepairsMayPass', target: 'question' },
        { target: 'asked' },
      ],
    },
    question: {
      description: 'Do other repairs pass that behave differently, and which one is meant?',
      invoke: {
        id: 'question',
        src: 'question',
        input: ({ context }) => questionOf(context),
        onDone: { target: 'asked', actions: { type: 'keepQuestion', params: output } },
        onError: onActorError,
      },
    },
    asked: {
      description: 'Can the result be judged by two processes?',
      always: [{ guard: 'hasFlakyTests', target: 'repaired', actions: 'keepIsolated' }, { target: 'judge' }],
    },
    judge: {
      description: 'Two processes run the tests, only one with the changed code: do they agree?',
      invoke: {
        id: 'judge',
        src: 'judge',
        input: ({ context: { changes, repairs } }) => ({ changes, repairs }),
        onDone: { target: 'repaired', actions: { type: 'keepJudge', params: output } },
        onError: onActorError,
      },
    },
    repaired: { description: 'No test fails.', type: 'final' },
    partly: { description: 'Fewer tests fail than before.', type: 'final' },
    notRepaired: { description: 'Nothing was changed.', type: 'final' },
    nothingToRepair: { description: 'All tests pass.', type: 'final' },
    error: { description: 'The project, the model or the sandbox failed.', type: 'final' },
  },
});

/** @throws Error unless a candidate was found */
export function confirmOf({ tests, changes, suspects, found }: ProjectContext): ConfirmInput {
  const suspect = suspects[found?.place ?? -1];
  if (!found || !suspect) throw new Error('There is nothing to confirm.');
  return { tests, changes, suspect, found };
}

/** @throws Error unless a repair was confirmed */
export function questionOf({
  baseline,
  changes,
  suspects,
  found,
  others,
  after,
}: ProjectContext): QuestionInput {
  const suspect = suspects[found?.place ?? -1];
  if (!found || !suspect || !baseline || !after) throw new Error('There is no repair to ask about.');
  return { tests: baseline.tests, suspect, found, others, changes, after };
}

/** The tests to repair, for the model's conversation; without requests if it does not converse. */
export function writerOf({
  tests,
  changes,
  converses,
  iterations,
  maxRequests,
}: ProjectContext): WriterInput {
  return { tests, changes, maxRequests: converses ? Math.min(maxRequests, iterations + 1) : 0 };
}

/** Candidates of the suspect, as many as the effort says. */
export function searchOf(context: ProjectContext): AgentInput {
  const { suspects, place, effort, asksModel } = context;
  const asks = asksModel && effort !== 'edits';
  const suspect = suspects[place];
  if (!suspect) throw new Error(`There is no suspect ${place}.`);
  return {
    task: suspect.task,
    maxIterations: 0,
    // The likeliest answers have none.
    temperature: { schedule: 'constant', base: 0, step: 0, cap: 0 },
    feedback: 'tests',
    search: {
      answers: asks ? { kind: 'likeliest', most: 1 } : { kind: 'none' },
      edits: {
        budget: budgetOf(context, place),
        screening: effort === 'promising' ? 'all before asking' : 'first',
        ranked: false,
        pairs: effort === 'pairs',
      },
      suite: 'tests',
      seconds: SEARCH_SECONDS,
    },
  };
}

/** Processor time for pairs of edits. */
const SEARCH_SECONDS = 10;

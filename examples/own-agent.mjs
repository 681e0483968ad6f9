// An agent of your own: an XState machine that uses hefix's tasks and its sandbox. This one asks no model: it swaps one
// operator after another until the tests pass.
import { createSandbox, loadDataset } from 'hefix';
import { assign, createActor, fromPromise, setup, toPromise } from 'xstate';

const swaps = {
  '+': '-',
  '-': '+',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  and: 'or',
  or: 'and',
};

/** Each program in which one operator of the buggy one is swapped. */
function candidatesOf({ buggy }) {
  const operators = /(?<= )(?:[<>]=?|[=!]=|[+-]|and|or)(?= )/g;
  return [...buggy.matchAll(operators)].map(
    ({ 0: found, index }) => buggy.slice(0, index) + swaps[found] + buggy.slice(index + found.length),
  );
}

const sandbox = await createSandbox({ timeout: 5 });

const swapper = setup({
  actors: {
    execute: fromPromise(({ input: { task, candidate } }) =>
      sandbox.execute({
        language: task.language,
        candidate,
        tests: task.tests,
        entryPoint: task.entryPoint,
      }),
    ),
  },
  guards: {
    hasNone: ({ context }) => context.candidates.length === 0,
    isPassed: (_, verdict) => verdict.kind === 'passed',
  },
  actions: { drop: assign({ candidates: ({ context }) => context.candidates.slice(1) }) },
}).createMachine({
  context: ({ input: task }) => ({ task, candidates: candidatesOf(task) }),
  initial: 'choose',
  states: {
    choose: { always: [{ guard: 'hasNone', target: 'unsolved' }, { target: 'execute' }] },
    execute: {
      invoke: {
        src: 'execute',
        input: ({ context }) => ({ task: context.task, candidate: context.candidates[0] }),
        onDone: [
          { guard: { type: 'isPassed', params: ({ event }) => event.output.verdict }, target: 'solved' },
          { target: 'choose', actions: 'drop' },
        ],
      },
    },
    solved: { type: 'final' },
    unsolved: { type: 'final' },
  },
});

try {
  const { tasks } = await loadDataset('mini');
  for (const task of tasks.slice(0, Number(process.argv[2] ?? 12))) {
    const actor = createActor(swapper, { input: task }).start();
    await toPromise(actor);
    console.log(task.id, actor.getSnapshot().value);
  }
} finally {
  await sandbox.close();
}

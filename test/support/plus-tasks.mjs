import { runParts } from '../../dist/lib/run/library/run-parts.js';

/**
 * The real parts of a run on `count` tasks, with a sandbox that judges a candidate by its text alone, after `delay()`.
 * `createModel` opens the model.
 */
export function plusParts(count, { createModel, delay = async () => {} }) {
  const tasks = plusTasks(count);
  return {
    ...runParts(),
    loadDataset: async () => ({ name: 'set', fingerprint: 'sha256:1', tasks }),
    openSandbox: async () => ({
      isolation: 'ulimit',
      checkSyntax: async () => null,
      async execute({ candidate }) {
        await delay();
        return plusExecution(candidate);
      },
      close: async () => {},
    }),
    createModel,
  };
}

/** `count` tasks of the set `set`: the function plus_N adds N. */
function plusTasks(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: `set/${index}`,
    language: 'python',
    entryPoint: `plus_${index}`,
    declaration: `def plus_${index}(x):\n`,
    docstring: `Gives x plus ${index}.`,
    buggy: `def plus_${index}(x):\n    return x - ${index} - 1\n`,
    canonical: `def plus_${index}(x):\n    return x + ${index}\n`,
    tests: `assert plus_${index}(1) == ${index + 1}\n`,
    exampleTests: '',
    bugType: null,
  }));
}

/** The execution of a candidate, judged by its text alone. */
function plusExecution(candidate) {
  const kind = candidate.includes('x + ') ? 'passed' : 'failed';
  const verdict = { kind, message: candidate.trim().split('\n').at(-1) };
  const stdout = `ran ${candidate.length}`;
  return { verdict, stdout, stderr: '', droppedBytes: 0, exitCode: 0, seconds: 0, isolation: 'ulimit' };
}

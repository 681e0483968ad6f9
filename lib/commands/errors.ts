import { HefixError, SEE_HELP } from '../core/errors.ts';
import { RAISE_LIMITS } from '../model/server/errors.ts';
import { NEVER_STOP } from '../run/errors.ts';

export function completionShellUnknown(shell: string, known: readonly string[]): HefixError {
  return new HefixError(
    'SHELL_UNKNOWN',
    `There is no completion for the shell ${JSON.stringify(shell)}.`,
    `Choose one of ${known.join(', ')}.`,
  );
}

export function trustNeedsTerminal(): HefixError {
  return new HefixError(
    'TRUST_NEEDS_TERMINAL',
    'hefix trust asks for confirmation, and standard input is no terminal.',
    'Run it yourself in a terminal; scripts can give options on the command line.',
  );
}

/** For an argument that is not one of those in `usage`. */
export function argumentUnknown(argument: string, command: string, usage: string): HefixError {
  const message = `hefix ${command} takes ${usage}, but was given ${JSON.stringify(argument)}.`;
  return new HefixError('ARGUMENT_UNEXPECTED', message, SEE_HELP);
}

/** A generations.json names no tasks: it must have one list a task. */
export function generationsIncomplete(path: string, index: number): HefixError {
  return new HefixError(
    'GENERATIONS_INCOMPLETE',
    `${path} has no record of task ${index + 1} of its dataset.`,
    'generations.json identifies tasks by position: run all tasks, or the first ones with --ts.',
  );
}

export function solutionMissing(dataset: string, taskId: string): HefixError {
  return new HefixError(
    'DATASET_COLUMN_MISSING',
    `${dataset} has no canonical_solution for ${taskId}.`,
    'verify needs the correct solution of every task; --columns canonical_solution=… names its column.',
  );
}

export function mergeOverlap(name: string, first: string, second: string): HefixError {
  return new HefixError(
    'MERGE_OVERLAP',
    `${first} and ${second} both contain ${name}.`,
    'Merge each part of a run once, such as the results of --shard 1/2 and --shard 2/2.',
  );
}

export function mergeMismatch(what: string, first: [string, string], second: [string, string]): HefixError {
  return new HefixError(
    'MERGE_MISMATCH',
    `${first[0]} was written with ${what} ${first[1]}, and ${second[0]} with ${second[1]}.`,
    'Only parts of one run can be merged; use hefix compare for two runs.',
  );
}

export function mergeInProgress(path: string): HefixError {
  return new HefixError('MERGE_GROWING', `${path} is still being written.`, 'Wait until its run has ended.');
}

/** Nothing that a run could repeat: the samples came from elsewhere. */
export function rerunOfScored(path: string, samples: string): HefixError {
  return new HefixError(
    'RERUN_SCORED',
    `${path} describes samples that were scored, not a run that could be repeated.`,
    `Score them again: hefix score ${samples}.`,
  );
}

export function resumeNothing(folder: string): HefixError {
  return new HefixError(
    'RESUME_NOTHING',
    `There is no unfinished run with these options in ${folder}/.`,
    'Name the file to continue with --out, or leave out --resume.',
  );
}

/** The user said no, or there is nobody to ask. */
export function resumeUnconfirmed(path: string, done: string): HefixError {
  return new HefixError(
    'RESUME_UNCONFIRMED',
    `The last unfinished run with these options is ${path}, in which ${done}.`,
    `To continue it, add --yes or --out ${path}.`,
  );
}

export function robustInterrupted(path: string, compared: number, solved: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${compared} of ${solved} solutions in ${path} have been compared.`,
    'To continue, run the same command again.',
  );
}

export function sweepInterrupted(folder: string, done: number, runs: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${done} of ${runs} runs are done, and nothing recorded in ${folder} is lost.`,
    'To resume, run the same command with --resume.',
  );
}

/**
 * An error that ended one run of a sweep: the hint names that run's file, and a sweep is resumed as a whole.
 */
export function sweepStopped(error: HefixError): HefixError {
  const hints: Readonly<Record<string, string>> = {
    TOO_MANY_ERRORS: `Fix the cause, then run the same command with --resume: tasks in error run again. ${NEVER_STOP}`,
    BACKEND_LIMITED: `Run the same command again later with --resume. ${RAISE_LIMITS}`,
  };
  const hint = hints[error.code];
  return hint === undefined ? error : new HefixError(error.code, error.message, hint, error);
}

export function queueWithoutRun(queue: string): HefixError {
  return new HefixError(
    'QUEUE_WITHOUT_RUN',
    `The queue ${queue} holds no run.`,
    'Start one with hefix run --queue, or check --queue-name.',
  );
}

/** `name`: the task and the sample. */
export function solutionBroke(name: string, cause: { code: string; message: string }): HefixError {
  return new HefixError(
    'SOLUTION_BROKE',
    `${name} could not be judged: ${cause.code}: ${cause.message}`,
    'Fix the cause, then run the same command with --out and --resume.',
  );
}

import { HefixError, isTooLong } from '../core/errors.ts';
import type { RunRecord } from '../core/record.ts';
import type { RunOptions } from '../options/tables/run-options.ts';

export function modelScriptInvalid(path: string, line: number, problem: string, cause?: unknown): HefixError {
  return new HefixError(
    'MODEL_SCRIPT_INVALID',
    `The script ${path} cannot be replayed: line ${line}: ${problem}.`,
    'Give a JSONL file of {"when": "def f(", "completions": ["…"]} with --model.',
    cause,
  );
}

export function modelScriptNoMatch(model: string): HefixError {
  return new HefixError(
    'MODEL_SCRIPT_NO_MATCH',
    `No line of the script ${model} matches this request.`,
    'Add a line whose "when" occurs in the messages.',
  );
}

export function modelWithoutBeams(model: string): HefixError {
  return new HefixError(
    'MODEL_WITHOUT_BEAMS',
    `${model} does not report the likelihoods of its tokens, which beam search needs.`,
    'Leave out --beams, or use a local model.',
  );
}

/** Does not repeat the value: it may be a key given by mistake. */
export function backendKeyVariableUnset(): HefixError {
  return new HefixError(
    'BACKEND_KEY_MISSING',
    'The environment variable that --api-key-env names is not set, neither in the environment nor in the .env of a trusted folder.',
    'Give the name of a variable that holds the key, not the key itself; hefix trust makes .env count.',
  );
}

/** The model's answer was empty, also when asked again. */
export const EMPTY_ANSWER = 'BACKEND_ANSWER_EMPTY';

/** Whether every later task would fail with the same error, so that continuing is pointless. */
export function endsRun(error: unknown): error is HefixError {
  return error instanceof HefixError && RUN_ENDING.includes(error.code);
}

const RUN_ENDING: readonly string[] = [
  'BACKEND_ADDRESS_WRONG',
  'BACKEND_KEY_MISSING',
  'BACKEND_KEY_REFUSED',
  'BACKEND_LIMITED',
  'BACKEND_MODEL_UNKNOWN',
  'BACKEND_PARAMETER_REFUSED',
  'BACKEND_UNREACHABLE',
];

export function tasksUnknown(pattern: string, dataset: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'TASKS_UNKNOWN',
    `No task of ${dataset} matches --tasks ${pattern}.`,
    nearest === undefined ? 'Give values of the column task_id, or globs.' : `Did you mean ${nearest}?`,
  );
}

export function interrupted(path: string, recorded: number, total: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${recorded} of ${total} tasks are recorded in ${path}.`,
    `To resume, run the same command with --out ${path} --resume.`,
  );
}

function taskBroke(taskId: string, cause: { code: string; message: string }): HefixError {
  return new HefixError(
    'TASK_BROKE',
    `Stopped at ${taskId} because of --fail-fast: ${cause.code}: ${cause.message}`,
    'Fix the cause, then run the same command with --resume.',
  );
}

/** `cause`: the last error; `share`: the tasks with it, if they were not in a row. */
function tooManyErrors(
  path: string,
  count: number,
  cause: { code: string; message: string },
  share?: string,
): HefixError {
  return new HefixError(
    'TOO_MANY_ERRORS',
    `Stopped after ${endedInError(count, share)}, ${cause.code}: ${cause.message}`,
    `Fix the cause, then run the same command with --out ${path} --resume: tasks in error run again. ${NEVER_STOP}`,
  );
}

function endedInError(count: number, share: string | undefined): string {
  if (share !== undefined) return `${share} ended in the same error`;
  return count === 1 ? 'a task ended in an error' : `${count} tasks in a row ended in the same error`;
}

export const NEVER_STOP = 'With --max-errors 0, such errors do not stop a run.';

export function nothingRan(tasks: number, cause: { code: string; message: string }): HefixError {
  return new HefixError(
    'NOTHING_RAN',
    `${tasks === 1 ? 'The task could not be judged; it' : `None of the ${tasks} tasks could be judged; the first`} ended with ${cause.code}: ${cause.message}`,
    afterNothingRan(cause.code),
  );
}

function afterNothingRan(code: string): string {
  if (isTooLong(code)) return 'Use a model with a longer context, or lower --max-new-tokens or --iters.';
  if (code.startsWith('BACKEND_')) {
    return 'Check --base-url and the server, or raise --request-timeout or --max-tries.';
  }
  return 'Try another model, or run hefix doctor to check this system.';
}

/** `described`: what says that the model is a server; its address is not taken from there. */
export function serverNotNamed(
  described: string,
  baseUrl: string | undefined,
  provider = 'openai',
): HefixError {
  const option = baseUrl === undefined ? `--provider ${provider}` : `--base-url ${baseUrl}`;
  return new HefixError(
    'SERVER_NOT_NAMED',
    `The model is a server, whose address and key are not taken from the ${described}.`,
    `If you know the server that it was planned with, give ${option}, and --api-key-env unless the usual variable holds the key.`,
  );
}

export function serverNotUsed(described: string): HefixError {
  return new HefixError(
    'SERVER_NOT_NAMED',
    `A server is given, but the ${described} names a model that runs on this machine.`,
    'Leave out --base-url, --provider and --api-key-env.',
  );
}

/** Counts consecutive jobs, in order of completion, with the same error. */
interface ErrorCount {
  /** Throws the error to stop with, if this record is one too many. */
  check(record: Pick<RunRecord, 'task_id' | 'error' | 'attempts'>): void;
}

/** More empty answers than this say nothing about the model. */
const MAX_EMPTY_SHARE = 0.1;

/**
 * Stops a run at the first job in error (`failFast`), or after `maxErrors` with the same error; 0 never does. Empty
 * answers count however many tasks lie between them. An error caused by the task itself (invalid tests, a conversation
 * that is too long) neither counts nor ends a series.
 * @param path the results file, for the error's hint
 */
export function createErrorCount(
  { failFast, maxErrors }: Pick<RunOptions, 'failFast' | 'maxErrors'>,
  path: string,
): ErrorCount {
  let [code, count] = ['', 0];
  let [jobs, empty] = [0, 0];
  return {
    check({ task_id, error, attempts }) {
      jobs++;
      if (error === null) {
        count = 0;
        return;
      }
      if (failFast) throw taskBroke(task_id, error);
      if (error.code === 'TESTS_INVALID' || (isTooLong(error.code) && attempts.length > 0)) return;
      count = error.code === code ? count + 1 : 1;
      code = error.code;
      if (maxErrors > 0 && count >= maxErrors) throw tooManyErrors(path, count, error);
      if (code !== EMPTY_ANSWER) return;
      empty++;
      if (maxErrors > 0 && empty >= maxErrors && empty > jobs * MAX_EMPTY_SHARE) {
        throw tooManyErrors(path, empty, error, `${empty} of ${jobs} tasks`);
      }
    },
  };
}

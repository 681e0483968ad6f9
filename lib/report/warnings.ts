import { sumOf } from '../core/numbers.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import type { PassAtK } from './task-runs.ts';
import { isChosenByTests } from './usage.ts';

/** Input of the warnings that is not part of a record. */
export interface WarningFacts {
  /** Seconds of the longest execution that passed. */
  readonly slowest: number | null;
  /** Time limit of an execution in seconds. */
  readonly timeout: number | undefined;
  /** Runs that ended in an error after a judged attempt had failed. */
  readonly failedBeforeError: number;
  /** Tasks with a judged run. */
  readonly tasks: number;
  readonly atK: readonly PassAtK[];
}

/** Warnings about the figures; whole sentences. */
export function warningsOf(
  records: readonly RecordFacts[],
  { slowest, timeout, failedBeforeError, tasks, atK }: WarningFacts,
): string[] {
  return [
    ...promptWarnings(records),
    ...searchWarnings(records),
    ...errorWarnings(records, failedBeforeError),
    ...slowWarnings(slowest, timeout),
    ...fewSamplesWarnings(tasks, atK),
  ];
}

/** The estimator needs k runs of a task, so that a figure may leave out tasks that failed. */
function fewSamplesWarnings(tasks: number, atK: readonly PassAtK[]): string[] {
  return atK
    .filter(share => share.tasks < tasks)
    .map(
      ({ k, tasks: enough }) =>
        `For k = ${k}, ${enough} of ${tasks} tasks ${enough === 1 ? 'has' : 'have'} enough samples; the others are not in that figure.`,
    );
}

/** Over all executions, since the last one of a run is not its only one. */
export function slowestPass(records: readonly RecordFacts[]): number | null {
  let slowest: number | null = null;
  for (const record of records) {
    for (const seconds of passesIn(record)) slowest = Math.max(slowest ?? 0, seconds);
  }
  return slowest;
}

function passesIn(record: RecordFacts): number[] {
  const passes = record.attempts.filter(({ verdict }) => verdict?.kind === 'passed');
  return [
    ...passes.map(({ seconds: { execution, prescreen = 0 } }) => execution - prescreen),
    ...finalPass(record),
  ];
}

/** Agents without test feedback give an answer that the tests judge after the last attempt. */
function finalPass(record: RecordFacts): number[] {
  if (!record.passed || record.feedback === 'tests') return [];
  const earlier = sumOf(record.attempts, ({ seconds }) => seconds.execution);
  return [Math.max(0, Math.round((record.timings_sec.execution - earlier) * 1000) / 1000)];
}

function promptWarnings(records: readonly RecordFacts[]): string[] {
  const isTold = ({ prompt, template }: RecordFacts) => prompt === 'humanevalfixtests' && template !== 'api';
  if (!records.some(isTold)) return [];
  return ['The prompt contained the hidden tests, as the protocol humanevalfixtests requires.'];
}

function searchWarnings(records: readonly RecordFacts[]): string[] {
  if (!records.some(isChosenByTests)) return [];
  return ['The search tried its candidates on the hidden tests, so its share is not pass@1.'];
}

/** Only failing runs can end this way, which biases the figures of later iterations upwards. */
function errorWarnings(records: readonly RecordFacts[], failedBeforeError: number): string[] {
  if (failedBeforeError === 0) return [];
  const solved = records.filter(({ passed }) => passed).length;
  const counted = records.filter(({ passed }) => passed !== null).length + failedBeforeError;
  const runs = failedBeforeError === 1 ? 'One run' : `${failedBeforeError} runs`;
  return [
    `${runs} ended in an error after a failed attempt: they count up to that attempt and not in later figures. Counted as unsolved, they make it ${solved}/${counted}.`,
  ];
}

/** A system half as fast would have reported a timeout. */
function slowWarnings(slowest: number | null, timeout: number | undefined): string[] {
  if (slowest === null || timeout === undefined || slowest < timeout / 2) return [];
  return [
    `The slowest passing execution took ${slowest.toFixed(1)} s of the ${timeout} s that --timeout allows; raise --timeout or lower --workers.`,
  ];
}

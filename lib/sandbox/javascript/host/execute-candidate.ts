import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExecuteRequest, Execution } from '../../../core/ports.ts';
import type { AssertionCounts, IsolationLevel, Verdict } from '../../../core/verdict.ts';
import { isolatedVmMissing, sandboxFailed, testsInvalid } from '../../errors.ts';
import {
  awaitReport,
  canBeCounted,
  countSeconds,
  executionOf,
  judgeSeed,
  type NoReport,
  outputGrace,
  unlessEmpty,
} from '../../process/execution.ts';
import type { Pair } from '../../process/pairs.ts';
import { prepareTests } from '../tests/prepare-tests.ts';
import { taskHelpers } from '../tests/task-helpers.ts';
import { scriptOf } from './check-syntax.ts';
import { type IsolatedProcess, isolatedVmVersion } from './isolated-vm.ts';
import { type Job, type Report, sendJob } from './job.ts';

/** Milliseconds that the judge has after the candidate's end to report what was running. */
const JUDGE_GRACE = 300;

export interface ExecuteOptions {
  readonly timeoutSeconds: number;
  readonly isolation: IsolationLevel;
  readonly signal: AbortSignal;
  /** Takes over the end of processes that have been told to end: no verdict waits for it. */
  leave(ending: Promise<void>): void;
}

/**
 * Sends a new pair its candidate and tests, waits for the verdict, and tells both processes to end; or one process, if the
 * tests need it. That the judge finds it out while it runs depends on what the tests hand over. Rejects with
 * TESTS_INVALID, ISOLATED_VM_MISSING or SANDBOX_FAILED, or the signal's reason.
 */
export async function executeCandidate(
  start: {
    /** Judge and candidate as two processes. */
    pair(): Pair;
    /** Candidate and tests in one process. */
    together(): IsolatedProcess;
  },
  request: ExecuteRequest,
  { timeoutSeconds, isolation, signal, leave }: ExecuteOptions,
): Promise<Execution> {
  const { candidate, entryPoint, tests, declaration = '' } = request;
  const helpers = taskHelpers(declaration, entryPoint);
  const prepared = prepareTests(tests, entryPoint, helpers);
  const program = scriptOf(candidate);
  const job: Job = { candidate: program, entryPoint, tests: prepared, helpers, seed: judgeSeed(request) };
  const options = { timeoutSeconds, isolation, signal, leave };
  const together = async (): Promise<Execution> => {
    const execution = await judgedIn(start.together(), job, options);
    if (execution === 'isolate') throw sandboxFailed('one process asked for one process');
    return { ...execution, judge: 'isolated' };
  };
  if (request.judge === 'isolated' || prepared.needsOneProcess !== undefined) return together();
  const judged = await judgedIn(start.pair(), job, options);
  if (judged === 'isolate') return together();
  if (!request.counts || !canBeCounted(judged)) return { ...judged, judge: 'proven' };
  const counting = { ...job, tests: prepareTests(tests, entryPoint, helpers, true) };
  const counts = await countCandidate(start.pair(), counting, { signal, leave });
  return { ...judged, judge: 'proven', ...(counts && { counts }) };
}

/** The verdict, or that only one process can give one. */
async function judgedIn(
  pair: Pair | IsolatedProcess,
  job: Job,
  { timeoutSeconds, isolation, signal, leave }: ExecuteOptions,
): Promise<Execution | 'isolate'> {
  const start = performance.now();
  try {
    const reporting = sendJob(pair, job, 'secret' in pair ? pair.secret : undefined);
    const limits = { timeoutSeconds, judgeGrace: JUDGE_GRACE, signal };
    const { report, timedOut: isLate } = await awaitReport(pair, reporting, limits);
    const timedOut = isLate || (await ranOutOfProcessorTime(report, pair));
    const seconds = (performance.now() - start) / 1000;
    if (!timedOut && typeof report === 'object' && report?.kind === 'isolate') return 'isolate';
    const verdict = timedOut ? timeoutVerdict(report, timeoutSeconds) : await verdictOf(report, pair);
    const exitCode = timedOut ? null : await exitCodeOf(pair, verdict);
    return await executionOf(pair, { verdict, exitCode, seconds, isolation });
  } finally {
    leave(pair.destroy());
  }
}

type Reported = Report | NoReport | null;

function timeoutVerdict(report: Reported, seconds: number): Verdict {
  const lost = typeof report === 'object' && report?.kind === 'lost' ? report : null;
  const what =
    lost && lost.doing !== 'The candidate' ? `${lost.doing} did not return` : 'The tests did not end';
  return {
    kind: 'timeout',
    message: `${what} within ${seconds} seconds.`,
    ...(lost?.test ? { test: lost.test } : {}),
  };
}

async function verdictOf(report: Reported, pair: Pair): Promise<Verdict> {
  if (report === null || report === 'not started')
    throw sandboxFailed(await complaint(pair, 'the judge ended early'));
  if (report === 'judge lost' && pair.judge === pair.candidate) {
    // The process ended, or wrote to the channel itself.
    await Promise.race([pair.candidate.exited, pause(JUDGE_GRACE)]);
    pair.candidate.kill();
    if (await ranOutOfMemory(pair))
      return { kind: 'memory', message: 'The tests used more memory than they may.' };
    return { kind: 'exited', message: 'The tests ended without a verdict.' };
  }
  if (report === 'judge lost' || report.kind === 'started') {
    const message = 'The tests used more memory than they may with what the candidate gave them.';
    return { kind: 'memory', message };
  }
  if (report.kind === 'not started') throw sandboxFailed(await complaint(pair, 'its process did not start'));
  if (report.kind === 'verdict') return report.verdict;
  if (report.kind === 'counts' || report.kind === 'isolate') throw sandboxFailed('the judge gave no verdict');
  if (report.kind === 'tests invalid') throw testsInvalid(report.what);
  if (report.kind === 'no isolated-vm') throw isolatedVmMissing(isolatedVmVersion(), report.why);
  const test = report.test ? { test: report.test } : {};
  if (report.why === 'memory' || (report.why === 'gone' && (await ranOutOfMemory(pair)))) {
    return { kind: 'memory', message: `${report.doing} used more memory than it may.`, ...test };
  }
  return { kind: 'exited', message: `${report.doing} ended the process.`, ...test };
}

/** The kernel limits processor time too, and may be first where a process had to wait for its turns. */
async function ranOutOfProcessorTime(report: Reported, pair: Pair): Promise<boolean> {
  const isGone = typeof report === 'object' && report?.kind === 'lost' && report.why === 'gone';
  const ended = isGone ? pair.candidate : report === 'judge lost' ? pair.judge : null;
  const exit = await Promise.race([ended?.exited, pause(JUDGE_GRACE)]);
  return exit?.signal === 'SIGXCPU' || exit?.code === 128 + constants.signals.SIGXCPU;
}

/** V8 ends the process if it cannot allocate memory for itself. */
async function ranOutOfMemory(pair: Pair): Promise<boolean> {
  await Promise.race([pair.candidate.exited, pair.stderr.ended(outputGrace)]);
  const { code, signal } = await pair.candidate.exited;
  const killed = signal === 'SIGKILL' || code === 128 + 9;
  return killed || /out of memory|allocation failed/i.test(pair.stderr.text());
}

async function exitCodeOf(pair: Pair, verdict: Verdict): Promise<number | null> {
  return verdict.kind === 'exited' ? (await pair.candidate.exited).code : null;
}

async function complaint(pair: Pair, what: string): Promise<string> {
  await Promise.all([pair.stderr.ended(outputGrace), pair.complaints.ended(outputGrace)]);
  const lines = `${pair.stderr.text()}\n${pair.complaints.text()}`.trim().split('\n');
  return `${what} (${lines.find(line => /error/i.test(line)) ?? lines.at(-1) ?? ''})`;
}

/**
 * Sends a new pair a candidate that has its verdict, with tests whose assertions are counted, and ends both processes.
 * Undefined if there is nothing to count, or it takes too long.
 */
async function countCandidate(
  pair: Pair,
  job: Job,
  { signal, leave }: Pick<ExecuteOptions, 'signal' | 'leave'>,
): Promise<AssertionCounts | undefined> {
  try {
    const limits = { timeoutSeconds: countSeconds, judgeGrace: 0, signal };
    const { report, timedOut } = await awaitReport(pair, sendJob(pair, job), limits);
    const isCounted = typeof report === 'object' && report?.kind === 'counts' && !timedOut;
    return isCounted ? unlessEmpty(report.counts) : undefined;
  } finally {
    leave(pair.destroy());
  }
}

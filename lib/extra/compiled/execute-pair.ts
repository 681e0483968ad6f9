import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Execution } from '../../core/ports.ts';
import type { IsolationLevel, Verdict } from '../../core/verdict.ts';
import { sandboxFailed, testsInvalid } from '../../sandbox/errors.ts';
import {
  awaitReport,
  executionOf,
  type NoReport,
  outputGrace,
  readReport,
} from '../../sandbox/process/execution.ts';
import type { Pair } from '../../sandbox/process/pairs.ts';
import type { Exit } from '../../sandbox/process/started-process.ts';
import {
  type JudgeReport,
  parseReport,
  sentence,
  subjectOf,
  testOf,
  verdictOfReport,
} from './judge-report.ts';
import type { CandidateEnd, Toolchain } from './toolchain.ts';

/** Milliseconds that the judge gets to report its position after the candidate has ended. */
const JUDGE_GRACE = 500;
/** Milliseconds that processes get to exit when they have nothing left to do. */
const EXIT_GRACE = 100;
/** Milliseconds within which a candidate that closed its connection is expected to exit. */
const END_GRACE = 1000;

export interface ExecuteOptions {
  readonly tests: string;
  readonly timeoutSeconds: number;
  readonly isolation: IsolationLevel;
  readonly explainEnd: Toolchain['explainEnd'];
  /** The candidate's line at one of the addresses, for languages that report addresses. */
  readonly lineOf?: (addresses: string) => Promise<number | undefined>;
  readonly signal: AbortSignal;
}

/**
 * Waits for the verdict of a pair that was just started. The caller destroys the pair. Rejects with
 * TESTS_INVALID, SANDBOX_FAILED or the signal's reason.
 */
export async function executePair(pair: Pair, options: ExecuteOptions): Promise<Execution> {
  const start = performance.now();
  const { report, timedOut } = await awaitReport(pair, readReport(pair.channel, parseReport), {
    ...options,
    judgeGrace: JUDGE_GRACE,
  });
  const seconds = (performance.now() - start) / 1000;
  const { verdict, exitCode } = await outcomeOf(pair, report, timedOut, options);
  const { isolation } = options;
  // Both exit by themselves when the tests are over, after writing their remaining output.
  const ended = Promise.all([pair.judge.exited, pair.candidate.exited]);
  if (!timedOut) await Promise.race([ended, pause(EXIT_GRACE, null, { ref: false })]);
  return { ...(await executionOf(pair, { verdict, exitCode, seconds, isolation })), judge: 'proven' };
}

async function outcomeOf(
  pair: Pair,
  report: JudgeReport | NoReport | null,
  timedOut: boolean,
  options: ExecuteOptions,
): Promise<{ verdict: Verdict; exitCode: number | null }> {
  if (report === 'not started') throw sandboxFailed(await complaint(pair, 'the judge did not start'));
  const isCut = report === null || report === 'judge lost' || report.kind === 'lost';
  if (timedOut && isCut) return await lateVerdict(pair, report, options);
  if (report === null || report === 'judge lost')
    return { verdict: await lostVerdict(pair, options), exitCode: null };
  if (report.kind === 'counted') throw sandboxFailed('the judge counted instead of judging');
  if (report.kind === 'invalid') throw testsInvalid(report.message ?? 'cannot be run');
  if (report.kind === 'lost') return await endedVerdict(pair, report, options);
  const { exceptionLine } = report;
  const line = typeof exceptionLine === 'string' ? await options.lineOf?.(exceptionLine) : exceptionLine;
  return { verdict: verdictOfReport({ ...report, exceptionLine: line }, options.tests), exitCode: null };
}

/** Tests may end the judge themselves, and so does a panic that nobody recovers from. */
async function lostVerdict(
  pair: Pair,
  { tests, explainEnd }: Pick<ExecuteOptions, 'tests' | 'explainEnd'>,
): Promise<Verdict> {
  const exit = await Promise.race([pair.judge.exited, pause(END_GRACE, null, { ref: false })]);
  await pair.complaints.ended(outputGrace);
  const end = exit && explainEnd(pair.complaints.text(), exit);
  if (end?.exception) return verdictOfReport({ kind: 'raised', ...end.exception }, tests);
  if (!exit || exit.code === null || signalOf(exit) !== null || end?.kind === 'memory') {
    const message = 'The tests ended without a verdict while they worked on what the candidate gave.';
    return { kind: 'memory', message };
  }
  return { kind: 'failed', message: `The tests ended with status ${exit.code}.` };
}

async function lateVerdict(
  pair: Pair,
  report: JudgeReport | NoReport | null,
  { tests, timeoutSeconds, explainEnd }: ExecuteOptions,
): Promise<{ verdict: Verdict; exitCode: number | null }> {
  const lost: Partial<JudgeReport> = typeof report === 'object' && report !== null ? report : {};
  const test = testOf(lost, tests);
  const exit = await pair.candidate.exited;
  await pair.stderr.ended(outputGrace);
  // A runtime may take long to report a stack overflow.
  const end = explainEnd(pair.stderr.text(), exit);
  if (end?.kind === 'raised') return { ...endOf(exit, end, subjectOf(lost), test), exitCode: null };
  const subjectText = lost.call ? `${sentence(lost.call)} did not return` : 'The tests did not end';
  const message = `${subjectText} within ${timeoutSeconds} seconds.`;
  return { verdict: { kind: 'timeout', message, ...test }, exitCode: null };
}

/** The candidate closed its connection to the judge, which nearly always means that it exited. */
async function endedVerdict(
  pair: Pair,
  report: JudgeReport,
  { tests, explainEnd }: ExecuteOptions,
): Promise<{ verdict: Verdict; exitCode: number | null }> {
  const exit = await Promise.race([pair.candidate.exited, pause(END_GRACE, null, { ref: false })]);
  pair.candidate.kill();
  await pair.stderr.ended(outputGrace);
  const subject = subjectOf(report);
  const test = testOf(report, tests);
  if (exit === null)
    return {
      verdict: { kind: 'exited', message: `${subject} closed its line to the tests.`, ...test },
      exitCode: null,
    };
  return endOf(exit, explainEnd(pair.stderr.text(), exit), subject, test);
}

async function complaint(pair: Pair, problem: string): Promise<string> {
  await pair.complaints.ended(outputGrace);
  const last = pair.complaints.text().trim().split('\n').at(-1);
  return last ? `${problem} (${last})` : problem;
}

/** The verdict on a candidate whose process ended while the tests waited for it. */
function endOf(
  exit: Exit,
  explained: CandidateEnd | null,
  subject: string,
  test: Pick<Verdict, 'test'>,
): { readonly verdict: Verdict; readonly exitCode: number | null } {
  const signal = signalOf(exit);
  const exitCode = signal === null ? exit.code : 128 + constants.signals[signal];
  const end = explained ?? endBySignal(signal);
  if (end) {
    const { kind, exception } = end;
    if (kind === 'syntax' && exception)
      return { verdict: { kind, message: `${exception.message}.`, exception }, exitCode };
    const outcome = kind === 'memory' ? 'used more memory than it may' : 'ended the process';
    const why = exception ? `: ${exception.type}${exception.message && `: ${exception.message}`}` : '';
    const line = exception?.line === undefined ? '' : ` (line ${exception.line})`;
    const message =
      kind === 'raised' && exception
        ? `${subject} raised ${why.slice(2)}${line}.`
        : `${subject} ${outcome}${why}${line}.`;
    return { verdict: { kind, message, ...test, ...(exception ? { exception } : {}) }, exitCode };
  }
  const how = signal === null ? `with status ${exit.code}` : `by ${signal}`;
  const kind = signal === 'SIGXCPU' ? 'timeout' : 'exited';
  return { verdict: { kind, message: `${subject} ended the process ${how}.`, ...test }, exitCode };
}

/** The kernel sends SIGKILL when memory is used up, or a second after SIGXCPU. */
function endBySignal(signal: NodeJS.Signals | null): CandidateEnd | null {
  return signal === 'SIGKILL' ? { kind: 'memory' } : null;
}

/** bubblewrap reports death by signal N as exit code 128 + N. */
export function signalOf({ code, signal }: Exit): NodeJS.Signals | null {
  if (signal !== null || code === null || code <= 128) return signal;
  const signalEntry = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return (signalEntry?.[0] as NodeJS.Signals | undefined) ?? null;
}

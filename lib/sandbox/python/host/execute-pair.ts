import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { unlessAborted } from '../../../core/async/signals.ts';
import type { ExecuteRequest, Execution } from '../../../core/ports.ts';
import type { AssertionCounts, IsolationLevel, Verdict } from '../../../core/verdict.ts';
import { sandboxFailed, testsInvalid } from '../../errors.ts';
import {
  countedInTime,
  executionOf,
  judgeKindOf,
  judgeSeed,
  outputGrace,
} from '../../process/execution-of.ts';
import { frame } from '../../process/frames.ts';
import type { Exit } from '../../process/started-process.ts';
import { processorWait, timeLimit, timeLimitFromNow } from '../../process/time-limit.ts';
import type { ExecutionPair } from './execution-pairs.ts';
import { type JudgeReport, readReport } from './judge-report.ts';

/** Milliseconds that the judge has, after it is notified that the time is up, to report what was running. */
const judgeGrace = 600;
/**
 * Additional milliseconds once the candidate has been ended; after that, the judge is stuck in one operation.
 */
const lateGrace = 300;
/** Milliseconds that a judge may take to start on a busy system. */
const startGrace = 20_000;
/** Milliseconds to wait for another process's report after a process has ended. */
const endGrace = 1000;

/** Signals that the kernel or a crash ends a process with. */
const signalNumbers: Record<number, NodeJS.Signals> = {
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  24: 'SIGXCPU',
};

/**
 * Sends a new pair its candidate and tests, and waits for the verdict. The caller destroys the pair and may
 * use the verdict before. Rejects with TESTS_INVALID or SANDBOX_FAILED, or the signal's reason.
 */
export async function executePair(
  pair: ExecutionPair,
  request: ExecuteRequest,
  timeoutSeconds: number,
  isolation: IsolationLevel,
  signal: AbortSignal | undefined,
): Promise<Execution> {
  const start = performance.now();
  let onCounts = (_: AssertionCounts) => {};
  const counted = new Promise<AssertionCounts>(resolve => {
    onCounts = resolve;
  });
  const report = await awaitReport(pair, request, timeoutSeconds, signal, onCounts);
  if ('fault' in report) throw testsInvalid(report.fault);
  if ('broken' in report) throw sandboxFailed(await complaint(pair, report.broken));
  const seconds = (performance.now() - start) / 1000;
  const { verdict, exitCode } = await withExit(pair, report.verdict);
  const counts = report.counting ? await countedInTime(counted, pair.waited) : undefined;
  const execution = await executionOf(pair, { verdict, exitCode, seconds, isolation });
  return {
    ...execution,
    judge: judgeKindOf(request.judge, verdict, report.unproven),
    ...(counts && { counts }),
  };
}

async function awaitReport(
  pair: ExecutionPair,
  request: ExecuteRequest,
  timeoutSeconds: number,
  signal: AbortSignal | undefined,
  onCounts: (counts: AssertionCounts) => void,
): Promise<JudgeReport> {
  const { candidate, tests, entryPoint, declaration = '', judge = 'proven', counts = false } = request;
  const milliseconds = Math.round(timeoutSeconds * 1000);
  const over = new AbortController();
  const later = (delay: number) => pause(delay, undefined, { signal: over.signal });
  let isLate = false;
  let hasStarted = false;
  let onStart = () => {};
  const started = new Promise<void>(resolve => {
    onStart = () => {
      hasStarted = true;
      resolve();
    };
  });
  const withoutJudge = async (): Promise<JudgeReport> => {
    // Once it has started, a judge ends only because of what it works on.
    if (hasStarted && !pair.judge.isOrphan()) return isLate ? late : verdictOf('memory', judgeEnded);
    throw sandboxFailed(await complaint(pair, 'the judge ended early'));
  };
  const judgeWaited = () => processorWait(pair.judge.pid());
  const report = readReport(pair.judge.control, onStart, onCounts);
  const late = Promise.race([started, timeLimit(startGrace, pair.waited, over.signal)])
    .then(() => {
      if (!hasStarted) throw sandboxFailed(`the judge did not start within ${startGrace / 1000} seconds`);
      return timeLimit(milliseconds, pair.waited, over.signal);
    })
    .then(() => {
      pair.judge.timeUp();
      return timeLimitFromNow(judgeGrace, judgeWaited, over.signal);
    })
    .then(async () => {
      isLate = true;
      pair.candidate.kill();
      await timeLimitFromNow(lateGrace, judgeWaited, over.signal);
      return verdictOf('timeout', `The tests did not end within ${timeoutSeconds} seconds.`);
    });
  const texts = [
    candidate,
    tests,
    entryPoint,
    declaration,
    String(milliseconds),
    judge,
    judgeSeed(request),
    counts ? 'counts' : '',
  ];
  pair.judge.control.write(Buffer.concat(texts.map(frame)));
  try {
    const judgeLost = pair.judge.ended.then(() => later(endGrace)).then(withoutJudge);
    return await unlessAborted(Promise.race([report, late, judgeLost]), signal);
  } finally {
    over.abort();
  }
}

const judgeEnded = 'The tests ended without a verdict while they worked on what the candidate gave.';

function verdictOf(kind: Verdict['kind'], message: string): JudgeReport {
  return { verdict: { kind, message } };
}

/** Adds how the process ended if it ended by itself. Rejects with SANDBOX_FAILED if that is unknown. */
async function withExit(
  pair: ExecutionPair,
  verdict: Verdict,
): Promise<{ verdict: Verdict; exitCode: number | null }> {
  if (verdict.kind !== 'exited') return { verdict, exitCode: null };
  const exit = await Promise.race([pair.candidate.exited, pause(endGrace, null)]);
  if (exit === null) return { verdict, exitCode: null };
  // The process that started it has ended too, which is not the candidate's doing.
  if (exit.code === null && exit.signal === null) {
    throw sandboxFailed(await complaint(pair, 'the process that starts candidates ended'));
  }
  const signal = signalOf(exit);
  if (signal === null) {
    const message = verdict.message.replace(/\.$/, ` with status ${exit.code}.`);
    return { verdict: verdict.exception ? verdict : { ...verdict, message }, exitCode: exit.code };
  }
  const kind = signal === 'SIGXCPU' ? 'timeout' : signal === 'SIGKILL' ? 'memory' : 'exited';
  return {
    verdict: { ...verdict, kind, message: verdict.message.replace(/\.$/, ` by ${signal}.`) },
    exitCode: 128 + constants.signals[signal],
  };
}

/** bubblewrap reports a death by signal N as exit code 128 + N. */
function signalOf({ code, signal }: Exit): NodeJS.Signals | null {
  return signal ?? (code !== null && code > 128 ? (signalNumbers[code - 128] ?? null) : null);
}

async function complaint(pair: ExecutionPair, what: string): Promise<string> {
  const outputs = [pair.stderr, ...pair.complaints];
  await Promise.all(outputs.map(output => output.ended(outputGrace)));
  const lines = outputs.flatMap(output => output.text().trim().split('\n'));
  const last = lines.findLast(line => line !== '');
  return last === undefined ? what : `${what} (${last})`;
}

import type { Readable } from 'node:stream';
import { unlessAborted } from '../../core/async.ts';
import { type MessageLimits, readMessages } from './messages.ts';
import type { Pair } from './pairs.ts';
import { processorWait, timeLimit, timeLimitFromNow } from './time-limit.ts';

/** What a judge says. */
export interface Reporting<Report> {
  /** Resolves when the candidate's code runs; stays pending if it never does. */
  readonly started: Promise<void>;
  readonly report: Promise<Report | NoReport>;
}

/** Why there is no report: the judge never started, or ended while it worked on what the candidate gave. */
export type NoReport = 'not started' | 'judge lost';

/** Reads a judge's reports, up to the one that decides. A message that `parse` gives null for ends the judge's say. */
export function readReport<Report>(
  channel: Readable,
  parse: (body: Buffer) => Report | 'started' | null,
): Reporting<Report> {
  let hasStarted = false;
  let begin = () => {};
  const started = new Promise<void>(resolve => {
    begin = resolve;
  });
  const report = new Promise<Report | NoReport>(resolve => {
    const ended = () => resolve(hasStarted ? 'judge lost' : 'not started');
    const read = (body: Buffer) => {
      const said = parse(body);
      if (said === null) return ended();
      if (said !== 'started') return resolve(said);
      hasStarted = true;
      begin();
    };
    readMessages(channel, 'frames', reportLimits, { onMessage: read, onExcess: ended });
    if (channel.destroyed) ended();
    for (const end of ['end', 'close', 'error']) channel.once(end, ended);
  });
  return { started, report };
}

/** A judge sends a few messages; the code that it judges may have taken its place. */
const reportLimits: MessageLimits = { bytes: 2 ** 20, total: 2 ** 24, messages: 1024 };

interface ReportLimits {
  readonly timeoutSeconds: number;
  /** Milliseconds that the judge gets to report its position after the candidate was killed. */
  readonly judgeGrace: number;
  /** Milliseconds that it gets before, once it is told that the time is up; it is not told if omitted. */
  readonly noticeGrace?: number;
  readonly signal: AbortSignal;
}

/** Milliseconds that the processes may take to start; a busy system is slow. */
const START_GRACE = 20_000;

/**
 * Waits for the judge's report. At the time limit, the candidate is killed; the judge notices and reports its
 * position. The report is null if it does not. Rejects with the signal's reason.
 */
export async function awaitReport<Report>(
  pair: Pair,
  { started, report: reported }: Reporting<Report>,
  { timeoutSeconds, judgeGrace, noticeGrace, signal }: ReportLimits,
): Promise<{ readonly report: Report | NoReport | null; readonly timedOut: boolean }> {
  const over = new AbortController();
  let timedOut = false;
  const judgeWaited = () => processorWait(pair.judge.child.pid);
  const timeUp = async (): Promise<null> => {
    await Promise.race([started, timeLimit(START_GRACE, pair.waited, over.signal)]);
    await timeLimit(timeoutSeconds * 1000, pair.waited, over.signal);
    timedOut = true;
    if (noticeGrace !== undefined) {
      pair.timeUp?.();
      await timeLimitFromNow(noticeGrace, judgeWaited, over.signal);
    }
    pair.candidate.kill();
    await timeLimitFromNow(judgeGrace, judgeWaited, over.signal);
    return null;
  };
  const late = timeUp();
  late.catch(() => {});
  try {
    const report = await unlessAborted(Promise.race([reported, late]), signal);
    return { report, timedOut };
  } finally {
    over.abort();
  }
}

import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { joinSignals, unlessAborted } from '../../core/async.ts';
import type { ExecuteRequest, Execution } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import type { AssertionCounts, IsolationLevel, Verdict } from '../../core/verdict.ts';
import { languageNotInSandbox, sandboxClosed } from '../errors.ts';
import type { Limits, ProcessIsolationLevel } from '../isolation/jail.ts';
import { type MessageLimits, readMessages } from './messages.ts';
import type { Pair } from './pairs.ts';
import {
  type CapturedOutput,
  processorWait,
  timeLimit,
  timeLimitFromNow,
  type Waited,
} from './started-process.ts';

/** The executions of one sandbox: they end when it is closed, and closing waits for what they leave running. */
interface Executions {
  isClosed(): boolean;
  /** Throws SANDBOX_CLOSED or LANGUAGE_UNSUPPORTED. */
  check(language: Language): void;
  /** Runs one execution. Its signal aborts with the caller's, or when the sandbox is closed. */
  run<T>(signal: AbortSignal | undefined, execute: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Makes closing wait for work; its result is ignored. */
  hold(work: Promise<unknown>): void;
  /** Aborts all executions. Resolves when nothing is running. */
  close(): Promise<void>;
}

/** `sandbox` names the sandbox in the error for any language but its own. */
export function createExecutions(sandboxLanguage: Language, sandbox: string): Executions {
  const closing = new AbortController();
  // One listener for each execution in flight, with no limit on their number.
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<void>>();
  const hold = (work: Promise<unknown>) => {
    const end = work.then(nothing, nothing).finally(() => running.delete(end));
    running.add(end);
  };
  return {
    isClosed: () => closing.signal.aborted,
    check(language) {
      if (closing.signal.aborted) throw sandboxClosed();
      if (language !== sandboxLanguage) throw languageNotInSandbox(language, sandbox);
    },
    run(signal, execute) {
      const both = joinSignals(signal, closing.signal);
      const execution = execute(both.signal).finally(both.release);
      hold(execution);
      return execution;
    },
    hold,
    async close() {
      closing.abort(sandboxClosed());
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function nothing(): void {}

/** Milliseconds to wait for the remaining output of a process that has ended. */
export const outputGrace = 250;

/** A verdict on a candidate that was not run. */
export function unrun(verdict: Verdict, isolation: IsolationLevel): Execution {
  return { verdict, stdout: '', stderr: '', droppedBytes: 0, exitCode: null, seconds: 0, isolation };
}

/** Ends the candidate and adds its output to the verdict. */
export async function executionOf(
  {
    candidate,
    stdout,
    stderr,
  }: {
    readonly candidate: { kill(): void };
    readonly stdout: CapturedOutput;
    readonly stderr: CapturedOutput;
  },
  outcome: Pick<Execution, 'verdict' | 'exitCode' | 'seconds' | 'isolation'>,
): Promise<Execution> {
  candidate.kill();
  await Promise.all([stdout.ended(outputGrace), stderr.ended(outputGrace)]);
  return {
    ...outcome,
    stdout: stdout.text(),
    stderr: stderr.text(),
    droppedBytes: stdout.droppedBytes() + stderr.droppedBytes(),
  };
}

/**
 * Seconds in which assertions are counted after a verdict. What takes longer has no counts: partial ones would depend on
 * the speed of the system, and records are to be the same everywhere.
 */
export const countSeconds = 1;

/** What a running judge counts within the limit; see timeLimit. @param waited of its processes */
export async function countedInTime(
  counted: Promise<AssertionCounts>,
  waited: Waited,
): Promise<AssertionCounts | undefined> {
  const over = new AbortController();
  const late = timeLimitFromNow(1000 * countSeconds, waited, over.signal).then(() => undefined);
  late.catch(() => {});
  try {
    return unlessEmpty(await Promise.race([counted, late]));
  } finally {
    over.abort();
  }
}

/** Other verdicts say that the candidate cannot be run again. */
export function canBeCounted({ verdict }: Pick<Execution, 'verdict'>): boolean {
  return verdict.kind === 'failed' || verdict.kind === 'raised';
}

export function unlessEmpty(counts: AssertionCounts | undefined): AssertionCounts | undefined {
  return counts && counts.passed + counts.failed > 0 ? counts : undefined;
}

/**
 * The seed of the judge's randomness, as 64 hexadecimal digits. The same execution always has the same one; a
 * candidate cannot compute it, because it does not have the tests and cannot contain a hash of itself.
 */
export function judgeSeed({ seed = 0, tests, candidate }: ExecuteRequest): string {
  const parts = [String(seed), tests, candidate];
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}

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

/** Options of every sandbox; each ignores those that do not concern it. */
export interface SandboxOptions {
  /** Wall-clock seconds that one execution may take; 10 by default. */
  readonly timeoutSeconds?: number;
  /** Memory that one execution may take, in MiB; 1024 by default. */
  readonly memoryMiB?: number;
  /** The level of isolation, which must work here; the strongest that works by default. */
  readonly isolation?: ProcessIsolationLevel | undefined;
  /** Refuses the weakest level. */
  readonly requireIsolation?: boolean;
  /** See DetectOptions: whether the level that an earlier process found is used, or determined again. */
  readonly recall?: boolean | undefined;
  /** The command that starts Python on this system; `python3` by default. */
  readonly python?: string;
  /** Hash seed of Python candidates, from 0 to 4294967295; 0 by default. */
  readonly hashSeed?: number;
  /** Number of executions whose processes are started ahead; 2 by default. 0 is for a single execution. */
  readonly poolSize?: number;
  /** Executions after which a container is replaced; 200 by default. */
  readonly maxExecutions?: number;
}

/** The options that have a default. */
export function withDefaults(options: SandboxOptions) {
  const { timeoutSeconds = 10, memoryMiB = 1024, hashSeed = 0, poolSize = 2, maxExecutions = 200 } = options;
  return { ...options, timeoutSeconds, memoryMiB, hashSeed, poolSize, maxExecutions };
}

/** Seconds of processor time beyond the time limit: it only ends what outlives us, since the wall clock decides. */
const extraSeconds = 10;

/**
 * Limits of one execution's processes. `processors` are how many they keep busy: runtimes that compile and collect
 * garbage in threads of their own take 2.
 */
export function executionLimits(timeoutSeconds: number, memoryMiB: number, processors: 1 | 2 = 1): Limits {
  return {
    memoryMiB,
    cpuSeconds: Math.ceil(processors * timeoutSeconds) + extraSeconds,
    processes: 64,
    openFiles: 64,
    fileSizeMiB: 64,
    workFolderMiB: 64,
  };
}

import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { ExecuteRequest, Execution, Sandbox } from '../../../core/ports.ts';
import {
  type AssertionCounts,
  assertionCountsSchema,
  type IsolationLevel,
  type Verdict,
  verdictSchema,
} from '../../../core/verdict.ts';
import { parseJson } from '../../../files/untrusted-file.ts';
import { sandboxFailed, testsInvalid } from '../../errors.ts';
import { detectIsolation, type Isolation, type Limits } from '../../isolation/isolation.ts';
import {
  awaitReport,
  countedInTime,
  createExecutions,
  executionLimits,
  executionOf,
  judgeSeed,
  outputGrace,
  readReport,
  type SandboxOptions,
  withDefaults,
} from '../../process/execution.ts';
import { frame } from '../../process/messages.ts';
import {
  type Batch,
  createPairs,
  createWarmPool,
  forkedCandidates,
  type Judges,
  localCandidates,
  type Pair,
} from '../../process/pairs.ts';
import { type Exit, startForked, startForker } from '../../process/started-process.ts';
import { type PythonPrograms, preparePython } from './python-programs.ts';
import { createSyntaxChecker } from './syntax-checker.ts';

/** Number of executions whose processes are forked from one pair of interpreters. */
const pairsAtOnce = 32;

/**
 * Runs Python candidates in processes of this system, each execution in two new ones. Rejects with the errors of
 * preparePython and detectIsolation.
 */
export async function createPythonSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { timeoutSeconds, memoryMiB, hashSeed, poolSize, requireIsolation } = withDefaults(options);
  const python = await preparePython(options.python, hashSeed);
  const isolation = await detectIsolation({
    python: python.executable,
    files: python.files,
    wanted: options.isolation,
    requireIsolation,
    recall: options.recall,
  });
  const limits = executionLimits(timeoutSeconds, memoryMiB);
  const executions = createExecutions('python', 'process');
  const discard = (pair: Pair) => executions.hold(pair.destroy());
  const size = poolSize === 0 ? 1 : pairsAtOnce;
  const pairs = createPairs(() => startInterpreters(python, isolation, limits, size));
  const pool = createWarmPool(poolSize, () => pairs.start(loaded, loaded), discard);
  const syntax = createSyntaxChecker(python, isolation, limits, timeoutSeconds);
  pool.refill();

  return {
    isolation: isolation.level,
    warning: isolation.warning,
    runtime: python.version,
    async checkSyntax(language, code, signal) {
      executions.check(language);
      return syntax.check(code, signal);
    },
    async execute(request, signal) {
      executions.check(request.language);
      signal?.throwIfAborted();
      const judge = (judged: ExecuteRequest, ended: AbortSignal) => {
        const pair = pool.take();
        return executePair(pair, judged, timeoutSeconds, isolation.level, ended).finally(() => discard(pair));
      };
      const execution = executions.run(signal, ended => judgeByTests(request, each => judge(each, ended)));
      setImmediate(() => {
        if (executions.isClosed() || poolSize === 0) return;
        pool.refill();
        pairs.prepare(poolSize);
      });
      return execution;
    },
    async close() {
      for (const pair of pool.drain()) discard(pair);
      await Promise.all([executions.close(), syntax.close(), pairs.close()]);
    },
  };
}

/**
 * A batch of judges, which are forked from one interpreter, and candidates, which are forked from another. Where no jail
 * can be made inside a jail, an interpreter is started for each candidate.
 */
function startInterpreters(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  size: number,
): Batch {
  const { executable, environment } = python;
  const judges = startJudges(python, isolation, limits, size);
  if (!isolation.outer) {
    const argv = [executable, ...python.arguments('candidate')];
    const candidates = localCandidates(() => {
      const jail = isolation.command(argv, limits);
      return { ...jail, env: { ...jail.env, ...environment } };
    });
    return { judges, candidates };
  }
  const argv = [executable, ...python.arguments('candidates', String(size))];
  const candidates = forkedCandidates(isolation.outer(argv, limits), environment, judges.lines);
  return { judges, candidates };
}

/** A judge or a candidate has the programs loaded: no command is needed. */
export const loaded = { argv: [] } as const;

/**
 * Judges that are forked from one interpreter, in one jail. Outside of containers, each is connected with its candidate
 * directly, which saves two hops for every call.
 */
export function startJudges(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  size: number,
): Judges & { isOver(): boolean } {
  const jail = isolation.command([python.executable, ...python.arguments('judges', String(size))], limits);
  const children = Array.from({ length: size }, () => ['pipe', 'pipe'] as const);
  const forker = startForker(jail, children, python.environment);
  const { hasExited, destroy } = forker.process;
  let next = 0;
  const left = () => (hasExited() ? 0 : size - next);
  return {
    lines: children.map((_, number) => forker.streams(number)[1] as Socket),
    start() {
      if (left() === 0) return null;
      const number = next++;
      const [channel, line] = forker.streams(number) as [Socket, Socket];
      const process = startForked(forker, number, null, [null, null, null, channel]);
      const timeUp = () => forker.alarm(number);
      return { number, line, channel, process, complaints: forker.complaints, timeUp };
    },
    left,
    isOver: hasExited,
    destroy,
  };
}

/** Milliseconds that the judge has, after it is notified that the time is up, to report what was running. */
const noticeGrace = 600;
/**
 * Additional milliseconds once the candidate has been ended; after that, the judge is stuck in one operation.
 */
const lateGrace = 300;
/** Milliseconds to wait for another process's report after a process has ended. */
const endGrace = 1000;

/** Signals that the kernel or a crash ends a process with. */
const signalNumbers: Record<number, NodeJS.Signals> = {
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  24: 'SIGXCPU',
};

/** That a judge of plain data found that the tests need more. */
interface NeedsOneProcess {
  /** Continues "the tests". */
  readonly isolate: string;
}

/**
 * Judges with plain data or, if the tests need more, once more from the start in one process: the judge that found so
 * has decided nothing.
 */
export async function judgeByTests(
  request: ExecuteRequest,
  judge: (request: ExecuteRequest) => Promise<Execution | NeedsOneProcess>,
): Promise<Execution> {
  const first = await judge(request);
  const execution = 'isolate' in first ? await judge({ ...request, judge: 'isolated' }) : first;
  if ('isolate' in execution) throw new Error('A judge in one process needs another one.');
  return execution;
}

/**
 * Sends a new pair its candidate and tests, and waits for the verdict. The caller destroys the pair and may
 * use the verdict before. Resolves with why, if the tests need one process and were not to be judged there. Rejects
 * with TESTS_INVALID or SANDBOX_FAILED, or the signal's reason.
 */
export async function executePair(
  pair: Pair,
  request: ExecuteRequest,
  timeoutSeconds: number,
  isolation: IsolationLevel,
  signal: AbortSignal,
): Promise<Execution | NeedsOneProcess> {
  const start = performance.now();
  let onCounts = (_: AssertionCounts) => {};
  const counted = new Promise<AssertionCounts>(resolve => {
    onCounts = resolve;
  });
  const report = await reportOf(pair, request, timeoutSeconds, signal, onCounts);
  if ('isolate' in report) return report;
  if ('fault' in report) throw testsInvalid(report.fault);
  if ('broken' in report) throw sandboxFailed(await complaint(pair, report.broken));
  const seconds = (performance.now() - start) / 1000;
  const { verdict, exitCode } = await withExit(pair, report.verdict);
  const counts = report.counting ? await countedInTime(counted, pair.waited) : undefined;
  const execution = await executionOf(pair, { verdict, exitCode, seconds, isolation });
  return {
    ...execution,
    judge: request.judge === 'isolated' ? 'isolated' : 'proven',
    ...(counts && { counts }),
  };
}

async function reportOf(
  pair: Pair,
  request: ExecuteRequest,
  timeoutSeconds: number,
  signal: AbortSignal,
  onCounts: (counts: AssertionCounts) => void,
): Promise<JudgeReport> {
  const { candidate, tests, entryPoint, declaration = '', judge = 'auto', counts = false } = request;
  const reporting = readReport(pair.channel, reportParser(onCounts));
  let hasStarted = false;
  reporting.started.then(() => {
    hasStarted = true;
  });
  const texts = [
    candidate,
    tests,
    entryPoint,
    declaration,
    String(Math.round(timeoutSeconds * 1000)),
    judge,
    judgeSeed(request),
    counts ? 'counts' : '',
  ];
  pair.channel.write(Buffer.concat(texts.map(frame)));
  const limits = { timeoutSeconds, noticeGrace, judgeGrace: lateGrace, signal };
  const { report, timedOut } = await awaitReport(pair, reporting, limits);
  if (report === null && !hasStarted) return { broken: 'the judge did not start in time' };
  if (report === 'not started') return { broken: 'the judge ended early' };
  if (report === 'judge lost' && !timedOut) {
    // Once it has started, a judge ends only because of what it works on, or with the process that forked it.
    const exit = await Promise.race([pair.judge.exited, pause(endGrace, null)]);
    if (isOrphaned(exit)) return { broken: 'the judge ended early' };
    return verdictOf(
      'memory',
      'The tests ended without a verdict while they worked on what the candidate gave.',
    );
  }
  if (report === null || report === 'judge lost')
    return verdictOf('timeout', `The tests did not end within ${timeoutSeconds} seconds.`);
  return report;
}

/** Whether a process ended because the one that forked it did. */
function isOrphaned(exit: Exit | null): boolean {
  return exit !== null && exit.code === null && exit.signal === null;
}

function verdictOf(kind: Verdict['kind'], message: string): JudgeReport {
  return { verdict: { kind, message } };
}

/** Adds how the process ended if it ended by itself. Rejects with SANDBOX_FAILED if that is unknown. */
async function withExit(
  pair: Pair,
  verdict: Verdict,
): Promise<{ verdict: Verdict; exitCode: number | null }> {
  if (verdict.kind !== 'exited') return { verdict, exitCode: null };
  const exit = await Promise.race([pair.candidate.exited, pause(endGrace, null)]);
  if (exit === null) return { verdict, exitCode: null };
  // The process that started it has ended too, which is not the candidate's doing.
  if (isOrphaned(exit))
    throw sandboxFailed(await complaint(pair, 'the process that starts candidates ended'));
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

async function complaint(pair: Pair, problem: string): Promise<string> {
  const outputs = [
    pair.stderr,
    pair.complaints,
    ...(pair.candidate.complaints ? [pair.candidate.complaints] : []),
  ];
  await Promise.all(outputs.map(output => output.ended(outputGrace)));
  const lines = outputs.flatMap(output => output.text().trim().split('\n'));
  const last = lines.findLast(line => line !== '');
  return last === undefined ? problem : `${problem} (${last})`;
}

/**
 * A judge's final report: a verdict; why the tests need one process; invalid tests; or a candidate's process that did
 * not start.
 */
const reportSchema = z.union([
  z.strictObject({
    verdict: verdictSchema,
    /** A second report with counts follows. */
    counting: z.literal(true).optional(),
  }),
  z.strictObject({ isolate: z.string() }),
  z.strictObject({ fault: z.string() }),
  z.strictObject({ broken: z.string() }),
]);
const countsSchema = z.strictObject({ counts: assertionCountsSchema });
type JudgeReport = z.infer<typeof reportSchema>;

/** Sent once the time limit runs and the candidate may send data. */
const started = 'started';

/** For readReport. `onCounts` is called with a second report, if it can be read. */
function reportParser(
  onCounts: (counts: AssertionCounts) => void,
): (body: Buffer) => JudgeReport | typeof started {
  let first: JudgeReport | undefined;
  return body => {
    const message = body.toString();
    if (message === started) return started;
    const json = parseJson(message);
    if (first) {
      const second = countsSchema.safeParse(json);
      if (second.success) onCounts(second.data.counts);
    } else
      first = reportSchema.safeParse(json).data ?? { broken: 'the judge sent a report that cannot be read' };
    return first;
  };
}

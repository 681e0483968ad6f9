import { randomUUID } from 'node:crypto';
import type { Duplex, Readable } from 'node:stream';
import { z } from 'zod';
import { unlessAborted } from '../../core/async.ts';
import { type TestReport, testReportSchema } from '../../core/project-tests.ts';
import { parseJson } from '../../files/untrusted-file.ts';
import { sandboxFailed } from '../../sandbox/errors.ts';
import type { Jail } from '../../sandbox/isolation/isolation.ts';
import { type MessageLimits, readMessages } from '../../sandbox/process/messages.ts';
import { captureSlowly, type StartedProcess, startProcess } from '../../sandbox/process/started-process.ts';
import type { Runner, RunRequest } from './runner.ts';

export interface ServedInput {
  /** Display name of the test framework. */
  readonly name: string;
  /** A program that answers requests as lib/fix/python/runner.py does. */
  jail(): Jail;
  /** Limit on a run of all tests, in seconds, unless that of one test allows more. */
  readonly time: number;
  /** Sent to the program before the first request. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whether the program knows trials. */
  readonly knowsTrials: boolean;
  /** Whether it keeps what a run sets from those that are `apart`. */
  readonly separates: boolean;
  /** Seconds that the framework itself takes of a run, and of the first one; 0 if that is part of a test's own time. */
  readonly overhead: { readonly run: number; readonly start: number };
  /** Encodes a file's bytes for the program. */
  prepared(path: string, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/**
 * A process in a jail that runs the tests repeatedly and reloads the project's modules each time. If it ends
 * or hangs, the report has a fault and no tests, and the next request starts a new process.
 * Requests may be made before earlier ones are answered, so that the process need not wait for the host.
 */
export function createServedRunner(input: ServedInput): Runner {
  let running: Started | null = null;
  let broken = 0;
  const end = async (): Promise<void> => {
    const process = running?.process;
    running = null;
    await process?.destroy();
  };
  return {
    name: input.name,
    separates: input.separates,
    start() {
      running ??= start(input, true);
    },
    async run(request, signal) {
      signal.throwIfAborted();
      for (;;) {
        running ??= start(input, false);
        const asked = running;
        const answering = ask(input, asked, request, signal);
        const report = await unlessAborted(answering, signal).catch(error => {
          // An earlier request was given up, and the process with it.
          if (!signal.aborted && running !== asked) return null;
          // Once it has answered, the process is of use again.
          const give = (): void => void (running === asked && end());
          const late = setTimeout(give, LAST_ANSWERS_MS);
          answering.then(
            answer => {
              clearTimeout(late);
              if (answer === null) give();
            },
            () => clearTimeout(late),
          );
          throw error;
        });
        if (report?.broken === true) {
          if (++broken === MOST_BROKEN) throw sandboxFailed(`the tests’ process broke: ${report.fault}`);
          if (asked === running) await end();
          return report;
        }
        broken = 0;
        if (report !== null) return report;
        // The request before this one ended the process.
        if (asked !== running) continue;
        const fault = faultOf(asked);
        await end();
        const isFirst = request.only === null && request.files.size === 0;
        if (fault !== LOST || !isFirst || !input.knowsTrials) return { tests: [], fault };
        running = start(input, false);
        const named = await unlessAborted(ask(input, running, request, signal, true), signal).catch(
          () => null,
        );
        await end();
        return { ...named, tests: [], fault };
      }
    },
    close: end,
  };
}

/** Runs that break one after another before no more are tried. */
const MOST_BROKEN = 10;

/** How long a process may still answer requests that nobody waits for. */
const LAST_ANSWERS_MS = 1_000;

const LOST = 'The process that ran the tests was ended before it could report.';
/** The fault of a run that did not end within its limit. */
export const LATE =
  'They did not end in time; name fewer of them with --tests, or allow more time with --time.';

const FLOODED = 'The process that ran the tests sent more than a report of them, and was ended.';

function faultOf({ process, answers }: Started): string {
  if (answers.isExceeded()) return FLOODED;
  const { readableEnded, destroyed } = process.child.stdio[3] as Duplex;
  return readableEnded || destroyed ? LOST : LATE;
}

interface Started {
  readonly process: StartedProcess;
  readonly word: string;
  /** Resolves once the process is inside its jail and has its copy of the project. */
  readonly ready: Promise<boolean>;
  readonly answers: Answers;
  readonly complaints: () => string;
  count: number;
  /** Settles once all requests so far are answered. */
  last: Promise<unknown>;
}

const answerSchema = z.object({ word: z.string(), id: z.number().optional() }).loose();

/** @param ahead whether the process loads what its first run needs before it is asked */
function start({ jail, settings }: ServedInput, ahead: boolean): Started {
  const process = startProcess(jail(), ['pipe', 'pipe', 'pipe', 'pipe'], { PYTHONHASHSEED: '0' });
  const stderr = captureSlowly(process.child.stderr as Readable);
  captureSlowly(process.child.stdout as Readable);
  const word = randomUUID();
  const answers = readAnswers(process.child.stdio[3] as Duplex);
  process.child.stdin?.write(`${JSON.stringify({ ...settings, word, ahead })}\n`);
  return {
    process,
    word,
    answers,
    count: 0,
    last: Promise.resolve(),
    complaints: () => stderr.text(),
    ready: answers.next(START_MS).then(answer => isOurs(answer, word)),
  };
}

const START_MS = 60_000;
/** A run that has not reported by then is stuck where signals do not reach it. */
const GRACE_MS = 2_000;
/** Least limit for all tests together: the time of this many tests that use up theirs. */
const WHOLE_RUN = 20;

/** Null if the process ended or did not answer in time. */
async function ask(
  { prepared, knowsTrials, overhead, time }: ServedInput,
  started: Started,
  request: RunRequest,
  signal: AbortSignal,
  /** Only to name the test that ends the process. */
  ending = false,
): Promise<TestReport | null> {
  if (!(await started.ready)) {
    throw sandboxFailed(`the tests’ process did not start: ${complaintIn(started.complaints())}`);
  }
  const { files, only, trace, imports = false, apart = false, stop, seconds, cpuSeconds = null } = request;
  const trial = knowsTrials ? (request.trial ?? null) : null;
  const content: Record<string, string> = {};
  for (const [path, bytes] of files)
    content[path] = Buffer.from(await prepared(path, bytes)).toString('base64');
  signal.throwIfAborted();
  const id = ++started.count;
  started.process.child.stdin?.write(
    `${JSON.stringify({ id, files: content, only, trace, imports, apart, stop, seconds, cpu_seconds: cpuSeconds, trial, ending })}\n`,
  );
  // When only some tests run, the first timeout ends the run.
  const least = only === null || trial ? seconds * WHOLE_RUN : seconds * 2;
  const usual = Math.max(least, only === null ? time : 0) + (id === 1 ? overhead.start : overhead.run);
  const limit = request.limit ?? usual;
  const turn = started.last.then(() => started.answers.next(limit * 1000 + GRACE_MS));
  started.last = turn;
  const answer = await turn;
  if (!isOurs(answer, started.word) || (answer as { id?: number }).id !== id) return null;
  const parsed = testReportSchema.safeParse(answer);
  return parsed.success ? parsed.data : null;
}

/** The line that names an error, as Node writes it above its stack; otherwise the last, as Python does. */
function complaintIn(text: string): string {
  const lines = text.trim().split('\n');
  return lines.find(line => /^(?:\w*Error\b|\S+: Error\b)/.test(line)) ?? lines.at(-1) ?? '';
}

function isOurs(answer: unknown, word: string): boolean {
  const parsed = answerSchema.safeParse(answer);
  return parsed.success && parsed.data.word === word;
}

interface Answers {
  /** The next JSON value; null once the stream has ended or the value is late. */
  next(timeoutMs: number): Promise<unknown>;
  /** Whether the process sent more than answers have. */
  isExceeded(): boolean;
}

/** Between two answers that are taken. A report of all tests with their lines has some MiB. */
const answerLimits: MessageLimits = { bytes: 2 ** 25, total: 2 ** 26, messages: 64 };

function readAnswers(stream: Duplex): Answers {
  const lines: Buffer[] = [];
  let isOver = false;
  let isExceeded = false;
  let wake = (): void => {};
  const end = (): void => {
    isOver = true;
    wake();
  };
  const reading = readMessages(stream, 'lines', answerLimits, {
    onMessage(line) {
      lines.push(line);
      wake();
    },
    onExcess() {
      isExceeded = true;
      lines.length = 0;
      end();
    },
  });
  for (const event of ['end', 'close', 'error']) stream.once(event, end);
  return {
    isExceeded: () => isExceeded,
    async next(timeoutMs) {
      if (lines.length === 0 && !isOver) {
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            if (lines.length === 0 && !isOver) return;
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const line = lines.shift();
      if (lines.length === 0) reading.renew();
      return line === undefined ? null : (parseJson(line.toString('utf8')) ?? null);
    },
  };
}

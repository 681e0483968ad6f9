import { randomUUID } from 'node:crypto';
import type { Duplex, Readable } from 'node:stream';
import { z } from 'zod';
import { sandboxFailed } from '../../core/errors.ts';
import { packageFile } from '../../files/package-root.ts';
import { captureOutput } from '../../sandbox/process/captured-output.ts';
import { type StartedProcess, startProcess } from '../../sandbox/process/started-process.ts';
import type { JailedPython } from './jailed-python.ts';
import { type Runner, type RunRequest, type TestPlan, type TestReport, testReportSchema } from './runner.ts';

export interface PythonRunnerInput {
  readonly jails: JailedPython;
  /** The copy of the project; absolute. */
  readonly project: string;
  /** Folders of the project that its modules are imported from, relative to it. */
  readonly paths: readonly string[];
  readonly plan: TestPlan;
}

/**
 * A process in a jail that runs the tests again and again, each time with the project's modules loaded afresh. One that
 * ends or hangs is a test that failed, and the next request starts another.
 */
export function createPythonRunner(input: PythonRunnerInput): Runner {
  let running: Started | null = null;
  const end = async (): Promise<void> => {
    const process = running?.process;
    running = null;
    await process?.destroy();
  };
  return {
    name: input.jails.framework,
    async run(request, signal) {
      signal.throwIfAborted();
      running ??= start(input);
      const abort = (): void => void end();
      signal.addEventListener('abort', abort, { once: true });
      try {
        const report = await ask(running, request);
        signal.throwIfAborted();
        if (report !== null) return report;
        await end();
        return { tests: [], fault: LOST };
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close: end,
  };
}

const LOST = 'The process that ran the tests was ended before it could report.';

interface Started {
  readonly process: StartedProcess;
  readonly word: string;
  /** Resolves once the process is inside its jail and has its copy of the project. */
  readonly ready: Promise<boolean>;
  readonly answers: (timeoutMs: number) => Promise<unknown>;
  readonly complaints: () => string;
  count: number;
}

const answerSchema = z.object({ word: z.string(), id: z.number().optional() }).loose();

function start({ jails, project, paths, plan }: PythonRunnerInput): Started {
  const folder = packageFile('lib/fix/python');
  const confine = packageFile('lib/sandbox/python/programs');
  const jail = jails.command([`${folder}/runner.py`, folder, confine, project]);
  const process = startProcess(jail, ['pipe', 'pipe', 'pipe', 'pipe'], { PYTHONHASHSEED: '0' });
  const stderr = captureOutput(process.child.stderr as Readable, MAX_OUTPUT);
  captureOutput(process.child.stdout as Readable, MAX_OUTPUT);
  const word = randomUUID();
  const answers = lineReader(process.child.stdio[3] as Duplex);
  const { tests, doctest, sources, entryPoint } = plan;
  const settings = { word, paths, tests, doctest, sources, entry_point: entryPoint };
  process.child.stdin?.write(`${JSON.stringify(settings)}\n`);
  const started: Started = {
    process,
    word,
    answers,
    count: 0,
    complaints: () => stderr.text(),
    ready: answers(START_MS).then(answer => isOurs(answer, word)),
  };
  return started;
}

const MAX_OUTPUT = 64 * 1024;
const START_MS = 60_000;
/** A run that has not reported by then hangs where no signal reaches it. */
const GRACE_MS = 5_000;

/** Null if the process ended or did not answer in time. */
async function ask(started: Started, request: RunRequest): Promise<TestReport | null> {
  if (!(await started.ready)) {
    throw sandboxFailed(
      `the tests’ process did not start: ${started.complaints().trim().split('\n').at(-1)}`,
    );
  }
  const id = ++started.count;
  const { files, only, trace, stop, seconds } = request;
  const content = Object.fromEntries(
    [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]),
  );
  started.process.child.stdin?.write(
    `${JSON.stringify({ id, files: content, only, trace, stop, seconds })}\n`,
  );
  const most = stop ? seconds * 2 : seconds * Math.max(10, (only?.length ?? 10) + 1);
  const answer = await started.answers(most * 1000 + GRACE_MS);
  if (!isOurs(answer, started.word) || (answer as { id?: number }).id !== id) return null;
  const parsed = testReportSchema.safeParse(answer);
  return parsed.success ? parsed.data : null;
}

function isOurs(answer: unknown, word: string): boolean {
  const parsed = answerSchema.safeParse(answer);
  return parsed.success && parsed.data.word === word;
}

/** Reads one JSON value a line; null once the stream has ended, or nothing comes in time. */
function lineReader(stream: Readable): (timeoutMs: number) => Promise<unknown> {
  const lines: string[] = [];
  const pieces: Buffer[] = [];
  let isOver = false;
  let wake = (): void => {};
  stream.on('data', (piece: Buffer) => {
    const parts = piece.toString('latin1').split('\n');
    for (const [index, part] of parts.entries()) {
      pieces.push(Buffer.from(part, 'latin1'));
      if (index < parts.length - 1) lines.push(Buffer.concat(pieces.splice(0)).toString('utf8'));
    }
    wake();
  });
  for (const event of ['end', 'close', 'error']) {
    stream.once(event, () => {
      isOver = true;
      wake();
    });
  }
  return async timeoutMs => {
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
    if (line === undefined) return null;
    try {
      return JSON.parse(line);
    } catch {
      return null;
    }
  };
}

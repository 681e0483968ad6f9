import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { unlessAborted } from '../../core/async.ts';
import { sandboxFailed } from '../../sandbox/errors.ts';
import type { Isolation, JailFiles, Limits, OuterJail } from '../../sandbox/isolation/isolation.ts';
import { outputGrace } from '../../sandbox/process/execution.ts';
import { frame } from '../../sandbox/process/messages.ts';
import { type Batch, createBatches } from '../../sandbox/process/started-ahead.ts';
import {
  captureOutput,
  processorWait,
  type StartedProcess,
  startForked,
  startForker,
  startProcess,
  timeLimit,
} from '../../sandbox/process/started-process.ts';
import type { PythonPrograms } from '../../sandbox/python/host/python-programs.ts';
import { readReply } from './frames.ts';

/** Files to write, commands to run in their folder in order, and the files to return. */
export interface BuildJob {
  /** Paths relative to the work folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Each is an absolute program with its arguments; the first that fails ends the build. */
  readonly commands: readonly (readonly string[])[];
  readonly outputs: readonly string[];
}

export type BuildResult = { readonly outputs: readonly Buffer[] } | FailedBuild;

export interface FailedBuild {
  /** Exit status of the command that failed; the negative number of a signal. */
  readonly status: number;
  /** Its output, up to 64 KiB. */
  readonly text: string;
}

/** A build that took too long, as if it had used up its processor time. */
export const lateBuild: FailedBuild = { status: -constants.signals.SIGXCPU, text: '' };

/** What compilers in a jail may read and execute: files and folders of the toolchain. */
export interface ToolFiles extends JailFiles {
  /** Environment variables of the compilers, in addition to PATH and those of the jail. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Builder {
  /** Runs a job in a jail of its own. Rejects with SANDBOX_FAILED or the signal's reason. */
  run(job: BuildJob, signal: AbortSignal): Promise<BuildResult>;
  close(): Promise<void>;
}

/** Limits of a build. Processor time, memory and file size are limits per process. */
const LIMITS: Limits = {
  memoryMiB: 2048,
  cpuSeconds: 20,
  processes: 64,
  openFiles: 256,
  fileSizeMiB: 64,
  workFolderMiB: 192,
};
/** Compilers that wait for something else than a processor, which a candidate may cause. */
const WALL_MILLISECONDS = 60_000;
const MAX_REPLY_BYTES = 192 * 2 ** 20;

/** Starts compilers in jails that have no network and can read only the toolchain's files. */
export function createBuilder(isolation: Isolation, python: PythonPrograms, tools: ToolFiles): Builder {
  const { outerCompiler } = isolation;
  const startOne = (): StartedProcess => {
    const argv = [python.executable, ...python.arguments('builder')];
    return startProcess(isolation.compiler(argv, tools, LIMITS), ['pipe', 'pipe', 'pipe'], {
      ...tools.environment,
    });
  };
  const batches =
    outerCompiler &&
    createBatches(() => {
      const argv = [python.executable, ...python.arguments('builders', String(JAILS_AT_ONCE))];
      return forkedJails(outerCompiler(argv, tools, LIMITS), tools.environment ?? {});
    }, 0);
  const start = (): StartedProcess => {
    if (batches === null) return startOne();
    const jail = batches.take();
    batches.refill();
    return jail;
  };
  const ending = new Set<Promise<void>>();
  return {
    async run(job, signal) {
      signal.throwIfAborted();
      const jail = start();
      try {
        return await runJob(jail, job, signal);
      } finally {
        const end = (signal.aborted ? jail.destroy() : endOf(jail)).finally(() => ending.delete(end));
        ending.add(end);
      }
    },
    async close() {
      await Promise.all(ending);
      await batches?.close();
    },
  };
}

/** Builds whose processes are forked from the same one. */
const JAILS_AT_ONCE = 16;

/** Jails forked by python/programs/jail/builder.py. */
function forkedJails(outer: OuterJail, environment: Readonly<Record<string, string>>): Batch<StartedProcess> {
  const children = Array.from({ length: JAILS_AT_ONCE }, () => ['pipe', 'pipe', 'pipe'] as const);
  const forker = startForker(outer, children, environment);
  let next = 0;
  const isOver = forker.process.hasExited;
  const left = () => (isOver() ? 0 : JAILS_AT_ONCE - next);
  return {
    take() {
      if (left() === 0) return undefined;
      const [stdin, stdout, stderr] = forker.streams(next);
      if (!stdin || !stdout || !stderr) return undefined;
      return startForked(forker, next++, outer.inner(), [stdin, stdout, stderr, null]);
    },
    left,
    isOver,
    destroy: forker.process.destroy,
  };
}

/** Milliseconds that a jail gets to exit after its reply. */
const END_GRACE = 250;

async function endOf(jail: StartedProcess): Promise<void> {
  await Promise.race([jail.exited, pause(END_GRACE, undefined, { ref: false })]);
  await jail.destroy();
}

async function runJob(jail: StartedProcess, job: BuildJob, signal: AbortSignal): Promise<BuildResult> {
  const { stdin, stdout, stderr } = jail.child;
  const complaints = captureOutput(stderr as Readable, 16 * 1024);
  stdin?.write(Buffer.concat(wordsOf(job).map(frame)));
  const over = new AbortController();
  const waited = () => processorWait(jail.child.pid);
  const late = timeLimit(WALL_MILLISECONDS, waited, over.signal).then(() => lateBuild);
  try {
    const reply = readReply(stdout as Readable, 3, job.outputs.length, MAX_REPLY_BYTES);
    const built = reply.then(frames => frames && resultOf(frames));
    const result = await unlessAborted(Promise.race([built, late]), signal);
    if (result) return result;
    await complaints.ended(outputGrace);
    throw sandboxFailed(`the compiler could not be started (${complaints.text().trim().split('\n').at(-1)})`);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}

function wordsOf({ files, commands, outputs }: BuildJob): string[] {
  const counted = (args: readonly string[]): string[] => [String(args.length), ...args];
  return [
    ...[String(Object.keys(files).length), ...Object.entries(files).flat()],
    ...[String(commands.length), ...commands.flatMap(counted)],
    ...counted(outputs),
  ];
}

function resultOf([outcome, status, text, ...outputs]: readonly Buffer[]): BuildResult {
  if (String(outcome) === 'ok') return { outputs };
  if (/^.*: error while loading shared libraries: /.test(String(text)))
    throw sandboxFailed(`the compiler could not be started (${String(text).trim()})`);
  return { status: Number(status), text: String(text) };
}

import type { Readable } from 'node:stream';
import { unlessAborted } from '../../../core/async.ts';
import { sandboxFailed } from '../../../sandbox/errors.ts';
import type { Jail } from '../../../sandbox/isolation/isolation.ts';
import { outputGrace } from '../../../sandbox/process/execution.ts';
import { frame, type MessageLimits, readMessages } from '../../../sandbox/process/messages.ts';
import {
  type CapturedOutput,
  captureOutput,
  processorWait,
  type StartedProcess,
  startProcess,
  timeLimitFromNow,
} from '../../../sandbox/process/started-process.ts';
import type { Complaint } from '../toolchain.ts';

export type Compilation =
  /** What Classes.java reads. */
  | { readonly classes: Buffer }
  /** The first error, and all that the compiler says about it. */
  | { readonly complaint: Complaint; readonly text: string }
  | { readonly timedOut: true };

/** A compiler that stays in memory and compiles one program after the other; a cold start costs twenty times as much. */
export interface WarmCompiler {
  /** Rejects with SANDBOX_FAILED or the signal's reason. */
  compile(files: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Compilation>;
  /** Lets the process exit by itself, and waits. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that one program may take. */
const TIME_LIMIT = 20_000;
/** Programs after which a process is replaced. */
const MAX_PROGRAMS = 400;

interface CompilerProcess {
  readonly process: StartedProcess;
  readonly complaints: CapturedOutput;
  programs: number;
  /** The texts of the next reply; null when the process has ended. */
  reply(): Promise<readonly Buffer[] | null>;
}

export function createWarmCompiler(jail: () => Jail): WarmCompiler {
  let current: CompilerProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const replace = async (): Promise<void> => {
    const old = current;
    current = null;
    await old?.process.destroy();
  };
  const compileOnce = async (message: Buffer): Promise<Compilation | null> => {
    if (current && (current.programs >= MAX_PROGRAMS || current.process.hasExited())) await replace();
    current ??= startCompiler(jail());
    const { process } = current;
    current.programs += 1;
    const over = new AbortController();
    const reply = current.reply();
    process.child.stdin?.write(message);
    const waited = () => processorWait(process.child.pid);
    const late = timeLimitFromNow(TIME_LIMIT, waited, over.signal).then(() => 'late' as const);
    late.catch(() => {});
    const texts = await Promise.race([reply, late]).finally(() => over.abort());
    if (texts !== 'late' && texts !== null) return compilationOf(texts);
    const { complaints } = current;
    await replace();
    if (texts === 'late') return { timedOut: true };
    await complaints.ended(outputGrace);
    const why = complaints.text().trim().split('\n').at(-1);
    if (why && !/OutOfMemory|insufficient memory/.test(why))
      throw sandboxFailed(`the compiler could not be started (${why})`);
    return null;
  };
  const compile = async (files: Readonly<Record<string, string>>, signal: AbortSignal) => {
    signal.throwIfAborted();
    if (closed) throw sandboxFailed('the compiler is closed');
    const parts = [String(Object.keys(files).length), ...Object.entries(files).flat()];
    const message = Buffer.concat(parts.map(frame));
    // One that is used up or was ended by an earlier program is replaced once.
    return (await compileOnce(message)) ?? (await compileOnce(message)) ?? outOfMemory;
  };
  return {
    compile(files, signal) {
      const next = last.then(() => compile(files, signal));
      last = next.catch(() => {});
      return unlessAborted(next, signal);
    },
    async finish() {
      current?.process.child.stdin?.end();
      await current?.process.exited;
    },
    async close() {
      closed = true;
      await replace();
    },
  };
}

const outOfMemory: Compilation = {
  complaint: { file: '', line: 1, message: 'The compiler ran out of memory.' },
  text: '',
};

function compilationOf([status, ...texts]: readonly Buffer[]): Compilation {
  const [first = Buffer.alloc(0), line, message] = texts;
  if (String(status) === 'ok') return { classes: first };
  const text = String(message);
  return {
    complaint: { file: String(first), line: Number(line) || 1, message: inOneSentence(text) },
    text,
  };
}

/** `cannot find symbol` with the symbol, which stands on a line of its own. */
export function inOneSentence(message: string): string {
  const symbol = /^[ \t]*symbol:[ \t]*(?![ \t])(.*)$/m.exec(message)?.[1];
  const first = (message.split('\n')[0] ?? '').trim().replace(/[;:]$/, '');
  return symbol === undefined ? first : `${first}: ${symbol.replace(/\s+/g, ' ')}`;
}

/** Classes, or a complaint that quotes the program. */
const replyLimits: MessageLimits = { bytes: 2 ** 25, total: 2 ** 26, messages: 4 };

function startCompiler(jail: Jail): CompilerProcess {
  const process = startProcess(jail, ['pipe', 'pipe', 'pipe'], {});
  const complaints = captureOutput(process.child.stderr as Readable, 16 * 1024);
  let received: Buffer[] = [];
  let answer: (texts: readonly Buffer[] | null) => void = () => {};
  const stdout = process.child.stdout as Readable;
  const reading = readMessages(stdout, 'frames', replyLimits, {
    onMessage(body) {
      received.push(body);
      if (received.length < (String(received[0]) === 'ok' ? 2 : 4)) return;
      const frames = received;
      received = [];
      reading.renew();
      answer(frames);
    },
    onExcess: process.kill,
  });
  for (const event of ['end', 'close', 'error']) stdout.once(event, () => answer(null));
  return {
    process,
    complaints,
    programs: 0,
    reply: () =>
      new Promise(resolve => {
        answer = resolve;
        if (process.hasExited()) resolve(null);
      }),
  };
}

import { Worker } from 'node:worker_threads';
import { unlessAborted } from '../../core/async.ts';
import { packageFile } from '../../files/package.ts';
import { refusing, type SyntaxParser, stopAfter } from '../../syntax/parser.ts';
import type { SourceFile } from '../patch/source-file.ts';
import type { GuardData, ReadReply, ReadRequest } from './source-guard-thread.ts';
import type { SourceGrammar } from './source-parser.ts';

/**
 * Reads source files in a thread with limits on its time and memory before the main thread reads them: nothing can stop
 * some steps of tree-sitter, and a text that uses up its memory leaves it unusable.
 */
export interface SourceGuard {
  /** It takes a text that exceeded the thread's limits for a syntax error, and says so in `excessOf`. */
  readonly parser: SyntaxParser;
  /** Reads the files that were not read yet. Rejects with the signal's reason soon after an abort. */
  check(files: readonly SourceFile[], signal: AbortSignal): Promise<void>;
  /** The files that were refused. */
  refused(): readonly SourceFile[];
  /** The code that records executed lines; null if the text does not parse. */
  instrumented(path: string, text: string): Promise<string | null>;
  close(): Promise<void>;
}

/** @param parser of the main thread, for the grammar */
export function startSourceGuard(parser: SyntaxParser, grammar: SourceGrammar): SourceGuard {
  const checked = new Set<string>();
  const excess = new Map<string, string>();
  const refused = new Map<string, SourceFile>();
  // It loads while the tests run.
  let thread: ReadingThread | null = startThread(grammar);
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  const readNow = async (request: ReadRequest): Promise<string | null> => {
    // A runner may still be starting.
    if (isClosed) return null;
    thread ??= startThread(grammar);
    const reply = await thread.read(request);
    checked.add(request.text);
    if (typeof reply !== 'string' && !reply.isLate) return reply.instrumented;
    excess.set(request.text, typeof reply === 'string' ? reply : LATE);
    // What is left of its memory may not suffice for the next file.
    const ended = thread;
    thread = null;
    await ended.end();
    return null;
  };
  /** One file at a time. */
  const read = (request: ReadRequest): Promise<string | null> => {
    const reading = last.then(() => (excess.has(request.text) ? null : readNow(request)));
    last = reading.catch(() => {});
    return reading;
  };
  return {
    parser: refusing(parser, excess),
    async check(files, signal) {
      for (const file of files) {
        const { path, text } = file;
        signal.throwIfAborted();
        if (!checked.has(text)) await unlessAborted(read({ path, text }), signal);
        if (excess.has(text)) refused.set(path, file);
      }
    },
    refused: () => [...refused.values()],
    instrumented: (path, text) => read({ path, text }),
    async close() {
      isClosed = true;
      await thread?.end();
    },
  };
}

const LATE = 'takes too long to parse';
const TOO_LARGE = 'takes too much memory to parse';
const ENDED = 'was not parsed to the end';

/** What the main thread does with a file then takes less than half a second. */
const MAX_READ_MS = 400;
/** Then the thread is stopped. */
const MAX_REPLY_MS = 1000;
const MEMORY_MIB = 256;

interface ReadingThread {
  /** The reply, or why there is none. */
  read(request: ReadRequest): Promise<ReadReply | string>;
  end(): Promise<unknown>;
}

function startThread(grammar: SourceGrammar): ReadingThread {
  const worker = new Worker(packageFile('dist/lib/fix/project/source-guard-thread.js'), {
    workerData: { grammar, memoryMiB: MEMORY_MIB, limitMs: MAX_READ_MS } satisfies GuardData,
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  let answer = (_: ReadReply | string): void => {};
  const started = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread that reads source files has ended.')));
  });
  started.catch(() => {});
  worker.on('message', reply => answer(reply));
  worker.on('error', () => answer(TOO_LARGE));
  // Also when it is closed while it reads.
  worker.on('exit', () => answer(ENDED));
  // Listening for messages keeps the process, so this comes last.
  worker.unref();
  return {
    async read(request) {
      // A thread alone does not keep the process.
      const alive = setInterval(() => {}, 1000);
      try {
        await started;
      } finally {
        clearInterval(alive);
      }
      const isLate = stopAfter(MAX_REPLY_MS);
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<ReadReply | string>(resolve => {
          answer = resolve;
          timer = setInterval(() => isLate() && resolve(LATE), 20);
          worker.postMessage(request);
        });
      } finally {
        clearInterval(timer);
      }
    },
    end: () => worker.terminate(),
  };
}

import { setMaxListeners } from 'node:events';
import { joinSignals } from '../../core/async.ts';
import type { Language } from '../../core/task.ts';
import { languageNotInSandbox, sandboxClosed } from '../errors.ts';

/** The executions of one sandbox: they end when it is closed, and closing waits for what they leave running. */
export interface Executions {
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
export function createExecutions(own: Language, sandbox: string): Executions {
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
      if (language !== own) throw languageNotInSandbox(language, sandbox);
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

#!/usr/bin/env node
import { INTERRUPTED } from '../lib/cli/exit-codes.ts';
import { main } from '../lib/cli/main.ts';
import { absoluteSearchPath } from '../lib/options/trust/search-path.ts';

ignoreClosedPipes();
if (process.env.PATH !== undefined) process.env.PATH = absoluteSearchPath(process.env.PATH);
const [signal, onSecondInterrupt] = interrupts();
process.exitCode = await main(process.argv.slice(2), signal, onSecondInterrupt);
// What an interrupted command has not ended by now may not keep the process.
if (signal.aborted) setTimeout(() => process.exit(), 1000).unref();

/**
 * A signal that is aborted by the first Ctrl-C or SIGTERM, for a clean exit; and a function that sets what the second
 * one does in place of ending the process. The third always ends it.
 */
function interrupts(): [AbortSignal, (action: () => void) => void] {
  const controller = new AbortController();
  let second: (() => void) | undefined;
  const interrupt = () => {
    if (!controller.signal.aborted) return controller.abort();
    if (second === undefined) return endAtOnce();
    second();
    second = undefined;
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return [
    controller.signal,
    action => {
      second = action;
    },
  ];
}

/** Ends the process by a signal: to exit while ONNX Runtime computes in a thread would abort it, with a message. */
function endAtOnce(): void {
  process.emit('exit', INTERRUPTED);
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}

/** `hefix | head` closes the pipe early; that is not an error. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

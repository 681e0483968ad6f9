#!/usr/bin/env node
import { INTERRUPTED } from './exit-codes.ts';
import { main } from './main.ts';

ignoreClosedPipes();
process.exitCode = await main(process.argv.slice(2), interruptSignal());

/** Aborted by the first Ctrl-C or SIGTERM, for a clean exit; the second ends the process. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}

/** `hefix | head` closes the pipe early; that is not an error. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

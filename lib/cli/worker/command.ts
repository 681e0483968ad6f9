import { printable } from '../../core/printable.ts';
import { parseWorkerOptions, workerOptions } from '../../options/tables/queue-options.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';
import { INTERRUPTED } from '../exit-codes.ts';

export const workerCommand: Command = {
  description:
    'Takes units of a run from a queue and writes their records to the folder that all machines share. On SIGTERM it finishes its units and exits; on the second one it gives them back.',
  options: workerOptions,
  examples: ['hefix worker --queue redis://host:6379 -c 8', 'hefix worker --queue redis://host:6379 --once'],
  async run(given, io) {
    const { terminal, signal, onSecondInterrupt } = io;
    const options = parseWorkerOptions(given);
    const { work } = await import('./worker.ts');
    const { workerProgress } = await import('../../terminal/line-progress.ts');
    const giveBack = new AbortController();
    let isForced = false;
    onSecondInterrupt(() => {
      isForced = true;
      giveBack.abort();
    });
    signal.addEventListener('abort', () => {
      if (!options.quiet)
        terminal.write('Finishing the units that run; press Ctrl-C again to give them back.\n');
      setTimeout(() => giveBack.abort(), options.grace * 1000).unref();
    });
    const progress = workerProgress(terminal, options.quiet);
    await work(options, {
      clock: { date: () => new Date(), now: () => performance.now() },
      ...progress,
      drain: signal,
      giveBack: giveBack.signal,
      runParts: () => partsOf(io, text => terminal.write(printable(text))),
    });
    return isForced ? INTERRUPTED : 0;
  },
};

import { printable } from '../core/printable.ts';
import type { RunRecord } from '../core/record.ts';
import type { QueuedRun } from '../run/queue/work-queue.ts';
import type { RunEvents } from '../run/run-events.ts';
import { createPreparationDisplay } from './preparation.ts';
import { silentProgress } from './progress.ts';
import { createProgressBar } from './progress-bar.ts';
import { taskLine } from './task-line.ts';
import { type Terminal, warningLine } from './terminal.ts';

export interface WorkerProgress {
  readonly events: RunEvents;
  joined(run: QueuedRun): void;
  worked(record: RunRecord): void;
}

/** One line for each run that a worker joins, and for each unit that it has done. */
export function workerProgress(terminal: Terminal, quiet: boolean): WorkerProgress {
  const silent = silentProgress();
  const warned = (sentence: string) => terminal.write(warningLine(terminal, sentence));
  const count = { done: 0, total: 0 };
  return {
    events: quiet
      ? { ...silent, warned }
      : { ...silent, warned, preparing: createPreparationDisplay(terminal, createProgressBar(terminal)) },
    joined({ manifest }) {
      count.done = 0;
      count.total = manifest.planned ?? 0;
      if (!quiet)
        terminal.write(`joined ${printable(manifest.model.name)} on ${printable(manifest.dataset.name)}\n`);
    },
    worked(record) {
      count.done++;
      if (!quiet) terminal.write(`${taskLine(record, count, terminal)}\n`);
    },
  };
}

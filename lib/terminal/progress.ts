import { summaryText } from '../report/summary-text.ts';
import type { RunResult } from '../run/run.ts';
import type { RunEvents } from '../run/run-events.ts';

/** A display of a run. */
export interface Progress extends RunEvents {
  /** Writes whole lines, above what is redrawn in place. */
  above(text: string): void;
  /** Shows what the run came to. */
  finished(result: RunResult): void;
  /** Takes down what stands on the screen. */
  stop(): void;
}

/** Shows nothing. */
export function silentProgress(): Progress {
  const nothing = () => {};
  return {
    warned: nothing,
    preparing: nothing,
    planned: nothing,
    started: () => ({
      state: nothing,
      generationStarted: nothing,
      text: nothing,
      generationEnded: nothing,
      attempted: nothing,
      again: nothing,
      ended: nothing,
    }),
    above: nothing,
    finished: nothing,
    stop: nothing,
  };
}

/** What a run came to, for people. */
export function resultText({ summary, records, reports = [] }: RunResult): string {
  const drawn = reports.map(path => `report in ${path}\n`).join('');
  return `\n${summaryText(summary)}records in ${records}\n${drawn}`;
}

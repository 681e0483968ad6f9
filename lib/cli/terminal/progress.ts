import { summaryText } from '../../report/summary-text.ts';
import type { RunResult } from '../../run/run.ts';
import { type RunEvents, silentEvents } from '../../run/run-events.ts';

/** The progress display of a run. */
export interface Progress extends RunEvents {
  /** Writes whole lines above the part that is redrawn. */
  writeAbove(text: string): void;
  /** Shows the results of the run. */
  finished(result: RunResult): void;
  /** Clears the part that is redrawn. */
  stop(): void;
}

/** Shows nothing. */
export function silentProgress(): Progress {
  const nothing = () => {};
  return { ...silentEvents(), writeAbove: nothing, finished: nothing, stop: nothing };
}

/** The results of a run as text. */
export function resultText({ summary, dataset, records, reports = [] }: RunResult): string {
  const drawn = reports.map(path => `report in ${path}\n`).join('');
  return `\n${summaryText(summary, { dataset })}records in ${records}\n${drawn}`;
}

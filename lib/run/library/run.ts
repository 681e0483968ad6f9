import type { RunRecord } from '../../core/record.ts';
import { type GivenRunOptions, parseRunOptions } from '../../options/tables/run-options.ts';
import { type RunContext, type RunResult, run as runTasks } from '../run.ts';
import { silentEvents } from '../run-events.ts';
import { runParts } from './run-parts.ts';

/** How a caller follows and stops a run. */
export interface RunSettings {
  readonly signal?: AbortSignal;
  /** Called with each record as its task ends. */
  readonly onRecord?: (record: RunRecord) => void;
  /** Called with whole sentences. */
  readonly onWarning?: (sentence: string) => void;
}

export type RunInput = Partial<GivenRunOptions> & RunSettings;

/**
 * Repairs the tasks of a dataset and writes a record of each. The options are those of `hefix run` by their long
 * names in camel case.
 *
 * ```ts
 * import { run } from 'hefix';
 *
 * const { summary, records } = await run({ dataset: 'mini', limit: 2, iters: 1, out: 'run.jsonl' });
 * console.log(`${summary.solved} of ${summary.runs} solved, see ${records}`);
 * ```
 *
 * @throws HefixError one of the OPTION_ errors, `OUT_EXISTS`, `INTERRUPTED` if aborted, and those of model, dataset and sandbox.
 */
export async function run(input: RunInput = {}): Promise<RunResult> {
  const { signal, onRecord, onWarning, ...options } = input;
  return await runTasks(parseRunOptions(options), runParts(), contextOf(input));
}

export function contextOf({
  signal = new AbortController().signal,
  onRecord = () => {},
  onWarning = () => {},
}: RunSettings): RunContext {
  const silent = silentEvents();
  return {
    events: {
      ...silent,
      warned: onWarning,
      started: job => ({ ...silent.started(job), ended: onRecord }),
    },
    signal,
    clock: { date: () => new Date(), now: () => performance.now() },
  };
}

import { basename } from 'node:path';
import type { TextModel } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { versions } from '../../files/package.ts';
import type { OptionValues } from '../../options/option.ts';
import {
  parseScoreOptions,
  type ScoreOptions,
  type scoreOptions,
} from '../../options/tables/score-options.ts';
import { openDataset, openSandbox } from '../open-parts.ts';
import { planRun } from '../plan.ts';
import { type RunContext, type RunParts, type RunResult, run } from '../run.ts';
import type { RunEvents } from '../run-events.ts';
import { judgeSample } from '../score/judge-sample.ts';
import { maxSamples, readSamples, type Sample, samplesByTask } from '../score/read-samples.ts';
import { contextOf, type RunSettings } from './run.ts';
import { reports } from './run-parts.ts';

export interface Scored extends RunResult {
  /** Ids of the selected tasks that have no sample; no figure includes them. */
  readonly without_samples: readonly string[];
}

/** Judges samples that were made elsewhere and writes a record of each, in the same format as a run. */
export async function scoreSamples(
  path: string,
  { name = basename(path), run: options }: ScoreOptions,
  context: RunContext,
  distribute: Pick<RunParts, 'distribute'> = {},
): Promise<Scored> {
  const { parts, samples, missing } = await scoreParts(path, name, context.events);
  const result = await run({ ...options, model: name, samples }, { ...parts, ...distribute }, context);
  return { ...result, without_samples: missing() };
}

/** The parts of a run that judges the samples of a file; a worker of a queue needs them too. */
export async function scoreParts(path: string, name: string, events: Pick<RunEvents, 'warned'>) {
  const file = await readSamples(path);
  let samples: ReadonlyMap<string, readonly Sample[]> = new Map();
  let missing: readonly string[] = [];
  const samplesOf = ({ id }: Task) => samples.get(id) ?? [];
  const parts: RunParts = {
    async loadDataset(wanted, datasetContext) {
      const dataset = await openDataset(wanted, datasetContext);
      const selected = planRun(dataset, { ...wanted, samples: 1, retryErrors: false }, []).jobs;
      const tasks = selected.map(({ task }) => task);
      samples = samplesByTask(file, dataset, tasks);
      missing = tasks.filter(task => samplesOf(task).length === 0).map(({ id }) => id);
      if (missing.length > 0) events.warned(missingText(missing, tasks.length));
      return dataset;
    },
    openSandbox,
    createModel: async () => noModel(name, file.fingerprint),
    repairTask:
      ({ judge }) =>
      async ({ task, sample, sandbox, signal, onState, onAttempt }) => {
        const chosen = samplesOf(task)[sample];
        if (chosen === undefined) throw new Error(`There is no sample ${sample} of ${task.id}.`);
        onState('execute');
        const outcome = await judgeSample({ task, sample: chosen, sandbox, judge, signal });
        outcome.attempts.forEach(onAttempt);
        return outcome;
      },
    scored: { file: path, countOf: task => samplesOf(task).length },
    reports,
    prompts: 'none',
    versions: versions(),
  };
  return { parts, samples: maxSamples(file), missing: () => missing };
}

function missingText(missing: readonly string[], count: number): string {
  const named = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ', …' : '');
  return `${missing.length} of ${count} tasks have no sample and are left out of all figures: ${named}.`;
}

/** Represents the source of the samples in the records; it is never asked. */
export function noModel(name: string, fingerprint: string): TextModel {
  return {
    name,
    fingerprint,
    generate: () => Promise.reject(new Error('Scoring asks no model.')),
    close: async () => {},
  };
}

export type ScoreInput = Partial<OptionValues<typeof scoreOptions>> & RunSettings;

/**
 * Judges samples that were made elsewhere: JSON Lines with `task_id` and `completion` or `solution`, or the
 * generations.json of the bigcode evaluation harness. The options are those of `hefix score`; the records are written
 * to `out`, and the summary has pass@k.
 *
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { score } from 'hefix';
 *
 * const sample = { task_id: 'mini/6', completion: '    return line.split(",")\n' };
 * await writeFile('samples.jsonl', `${JSON.stringify(sample)}\n`);
 * const { summary } = await score('samples.jsonl', { dataset: 'mini', out: 'scored.jsonl' });
 * console.log(summary.pass_at_1);
 * ```
 *
 * @throws HefixError one of the OPTION_ and SAMPLES_ errors, or those of a run.
 */
export async function score(path: string, input: ScoreInput = {}): Promise<Scored> {
  const { signal, onRecord, onWarning, ...options } = input;
  return await scoreSamples(path, parseScoreOptions(options), contextOf(input));
}

import type { OptionValues } from '../options/option.ts';
import { parseScoreOptions, type scoreOptions } from '../options/tables/score-options.ts';
import { contextOf, type RunSettings } from './run.ts';
import { type Scored, scoreSamples } from './score-samples.ts';

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
 * @throws HefixError `OPTION_INVALID`, one of the SAMPLES_ errors, or those of a run.
 */
export async function score(path: string, input: ScoreInput = {}): Promise<Scored> {
  const { signal, onRecord, onWarning, ...options } = input;
  return await scoreSamples(path, parseScoreOptions(options), contextOf(input));
}

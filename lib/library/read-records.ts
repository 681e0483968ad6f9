import { type Results, readResults } from '../results/read-results.ts';

/**
 * Reads a results file with the manifest next to it; those of earlier versions too. A torn last line is ignored.
 *
 * ```ts
 * import { readRecords, run, summarise } from 'hefix';
 *
 * await run({ dataset: 'mini', limit: 1, iters: 0, out: 'one.jsonl' });
 * const { records, manifest } = await readRecords('one.jsonl');
 * console.log(manifest.model.name, summarise(records, 0).solved);
 * ```
 *
 * @throws HefixError `MANIFEST_UNUSABLE`, or the RECORDS_ errors.
 */
export async function readRecords(path: string): Promise<Results> {
  return await readResults(path);
}

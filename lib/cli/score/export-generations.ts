import { HefixError } from '../../core/errors.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { readResults } from '../../results/read-results.ts';

export interface Exported {
  readonly records: string;
  /** The path of the file written. */
  readonly generations: string;
  readonly tasks: number;
}

/**
 * Writes the final candidates of a results file as the `generations.json` of bigcode-evaluation-harness: a list of the
 * programs of each task, in the order of the dataset. A run without a candidate gives an empty program.
 * Rejects with the HefixErrors of reading, and with `GENERATIONS_INCOMPLETE` if a task of the dataset's beginning is
 * missing, since the harness knows tasks by their position.
 */
export async function exportGenerations(path: string, out = generationsPath(path)): Promise<Exported> {
  const { records } = await readResults(path);
  const lists: string[][] = [];
  for (const { index, sample, fixed } of records) {
    const list = lists[index] ?? [];
    list[sample] = fixed ?? '';
    lists[index] = list;
  }
  const missing = Array.from(lists, list => list === undefined).indexOf(true);
  if (missing !== -1) throw generationsIncomplete(path, missing);
  const programs = lists.map(list => Array.from(list, text => text ?? ''));
  await writeFileAtomic(out, `${JSON.stringify(programs)}\n`);
  return { records: path, generations: out, tasks: lists.length };
}

/** `runs/a.jsonl` → `runs/a.generations.json`. */
function generationsPath(path: string): string {
  return `${path.replace(/\.jsonl$/, '')}.generations.json`;
}

/** A generations.json names no tasks: it must have one list a task. */
function generationsIncomplete(path: string, index: number): HefixError {
  return new HefixError(
    'GENERATIONS_INCOMPLETE',
    `${path} has no record of task ${index + 1} of its dataset.`,
    'generations.json identifies tasks by position: run all tasks, or the first ones with --ts.',
  );
}

import { basename } from 'node:path';
import { HefixError } from '../../core/errors.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { withWorkers } from '../../options/settings.ts';
import { distributionOptions, takeDistribution } from '../../options/tables/distribution-options.ts';
import { resumeOptions, takeResume } from '../../options/tables/run-options.ts';
import { parseScoreOptions, scoreOptions } from '../../options/tables/score-options.ts';
import { plural } from '../../report/numbers.ts';
import { readResults } from '../../report/results/read-results.ts';
import type { Distribute } from '../../run/run.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  description:
    'Judges samples that were made elsewhere: JSON Lines with task_id and completion (an answer, or text that continues the declaration) or solution (a whole program), several lines a task for pass@k; or the generations.json of the bigcode evaluation harness. Writes the records of an ordinary run, for report, compare and view; with --format generations, the other way round.',
  operands: { usage: '<samples.jsonl>', min: 1, max: 1 },
  options: { ...scoreOptions, ...resumeOptions, ...distributionOptions },
  examples: [
    'hefix score samples.jsonl --dataset humanevalpack',
    'hefix score samples.jsonl --dataset mini --name my-model --workers 4 --out scored.jsonl',
    'hefix score generations.json --dataset humanevalpack --lang js',
    'hefix score r.jsonl --format generations --out generations.json',
  ],
  async run(input, { printResult, terminal, signal }, [path = '']) {
    const { distribution, rest: runInput } = takeDistribution(input);
    const { yes, rest } = takeResume(runInput);
    const parse = (chosen: typeof rest) => parseScoreOptions(withWorkers(chosen, process.env));
    const parseRun = (chosen: typeof rest) => {
      const { name = basename(path), run } = parse(chosen);
      return { ...run, model: name };
    };
    const options = parse(
      rest.resume && rest.out === undefined
        ? await (await import('../resume-last.ts')).withLastRun(rest, { signal, yes, parse: parseRun }, path)
        : rest,
    );
    if (options.format === 'generations') {
      const exported = await exportGenerations(path, options.run.out);
      terminal.write(`${plural(exported.tasks, 'task')} in ${exported.generations}\n`);
      printResult(exported);
      return 0;
    }
    const { createProgress } = await import('../terminal/create-progress.ts');
    const { scoreSamples } = await import('../../run/library/score-samples.ts');
    const clock = { date: () => new Date(), now: () => performance.now() };
    const progress = createProgress(options.run, terminal, clock);
    try {
      const start = (distribute?: Distribute) =>
        scoreSamples(path, options, { events: progress, signal, clock }, distribute && { distribute });
      const result = await (distribution
        ? (await import('../distribute.ts')).distributing(distribution, start)
        : start());
      progress.finished(result);
      printResult(result);
      return 0;
    } finally {
      progress.stop();
    }
  },
};

interface Exported {
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
async function exportGenerations(path: string, out = generationsPath(path)): Promise<Exported> {
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

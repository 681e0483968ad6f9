import { basename } from 'node:path';
import { withWorkers } from '../../options/environment.ts';
import { resumeOptions } from '../../options/tables/output-options.ts';
import { distributionOptions, takeDistribution } from '../../options/tables/queue-options.ts';
import { parseScoreOptions, scoreOptions } from '../../options/tables/score-options.ts';
import { plural } from '../../report/numbers.ts';
import type { Command } from '../command.ts';
import { withLastRun } from '../resuming.ts';

export const scoreCommand: Command = {
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
  async run(given, { printResult, terminal, signal }, [path = '']) {
    const { distribution, rest } = takeDistribution(given);
    const parse = (chosen: typeof rest) => parseScoreOptions(withWorkers(chosen, process.env));
    const parseRun = (chosen: typeof rest) => {
      const { name = basename(path), run } = parse(chosen);
      return { ...run, model: name };
    };
    const options = parse(await withLastRun(rest, { signal }, parseRun, path));
    if (options.format === 'generations') {
      const { exportGenerations } = await import('./export-generations.ts');
      const exported = await exportGenerations(path, options.run.out);
      terminal.write(`${plural(exported.tasks, 'task')} in ${exported.generations}\n`);
      printResult(exported);
      return 0;
    }
    const { createProgress } = await import('../../terminal/create-progress.ts');
    const { scoreSamples } = await import('../../library/score-samples.ts');
    const clock = { date: () => new Date(), now: () => performance.now() };
    const progress = createProgress(options.run, terminal, clock);
    try {
      const { distributing } = await import('../distribute.ts');
      const result = await distributing(distribution, distribute =>
        scoreSamples(path, options, { events: progress, signal, clock }, distribute),
      );
      progress.finished(result);
      printResult(result);
      return 0;
    } finally {
      progress.stop();
    }
  },
};

import { unlessAborted } from '../../core/async.ts';
import { parseOptions } from '../../options/option.ts';
import { viewOptions } from '../../options/tables/command-options.ts';
import type { Command } from '../command.ts';
import { showPage } from '../local-pages.ts';

export const command: Command = {
  description: 'Opens a local page of runs, tasks and attempts. It follows runs in progress.',
  operands: { usage: '[folder or files…]', min: 0, max: Number.POSITIVE_INFINITY },
  options: viewOptions,
  examples: ['hefix view', 'hefix view results/a.jsonl results/b.jsonl --no-open'],
  async run(input, io, paths) {
    const options = parseOptions(viewOptions, input);
    const { view } = await import('../../report/viewer/view.ts');
    await showPage(await unlessAborted(view(paths, options), io.signal), options, io);
    return 0;
  },
};

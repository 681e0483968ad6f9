import { once } from 'node:events';
import { viewOptions } from '../../lib/options/command-options.ts';
import { parseOptions } from '../../lib/options/option.ts';
import type { Command } from '../command.ts';

export const viewCommand: Command = {
  description: 'Opens a local page of runs, tasks and attempts. It follows runs in progress.',
  operands: { usage: '[folder or files…]', min: 0, max: Number.POSITIVE_INFINITY },
  options: viewOptions,
  examples: ['hefix view', 'hefix view results/a.jsonl results/b.jsonl --no-open'],
  async run(given, { print, terminal, signal }, paths) {
    const options = parseOptions(viewOptions, given);
    const { openBrowser, view } = await import('../../lib/viewer/view.ts');
    const served = await view(paths, options);
    print(served.address);
    if (process.stdout.isTTY && !options.noOpen) await openBrowser(served.address);
    terminal.write(terminal.colors.dim('Only this computer can open it. Press Ctrl-C to stop.\n'));
    if (!signal.aborted) await once(signal, 'abort');
    await served.close();
    return 0;
  },
};

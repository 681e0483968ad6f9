import { once } from 'node:events';
import { openBrowser, parseOptions, view, viewFlags, viewOptionsSchema } from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const viewCommand: Command = {
  name: 'view',
  about: 'look at runs on a page of this machine, also while they go on',
  operands: { usage: '[folder or files…]', least: 0, most: Number.POSITIVE_INFINITY },
  flags: Object.values(viewFlags),
  defaults: viewOptionsSchema.parse({}),
  examples: ['hefix view', 'hefix view results/a.jsonl results/b.jsonl --no-open'],
  async run(given, { print, terminal, signal }, paths) {
    const options = parseOptions(viewOptionsSchema, given);
    const served = await view(paths, options);
    print(served.address);
    if (process.stdout.isTTY && !options.noOpen) await openBrowser(served.address);
    terminal.write(terminal.colors.dim('Only this machine can open it. Ctrl-C ends it.\n'));
    if (!signal.aborted) await once(signal, 'abort');
    await served.close();
    return 0;
  },
};

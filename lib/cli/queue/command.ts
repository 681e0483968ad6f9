import { printableLines } from '../../core/printable.ts';
import { parseQueueOptions, queueCommandOptions } from '../../options/tables/queue-options.ts';
import type { Command } from '../command.ts';
import { argumentUnknown } from '../errors.ts';
import { showPage } from '../local-pages.ts';

const usage = 'status|pause|resume|drain|reconcile|board';

export const queueCommand: Command = {
  description:
    'Shows a queue, pauses and resumes its workers, empties it (drain), adds the units again that have no record (reconcile), or opens Bull Board, a local page of its jobs (board).',
  operands: { usage: `<${usage}>`, min: 1, max: 1 },
  options: queueCommandOptions,
  examples: [
    'hefix queue status --queue redis://host:6379',
    'hefix queue drain --queue redis://host:6379',
    'hefix queue board --queue redis://host:6379',
  ],
  async run(given, io, [name = '']) {
    const options = parseQueueOptions(given, name);
    if (name === 'board') {
      const { serveBoard } = await import('./board.ts');
      await showPage(await serveBoard(options, options.port), options, io);
      return 0;
    }
    const { controlQueue, queueActions, queueText } = await import('./queue.ts');
    const action = queueActions.find(known => known === name);
    if (action === undefined) throw argumentUnknown(name, 'queue', usage);
    const report = await controlQueue(action, options);
    io.terminal.write(printableLines(queueText(report)));
    io.printResult(report);
    return 0;
  },
};

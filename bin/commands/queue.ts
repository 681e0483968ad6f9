import { argumentUnexpected } from '../../lib/core/errors.ts';
import { printableLines } from '../../lib/core/printable.ts';
import { parseQueueOptions, queueCommandOptions } from '../../lib/options/queue-options.ts';
import type { Command } from '../command.ts';

const usage = 'status|pause|resume|drain|reconcile';

export const queueCommand: Command = {
  description:
    'Shows a queue, pauses and resumes its workers, empties it (drain), or adds the units again that have no record (reconcile).',
  operands: { usage: `<${usage}>`, min: 1, max: 1 },
  options: queueCommandOptions,
  examples: ['hefix queue status --queue redis://host:6379', 'hefix queue drain --queue redis://host:6379'],
  async run(given, { printResult, terminal }, [name = '']) {
    const options = parseQueueOptions(given);
    const { controlQueue, queueActions, queueText } = await import('../../lib/commands/queue.ts');
    const action = queueActions.find(known => known === name);
    if (action === undefined) throw argumentUnexpected(name, 'queue', usage);
    const report = await controlQueue(action, options);
    terminal.write(printableLines(queueText(report)));
    printResult(report);
    return 0;
  },
};

import {
  attack,
  attackFlags,
  attackOptionsSchema,
  attackText,
  createProgressBar,
  parseAttackOptions,
  printableJson,
} from '../../lib/index.ts';
import type { Command } from '../command.ts';

export const attackCommand: Command = {
  name: 'attack',
  about: 'attack this machine’s sandbox or another judge; exit code 1 if it was fooled or wrong',
  flags: Object.values(attackFlags),
  defaults: attackOptionsSchema.parse({}),
  examples: ['hefix attack', "hefix attack --lang python --command 'my-judge {code} {tests}'"],
  // 1 says that the judge was fooled.
  errorExitCode: 2,
  async run(given, { print, terminal, signal }) {
    const options = parseAttackOptions(given);
    const bar = createProgressBar(terminal);
    const onProgress = (done: number, total: number) => {
      if (terminal.width() !== null && !options.quiet) bar.draw(`${done}/${total} programs judged`);
    };
    const run = await attack(options, onProgress, signal).finally(bar.clear);
    if (options.json || !process.stdout.isTTY) print(printableJson(run));
    if (!options.quiet && !options.json) terminal.write(attackText(run));
    const { forged, wrong, none } = run.total;
    return forged + wrong + none === 0 ? 0 : 1;
  },
};

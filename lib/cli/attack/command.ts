import { printableJson } from '../../core/printable.ts';
import { attackOptions, parseAttackOptions } from '../../options/tables/attack-options.ts';
import type { Command } from '../command.ts';

export const attackCommand: Command = {
  description:
    "Attacks hefix's sandbox, or another judge with --command, and checks that honest programs are judged correctly. Exit code 1: an attack passed, or an honest program was judged wrong.",
  options: attackOptions,
  examples: ['hefix attack', "hefix attack --lang python --command 'my-judge {code} {tests}'"],
  // 1 means that a pass was forged.
  errorExitCode: 2,
  async run(given, { print, terminal, signal }) {
    const options = parseAttackOptions(given);
    const { attack, attackText } = await import('./attack.ts');
    const { createCounter, createProgressBar } = await import('../../terminal/progress-bar.ts');
    const bar = createProgressBar(terminal);
    const count = createCounter(terminal, bar);
    const onProgress = (done: number, total: number) => {
      if (!options.quiet) count(`${done}/${total} programs judged`, done / total);
    };
    const run = await attack(options, onProgress, signal).finally(bar.clear);
    if (options.json || !process.stdout.isTTY) print(printableJson(run));
    if (!options.quiet && !options.json) terminal.write(attackText(run));
    const { forged, wrong, none } = run.total;
    return forged + wrong + none === 0 ? 0 : 1;
  },
};

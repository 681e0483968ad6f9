import { type CAC, cac } from 'cac';
import type { Flag } from '../lib/index.ts';
import { type Command, globalFlags } from './command.ts';
import { flagNames } from './flag-names.ts';

/** Prints a command's usage, its options in groups with their defaults, and examples. */
export function printHelp(command: Command, commands: readonly Command[]): void {
  const cli = declare(commands);
  cli.help(sections =>
    sections
      .filter(({ title }) => !title?.startsWith('For more info'))
      .flatMap(section => (section.title === 'Options' ? optionSections(command) : [section])),
  );
  cli.commands.find(({ name }) => name === command.name)?.outputHelp();
}

function declare(commands: readonly Command[]): CAC {
  const cli = cac('hefix');
  for (const [index, { name, about, examples, operands }] of commands.entries()) {
    const declared = cli.command(name, about);
    // Cac lists the commands in the help of the default one.
    if (index === 0) declared.alias('!').usage(`[${name}] [options]\n  $ hefix <command> [options]`);
    else declared.usage([name, operands?.usage, '[options]'].filter(part => part).join(' '));
    for (const example of examples) declared.example(`  $ ${example}`);
    declared.option('--any', '');
  }
  return cli;
}

function optionSections({ flags, defaults }: Command): { title: string; body: string }[] {
  const all = [...flags, ...globalFlags];
  const width = Math.max(...all.map(flag => flag.flags.length));
  const line = (flag: Flag) => {
    const value = defaults[flagNames(flag).key];
    const shown = value === undefined || value === false ? '' : ` (default: ${value})`;
    return `  ${flag.flags.padEnd(width)}  ${flag.about}${shown}`;
  };
  const groups = [...new Set(all.map(flag => flag.group))];
  return groups.map(group => ({
    title: group,
    body: all
      .filter(flag => flag.group === group)
      .map(line)
      .join('\n'),
  }));
}

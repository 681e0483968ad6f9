import { cac } from 'cac';
import { type Option, type OptionTable, usageOf } from '../options/option.ts';
import { type Command, globalOptions } from './command.ts';
import { commands } from './commands.ts';

export interface HelpLayout {
  /** Width in columns. */
  readonly width: number;
  /** Show every option instead of the common ones. */
  readonly all: boolean;
}

/** Prints a command's usage, its options by group with their defaults, and examples, laid out by cac. */
export function printHelp(name: string, command: Command, layout: HelpLayout): void {
  const isDefault = name === commands[0].name;
  const cli = cac('hefix');
  const declared = cli.command(name, command.description);
  const usage = [name, command.operands?.usage, '[options]'].filter(Boolean).join(' ');
  declared.usage(isDefault ? `[${name}] [options]\n  $ hefix <command> [options]` : usage);
  for (const example of command.examples) declared.example(`  $ ${example}`);
  declared.option('--any', '');
  cli.help(sections =>
    sections.flatMap(section => {
      if (section.title === undefined) return [{ body: wrapped(command.description, 0, layout.width) }];
      if (section.title !== 'Options') return [section];
      return [...(isDefault ? [overview(layout.width)] : []), ...optionSections(command, layout)];
    }),
  );
  declared.outputHelp();
}

function overview(width: number) {
  const rows = [
    ...commands.map(({ name, about }) => [name, about] as const),
    ['help [command]', 'show the help of a command'] as const,
  ];
  return { title: 'Commands', body: table(rows, width) };
}

function optionSections(command: Command, { width, all }: HelpLayout): { title?: string; body: string }[] {
  const options: OptionTable = { ...command.options, ...withoutOwn(command) };
  const hidden = Object.values(options).filter(({ isCommon }) => !isCommon).length;
  const shown = Object.entries(options).filter(([, { isCommon }]) => all || isCommon);
  const groups = [...new Set(shown.map(([, { group }]) => group))];
  const sections = groups.map(group => ({
    title: group,
    body: table(
      shown
        .filter(([, option]) => option.group === group)
        .map(([key, option]) => [usageOf(key, option), `${option.about}${defaultOf(option)}`] as const),
      width,
    ),
  }));
  if (all || hidden === 0) return sections;
  return [...sections, { body: `${hidden} more options: --help --all` }];
}

/** The global options, except those that the command defines itself. */
function withoutOwn({ options }: Command): OptionTable {
  return Object.fromEntries(Object.entries(globalOptions).filter(([key]) => !Object.hasOwn(options, key)));
}

function defaultOf({ schema, defaultText }: Option): string {
  if (defaultText !== undefined) return ` (default: ${defaultText})`;
  const { success, data } = schema.safeParse(undefined);
  return !success || data === undefined || data === false ? '' : ` (default: ${data})`;
}

/** Two columns; the second is wrapped within its own width. */
function table(rows: readonly (readonly [string, string])[], width: number): string {
  const first = Math.min(Math.max(...rows.map(([name]) => name.length)), 34);
  const indent = first + 4;
  return rows
    .map(([name, text]) => {
      const body = wrapped(text, indent, width);
      return name.length > first ? `  ${name}\n${body}` : `  ${name.padEnd(first)}  ${body.trimStart()}`;
    })
    .join('\n');
}

/** Breaks text between words; each line starts with `indent` spaces. */
function wrapped(text: string, indent: number, width: number): string {
  const room = Math.max(width - indent, 20);
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map(line => ' '.repeat(indent) + line).join('\n');
}

import { closest } from '../options/closest.ts';
import { meantOption } from '../options/meant-option.ts';
import type { CommandEntry } from './command.ts';
import { commandNames, commands, findCommand } from './commands.ts';
import { argumentIsValue, commandUnknown } from './errors.ts';
import { globalOptions } from './global-options.ts';
import { firstOperand } from './read-arguments.ts';

/**
 * Determines the command and its arguments. `hefix help sweep` is `hefix sweep --help`.
 * @throws HefixError (`COMMAND_UNKNOWN`)
 */
export async function selectCommand(
  args: readonly string[],
): Promise<CommandEntry & { readonly args: readonly string[] }> {
  const [first, ...others] = args;
  if (first === 'help') return await selectCommand([...others, '--help']);
  const named = findCommand(first ?? '');
  if (named) return { ...named, args: others };
  const [fallback] = commands;
  const index = firstOperand(args, { ...globalOptions, ...(await fallback.load()).options });
  const operand = args[index];
  if (operand === undefined) return { ...fallback, args };
  const meant = findCommand(operand);
  if (meant) return { ...meant, args: args.filter((_, at) => at !== index) };
  const option = meantOption(operand);
  if (option !== undefined) throw argumentIsValue(operand, option);
  throw commandUnknown(operand, closest(operand, [...commandNames, 'help', 'version']));
}

import { describe, expect, test } from 'vitest';
import type { Command } from '../../bin/command.ts';
import { machineCommand } from '../../bin/commands/machine.ts';
import { modelsCommand } from '../../bin/commands/models.ts';
import { runCommand } from '../../bin/commands/run.ts';
import { flagNames } from '../../bin/flag-names.ts';
import { readArguments } from '../../bin/read-arguments.ts';
import { runFlags } from '../../lib/index.ts';

const commands = [runCommand, machineCommand, modelsCommand] as const satisfies readonly Command[];
const read = (...args: string[]) => {
  const { command, options } = readArguments(args, commands);
  return [command.name, options] as const;
};

test.each<[string[], string, Record<string, string | true>]>([
  [[], 'run', {}],
  [['run'], 'run', {}],
  [['--iters', '3'], 'run', { iters: '3' }],
  [['-i', '3', 'run'], 'run', { iters: '3' }],
  [['-i3'], 'run', { iters: '3' }],
  [['-i=3'], 'run', { iters: '3' }],
  [['-vi', '3'], 'run', { verbose: true, iters: '3' }],
  [['--ts', '5'], 'run', { limit: '5' }],
  [['--max=5'], 'run', { limit: '5' }],
  [['--dataset-path', 'a.jsonl'], 'run', { dataset: 'a.jsonl' }],
  [['--max-new-tokens', '8'], 'run', { maxNewTokens: '8' }],
  // Text stays text: a folder may be called 007, and a task 1e3.
  [['--model', '007', '--tasks', '1e3'], 'run', { model: '007', tasks: '1e3' }],
  [['--model', ''], 'run', { model: '' }],
  [['--temperature', '-1'], 'run', { temperature: '-1' }],
  [['machine', '--format', 'dot'], 'machine', { format: 'dot' }],
  [['--help', 'machine'], 'machine', { help: true }],
])('%j', (args, command, options) => {
  expect(read(...args)).toEqual([command, options]);
});

describe('refuses', () => {
  test.each([
    [['--zzzzzzzz'], 'OPTION_UNKNOWN', 'There is no option --zzzzzzzz.', 'See hefix <command> --help.'],
    [['-z'], 'OPTION_UNKNOWN', 'There is no option -z.', 'See hefix <command> --help.'],
    [['--itres', '3'], 'OPTION_UNKNOWN', 'There is no option --itres.', 'Did you mean --iters?'],
    [['machine', '--fromat=dot'], 'OPTION_UNKNOWN', 'There is no option --fromat.', 'Did you mean --format?'],
    [
      ['models', '--iters', '3'],
      'OPTION_UNKNOWN',
      'hefix models has no option --iters.',
      'It is an option of hefix run.',
    ],
    [['machin'], 'COMMAND_UNKNOWN', 'There is no command machin.', 'Did you mean machine?'],
    [['run', 'mini'], 'ARGUMENT_UNEXPECTED', 'hefix run takes no argument, but was given "mini".', /help/],
    [['--iters'], 'OPTION_VALUE_MISSING', '--iters needs a value.', /help/],
    [['--iters', '--ts', '5'], 'OPTION_VALUE_MISSING', '--iters needs a value.', /help/],
    [['--ts', '1', '--max', '2'], 'OPTION_REPEATED', '--limit was given more than once.', /once/],
    [['-v', '--verbose'], 'OPTION_REPEATED', '--verbose was given more than once.', /once/],
    [['--quiet=yes'], 'OPTION_INVALID', '--quiet is "yes", expected no value.', /help/],
  ])('%j', (args, code, message, hint) => {
    expect(() => read(...args)).toThrow(
      expect.objectContaining({ code, message, hint: expect.stringMatching(hint) }),
    );
  });
});

test('every option of a run is named as the library names it', () => {
  for (const [key, flag] of Object.entries(runFlags)) expect(flagNames(flag).key).toBe(key);
});

import { describe, expect, test } from 'vitest';
import { commands } from '../../lib/cli/commands.ts';
import { readArguments } from '../../lib/cli/read-arguments.ts';
import { selectCommand } from '../../lib/cli/run-command.ts';
import { namesOf, type OptionTable } from '../../lib/options/option.ts';

async function read(...given: string[]) {
  const { name, load, args } = await selectCommand(given);
  const { options, operands, typed } = await readArguments(args, name, await load());
  return { name, options, operands, typed };
}

test.each<[string[], string, Record<string, string | true>]>([
  [[], 'run', {}],
  [['run'], 'run', {}],
  [['--iters', '3'], 'run', { iters: '3' }],
  [['--i', '3'], 'run', { iters: '3' }],
  [['-i', '3', 'run'], 'run', { iters: '3' }],
  [['-i3'], 'run', { iters: '3' }],
  [['-i=3'], 'run', { iters: '3' }],
  [['-vi', '3'], 'run', { verbose: true, iters: '3' }],
  [['--ts', '5'], 'run', { limit: '5' }],
  [['--max=5'], 'run', { limit: '5' }],
  [['--dataset-path', 'a.jsonl'], 'run', { dataset: 'a.jsonl' }],
  [['--max-new-tokens', '8'], 'run', { maxNewTokens: '8' }],
  // Text stays text: a folder may be named 007, and a task 1e3.
  [['--model', '007', '--tasks', '1e3'], 'run', { model: '007', tasks: '1e3' }],
  [['--model=0x10'], 'run', { model: '0x10' }],
  [['--model', ''], 'run', { model: '' }],
  [['--out', 'run'], 'run', { out: 'run' }],
  [
    ['Qwen/Qwen3-0.6B', '-v', '--i', '0', '--ts', '5'],
    'run',
    { model: 'Qwen/Qwen3-0.6B', verbose: true, iters: '0', limit: '5' },
  ],
  [['--ts', '5', 'qwen2.5-coder-0.5b'], 'run', { limit: '5', model: 'qwen2.5-coder-0.5b' }],
  [['run', 'hefix-mini'], 'run', { model: 'hefix-mini' }],
  [['models/a.gguf'], 'run', { model: 'models/a.gguf' }],
  [['--temperature', '-1'], 'run', { temperature: '-1' }],
  [['--cache'], 'run', { cache: true }],
  [['--cache', '--quiet'], 'run', { cache: true, quiet: true }],
  [['--cache', 'kept'], 'run', { cache: 'kept' }],
  [['--no-lookup'], 'run', { noLookup: true }],
  [['machine', '--format', 'ascii'], 'machine', { format: 'ascii' }],
  [['--help', 'machine'], 'machine', { help: true }],
  [['help', 'sweep'], 'sweep', { help: true }],
  [['help'], 'run', { help: true }],
])('%j', async (args, name, options) => {
  expect(await read(...args)).toMatchObject({ name, options });
});

test('operands keep their text and order', async () => {
  expect((await read('compare', '1.jsonl', '--quiet', '02')).operands).toEqual(['1.jsonl', '02']);
});

test('reports each option as it was typed', async () => {
  const { typed } = await read('--ts', '0', '-i', '3');
  expect([...typed]).toEqual([
    ['limit', '--ts'],
    ['iters', '-i'],
  ]);
});

describe('refuses', () => {
  const see = /^See hefix help\.$/;
  test.each([
    [['--zzzzzzzz'], 'OPTION_UNKNOWN', 'There is no option --zzzzzzzz.', see],
    [['-z'], 'OPTION_UNKNOWN', 'There is no option -z.', see],
    [['--itres', '3'], 'OPTION_UNKNOWN', 'There is no option --itres.', /^Did you mean --iters\?$/],
    [
      ['machine', '--fromat=ascii'],
      'OPTION_UNKNOWN',
      'There is no option --fromat.',
      /^Did you mean --format\?$/,
    ],
    [
      ['models', '--iters', '3'],
      'OPTION_UNKNOWN',
      'hefix models has no option --iters.',
      /^It is an option of hefix run, hefix fix, hefix step\b.*, hefix sweep\b/,
    ],
    [['machin'], 'COMMAND_UNKNOWN', 'There is no command machin.', /^Did you mean machine\?$/],
    [['qwen:7b'], 'COMMAND_UNKNOWN', 'There is no command qwen:7b.', /^Did you mean --model qwen:7b\?$/],
    [['src/cart.ts'], 'COMMAND_UNKNOWN', 'There is no command src/cart.ts.', /--model src/],
    [['hefix-mini', '--model', 'qwen3-0.6b'], 'OPTION_REPEATED', '--model was given more than once.', /once/],
    [['mini'], 'COMMAND_UNKNOWN', 'There is no command mini.', /^Did you mean --dataset mini\?$/],
    [['data/t.jsonl'], 'COMMAND_UNKNOWN', 'There is no command data/t.jsonl.', /--dataset data/],
    [
      ['run', 'mini'],
      'ARGUMENT_UNEXPECTED',
      'hefix run takes no argument, but was given "mini".',
      /--dataset mini/,
    ],
    [['run', 'x'], 'ARGUMENT_UNEXPECTED', 'hefix run takes no argument, but was given "x".', see],
    [
      ['exec', 'src/area.py'],
      'ARGUMENT_UNEXPECTED',
      'hefix exec takes no argument, but was given "src/area.py".',
      see,
    ],
    [['--iters'], 'OPTION_VALUE_MISSING', '--iters needs a value.', see],
    [['--iters', '--ts', '5'], 'OPTION_VALUE_MISSING', '--iters needs a value.', see],
    [['-i', '--quiet'], 'OPTION_VALUE_MISSING', '-i needs a value.', see],
    [['--ts', '1', '--ts', '2'], 'OPTION_REPEATED', '--ts was given more than once.', /once/],
    [
      ['--ts', '1', '--max', '2'],
      'OPTION_REPEATED',
      '--ts and --max are the same option, which was given more than once.',
      /once/,
    ],
    [
      ['-i', '2', '--i', '3'],
      'OPTION_REPEATED',
      '-i and --i are the same option, which was given more than once.',
      /once/,
    ],
    [
      ['-v', '--verbose'],
      'OPTION_REPEATED',
      '-v and --verbose are the same option, which was given more than once.',
      /once/,
    ],
    [['--quiet=yes'], 'OPTION_INVALID', '--quiet is "yes", expected no value.', see],
  ])('%j', async (args, code, message, hint) => {
    await expect(read(...args)).rejects.toMatchObject({
      code,
      message,
      hint: expect.stringMatching(hint),
    });
  });
});

test('no command has two options with the same name', async () => {
  for (const { load } of commands) {
    const options: OptionTable = (await load()).options;
    const names = Object.entries(options).flatMap(([key, option]) => namesOf(key, option));
    expect(names).toEqual([...new Set(names)]);
  }
});

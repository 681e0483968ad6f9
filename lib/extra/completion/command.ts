import { type Command, globalOptions } from '../../cli/command.ts';
import { HefixError } from '../../core/errors.ts';
import { namesOf, type OptionTable } from '../../options/option.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const command: Command = {
  description: 'Prints a script that completes commands and options in a shell.',
  operands: { usage: `<${shells.join('|')}>`, min: 1, max: 1 },
  options: {},
  examples: [
    'hefix completion bash > ~/.local/share/bash-completion/completions/hefix',
    'hefix completion zsh > ~/.zfunc/_hefix',
    'hefix completion fish > ~/.config/fish/completions/hefix.fish',
  ],
  endsAtOnce: true,
  async run(_, { print, commands }, [shell = '']) {
    const loaded = await Promise.all(
      commands.map(async ({ name, about, load }) => ({ name, about, options: (await load()).options })),
    );
    const writers: Readonly<Record<string, (commands: readonly Listed[]) => string>> = { bash, zsh, fish };
    const write = Object.hasOwn(writers, shell) ? writers[shell] : undefined;
    if (!write) throw completionShellUnknown(shell, shells);
    print(write(loaded));
    return 0;
  },
};

interface Listed {
  readonly name: string;
  readonly about: string;
  readonly options: OptionTable;
}

function bash(commands: readonly Listed[]): string {
  return `_hefix() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words
  case "$command" in
${commands.map(command => `    ${command.name}) words="${longNames(command)}" ;;`).join('\n')}
    *) words="${[...commands.map(({ name }) => name), 'help', longNames(commands[0])].join(' ')}" ;;
  esac
  if [[ $word != -* && $COMP_CWORD -gt 1 ]]; then words=""; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _hefix hefix`;
}

function zsh(commands: readonly Listed[]): string {
  const described = commands.map(({ name, about }) => `    ${quoted(`${name}:${about}`)}`).join('\n');
  const cases = commands.map(
    command => `    ${command.name}) _arguments ${zshOptions(command)} '*:file:_files' ;;`,
  );
  return `#compdef hefix
local -a commands
commands=(
${described}
)
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  _describe command commands
else
  case $words[2] in
${cases.join('\n')}
    *) _arguments ${zshOptions(commands[0])} '*:file:_files' ;;
  esac
fi`;
}

function zshOptions(command: Listed | undefined): string {
  return entries(command)
    .map(([name, about, takesValue]) =>
      quoted(`${name}[${about.replaceAll(/[[\]]/g, '')}]${takesValue ? ':value:_files' : ''}`),
    )
    .join(' ');
}

function fish(commands: readonly Listed[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = commands.flatMap((command, index) => {
    const seen = `__fish_seen_subcommand_from ${command.name}`;
    const condition = index === 0 ? `not __fish_seen_subcommand_from ${names}; or ${seen}` : seen;
    return [
      `complete -c hefix -n 'not __fish_seen_subcommand_from ${names}' -a ${command.name} -d ${quoted(command.about)}`,
      ...entries(command).map(
        ([name, about, takesValue]) =>
          `complete -c hefix -n '${condition}' -l ${name.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(about)}`,
      ),
    ];
  });
  return lines.join('\n');
}

/** Every long name, its description, and whether it takes a value. */
function entries(command: Listed | undefined): [string, string, boolean][] {
  return Object.entries({ ...globalOptions, ...command?.options } as OptionTable).flatMap(([key, option]) =>
    namesOf(key, option)
      .filter(name => name.startsWith('--'))
      .map((name): [string, string, boolean] => [name, option.about, option.argument !== undefined]),
  );
}

function longNames(command: Listed | undefined): string {
  return entries(command)
    .map(([name]) => name)
    .join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function completionShellUnknown(shell: string, known: readonly string[]): HefixError {
  return new HefixError(
    'SHELL_UNKNOWN',
    `There is no completion for the shell ${JSON.stringify(shell)}.`,
    `Choose one of ${known.join(', ')}.`,
  );
}

import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../lib/cli/commands.ts';
import { terminalOf } from '../../../lib/cli/terminal/terminal.ts';
import { command as completionCommand } from '../../../lib/extra/completion/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function scriptFor(shell: string): Promise<string> {
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const terminal = terminalOf({ write: () => {} }, {});
  const io = {
    print,
    printResult: () => {},
    debug: false,
    terminal,
    signal: new AbortController().signal,
    onSecondInterrupt() {},
    commands,
  };
  expect(await completionCommand.run({}, io, [shell])).toBe(0);
  return printed;
}

describe('bash completes', () => {
  test.each([
    [['swe'], ['sweep']],
    [['sweep', '--ite'], ['--iters']],
    [['--ts'], ['--ts']],
    [['exec', '--entry'], ['--entry-point']],
    [['exec', '--iters'], []],
  ])('%j', async (words, wanted) => {
    const file = join(await temporaryFolder(), 'completion.bash');
    await writeFile(file, await scriptFor('bash'));
    const line = `source '${file}'; COMP_WORDS=(hefix ${words.join(' ')}); COMP_CWORD=${words.length}; _hefix; echo "\${COMPREPLY[@]}"`;
    const { stdout, status } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout.trim().split(' ').filter(Boolean)).toEqual(wanted);
  });
});

test.each(['zsh', 'fish'])('%s completes every command and option', async shell => {
  const script = await scriptFor(shell);
  for (const { name, load } of commands) {
    expect(script).toContain(name);
    for (const option of Object.keys((await load()).options)) {
      const long = option.replaceAll(/[A-Z]|1/g, letter => `-${letter.toLowerCase()}`);
      expect(script).toContain(shell === 'zsh' ? `--${long}[` : `-l ${long} `);
    }
  }
});

test('an unknown shell is an error that lists the known ones', async () => {
  await expect(scriptFor('tcsh')).rejects.toMatchObject({
    code: 'SHELL_UNKNOWN',
    message: 'There is no completion for the shell "tcsh".',
    hint: 'Choose one of bash, zsh, fish.',
  });
});

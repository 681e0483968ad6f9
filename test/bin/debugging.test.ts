import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import type { Command, Io } from '../../lib/cli/command.ts';
import { command as execCommand } from '../../lib/cli/exec/command.ts';
import { command as verifyCommand } from '../../lib/cli/verify/command.ts';
import { writeSmallSet } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A command's stderr and exit code. */
async function debugged(command: Command, given: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const write = (text: string) => lines.push(text);
  const io: Io = {
    print() {},
    printResult() {},
    debug: true,
    terminal: { write, width: () => null, colors: pc.createColors(false) },
    signal: new AbortController().signal,
    onSecondInterrupt() {},
    commands: [],
  };
  return { exitCode: await command.run(given, io, []), stderr: lines.join('') };
}

test('exec --debug reports what the sandbox does, with times', async () => {
  const folder = await temporaryFolder();
  const [code, tests] = [join(folder, 'code.py'), join(folder, 'tests.py')];
  await writeFile(code, 'def area(w, h):\n    return w * h\n');
  await writeFile(tests, 'assert area(2, 3) == 6\n');
  const { exitCode, stderr } = await debugged(execCommand, { code, tests, entryPoint: 'area' });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^ +\d+\.\d{3} s {2}sandbox {2}open for python$/m);
  expect(stderr).toMatch(/sandbox {2}judge area$/m);
  expect(stderr).toMatch(/sandbox {2}done in \d+\.\d{3} s: passed in \w+: /m);
});

test('verify --debug reports every execution', async () => {
  const { dataset } = await writeSmallSet(await temporaryFolder(), 1);
  const { exitCode, stderr } = await debugged(verifyCommand, { dataset });
  expect(exitCode).toBe(0);
  expect(stderr.match(/sandbox {2}judge plus_0$/gm)).toHaveLength(2);
});

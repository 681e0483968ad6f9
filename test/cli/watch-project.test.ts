import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchProject } from '../../lib/cli/fix/watch-project.ts';
import { terminalOf } from '../../lib/cli/terminal/terminal.ts';
import { testsNone } from '../../lib/fix/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Watches a folder with a file a.py; each action is one run, and the last one ends the watch. */
async function watched(
  actions: readonly ((folder: string) => Promise<readonly string[]>)[],
  between: (folder: string, run: number) => Promise<void> = async () => {},
): Promise<{ runs: number; said: string }> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.py'), 'a = 1\n');
  const ended = new AbortController();
  let runs = 0;
  let said = '';
  const terminal = terminalOf({ write: text => (said += text) }, { NO_COLOR: '1' });
  const once = async () => {
    const action = actions[runs++];
    if (runs === actions.length) ended.abort();
    else void wait(50).then(() => between(folder, runs));
    return { exitCode: 0, written: (await action?.(folder)) ?? [] };
  };
  await watchProject(folder, undefined, once, terminal, ended.signal);
  return { runs, said };
}

const nothing = async () => [];

async function replace(folder: string, text: string): Promise<void> {
  await writeFile(join(folder, 'new'), text);
  await rename(join(folder, 'new'), join(folder, 'a.py'));
}

test('a file that is saved during a repair leads to another', async () => {
  const save = async (folder: string) => {
    await writeFile(join(folder, 'a.py'), 'a = 12\n');
    return [];
  };
  expect(await watched([save, nothing])).toMatchObject({ runs: 2 });
});

test('each change leads to one more repair, also of a file that editors replace', async () => {
  const texts = ['a = 12\n', 'a = 123\n', 'a = 1234\n'];
  const { runs, said } = await watched([nothing, nothing, nothing, nothing], (folder, run) =>
    replace(folder, texts[run - 1] ?? ''),
  );
  expect(runs).toBe(4);
  expect(said.match(/Waiting for changes/g)).toHaveLength(4);
});

test('what a repair writes itself is not a change', async () => {
  const steps: string[] = [];
  const write = async (folder: string) => {
    const path = join(folder, 'a.py');
    await writeFile(path, 'a = 12\n');
    await writeFile(`${path}.orig`, 'a = 1\n');
    steps.push('written');
    return [path, `${path}.orig`];
  };
  const end = async () => {
    steps.push('again');
    return [];
  };
  await watched([write, end], async folder => {
    // Longer than a change takes to be noticed.
    await wait(1500);
    steps.push('saved');
    await writeFile(join(folder, 'b.py'), '');
  });
  expect(steps).toEqual(['written', 'saved', 'again']);
});

test('an error is printed, and watching continues', async () => {
  const fail = async (folder: string) => {
    await writeFile(join(folder, 'b.py'), '');
    throw testsNone(false);
  };
  const { runs, said } = await watched([fail, nothing]);
  expect(runs).toBe(2);
  expect(said).toContain('error The test runner found no tests');
});

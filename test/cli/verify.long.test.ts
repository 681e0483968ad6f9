import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startProcessorLoad, verify } from '../../lib/cli/verify/verify.ts';
import { packageFile } from '../../lib/files/package.ts';
import { parseVerifyOptions } from '../../lib/options/tables/command-options.ts';
import { hefix, hefixHere } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { signal } = new AbortController();

/** `small/0` always gets the same verdict; the canonical solution of `small/1` depends on string hashes. */
async function flakySet(): Promise<string> {
  return await writeSet('return 2 * x', 'return 2 * x if hash("a") % 2 else x');
}

/** A task for each canonical solution. */
async function writeSet(...solutions: readonly string[]): Promise<string> {
  const rows = solutions.map((canonical, index) => ({
    task_id: `small/${index}`,
    declaration: 'def double(x):\n',
    docstring: 'Gives x twice.',
    canonical_solution: `    ${canonical}\n`,
    buggy_solution: '    return x\n',
    entry_point: 'double',
    test: 'assert double(2) == 4\nassert double(3) == 6\n',
  }));
  const dataset = join(await temporaryFolder(), 'flaky.jsonl');
  await writeFile(dataset, rows.map(one => `${JSON.stringify(one)}\n`).join(''));
  return dataset;
}

test('names solutions whose verdicts vary, and counts their verdicts', async () => {
  const dataset = await flakySet();
  const seen: string[] = [];
  const options = parseVerifyOptions({ dataset, repeat: '8', workers: '2', timeout: '20' });
  const result = await verify(options, (...progress) => seen.push(progress.join(' ')), { signal });
  expect(result.repeat).toBe(8);
  expect(result.changes).toMatchObject([{ taskId: 'small/1', solution: 'canonical' }]);
  const counts = result.changes[0]?.verdicts.map(({ kind, count }) => [kind, count] as const) ?? [];
  expect(new Set(counts.map(([kind]) => kind))).toEqual(new Set(['passed', 'failed']));
  expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(8);
  expect(seen).toHaveLength(16);
  expect([seen[0], seen.at(-1)]).toEqual(['1 2 1', '2 2 8']);
});

test('a single repetition uses the same seed as every other command', async () => {
  const dataset = await flakySet();
  const options = parseVerifyOptions({ dataset, timeout: '20' });
  const [first, second] = [
    await verify(options, () => {}, { signal }),
    await verify(options, () => {}, { signal }),
  ];
  expect(first).toMatchObject({ repeat: 1, changes: [] });
  expect(second).toEqual(first);
});

test('the command prints what varies, and exits with 1', async () => {
  const dataset = await flakySet();
  const flaky = await hefixHere(['verify', '--dataset', dataset, '--repeat', '8', '--timeout', '20']);
  expect(flaky.stderr).toMatch(
    /^small\/1 canonical varies: (passed|failed) \d of 8 times, (passed|failed) \d of 8/m,
  );
  expect(flaky.stderr).toMatch(/^solutions whose verdict varies +1\/4$/m);
  expect(JSON.parse(String(flaky.stdout))).toMatchObject({ repeat: 8, changes: [{ taskId: 'small/1' }] });
  expect(flaky.exitCode).toBe(1);
});

test('the command exits with 0 if no verdict varies, even under load', async () => {
  const flags = ['--repeat', '2', '--load', '--timeout', '20', '--tasks', '0'];
  const steady = await hefixHere(['verify', '--dataset', await flakySet(), ...flags]);
  expect(JSON.parse(String(steady.stdout))).toMatchObject({ changes: [], sound: true });
  expect(steady.exitCode).toBe(0);
});

test('interrupted, the command prints what it has verified, and exits with 130', async () => {
  const dataset = await writeSet('return x + 2', 'return 2 * x', 'while True: pass');
  const running = hefix(['verify', '--dataset', dataset, '--timeout', '300']);
  running.stderr?.on('data', text => {
    if (String(text).includes('2/3 tasks verified')) running.kill('SIGINT');
  });
  const { exitCode, stdout, stderr } = await running;
  expect(stderr).toContain('small/0 canonical fails: ');
  expect(stderr).toMatch(/^canonical solutions that pass {2}1\/2 \(1 proven\)$/m);
  expect(stderr).toMatch(/^Interrupted; 2 of 3 tasks are verified\.$/m);
  expect(JSON.parse(String(stdout))).toMatchObject({
    sound: null,
    canonical: { passed: 1, total: 2 },
    interrupted: { repetition: 1, tasks: 3 },
  });
  expect(exitCode).toBe(130);
});

test('interrupted in a later repetition, it keeps the verdicts that varied', async () => {
  const dataset = await flakySet();
  const stop = new AbortController();
  const options = parseVerifyOptions({ dataset, repeat: '9', timeout: '20' });
  const onProgress = (done: number, _: number, repetition: number) => {
    if (repetition === 8 && done === 2) stop.abort();
  };
  const result = await verify(options, onProgress, { signal: stop.signal });
  expect(result).toMatchObject({
    canonical: { total: 2 },
    changes: [{ taskId: 'small/1', solution: 'canonical' }],
    interrupted: { repetition: expect.any(Number), tasks: 2 },
  });
});

test('the load ends when it is closed', async () => {
  const load = startProcessorLoad(2);
  expect(load.pids.filter(isRunning)).toHaveLength(2);
  await load.close();
  expect(load.pids.filter(isRunning)).toEqual([]);
});

test('the load ends when its parent is killed', async () => {
  const module = pathToFileURL(packageFile('dist/lib/cli/verify/verify.js')).href;
  const code = `import { startProcessorLoad } from ${JSON.stringify(module)}; console.log(startProcessorLoad(1).pids[0])`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code]);
  const [printed] = await once(parent.stdout, 'data');
  const pid = Number(printed);
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('--load requires --repeat', () => {
  expect(() => parseVerifyOptions({ load: true })).toThrow('--load requires --repeat');
  expect(() => parseVerifyOptions({ repeat: '0' })).toThrow('--repeat is "0"');
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hefixHere, writeSmallSet } from '../support/cli.ts';
import { recordsIn, smallRun } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Scored samples of three tasks `x + n`: the reference, a program for the tests' inputs alone, and a wrong one. */
async function scored(...options: string[]) {
  const cwd = await temporaryFolder();
  const { dataset } = await writeSmallSet(cwd, 3);
  const tests = JSON.parse((await readFile(dataset, 'utf8')).split('\n')[1] ?? '').test;
  const solutions = [
    'def plus_0(x):\n    return 0 + x\n',
    cheat(String(tests)),
    'def plus_2(x):\n    return x\n',
  ];
  const rows = solutions.map((solution, index) => ({ task_id: `small/${index}`, solution }));
  await writeFile(join(cwd, 's.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  const args = ['score', 's.jsonl', '--dataset', dataset, '--out', 'r.jsonl', ...options];
  return { cwd, dataset, out: join(cwd, 'r.jsonl'), ...(await hefixHere(args, { cwd })) };
}

/** Passes `assert plus_1(3) == 4` and its like. */
function cheat(tests: string): string {
  const known = [...tests.matchAll(/\((-?\d+)\) == (-?\d+)/g)].map(
    ([, input, output]) => `${input}: ${output}`,
  );
  expect(known).not.toEqual([]);
  return `def plus_1(x):\n    return {${known.join(', ')}}.get(x, 0)\n`;
}

test('hefix score --robust compares the solutions with the references', async () => {
  const { exitCode, stdout, out } = await scored('--robust');
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).summary).toMatchObject({
    solved: 2,
    robust: { compared: 2, alike: 1, value: 0.5, differ_on_most: 1, not_compared: [] },
  });
  const [right, cheating, wrong] = (await recordsIn(out)).toSorted((a, b) => a.index - b.index);
  expect(right).toMatchObject({ passed: true, robust: { different: 0 } });
  expect(cheating).toMatchObject({
    passed: true,
    robust: { first: { call: expect.stringContaining('plus_1(') } },
  });
  expect(wrong).toMatchObject({ passed: false });
  expect(wrong?.robust).toBeUndefined();
});

test('an agent sees nothing of what --robust finds', async () => {
  const { folder: cwd, args } = await smallRun(2);
  const script = join(cwd, 'script.jsonl');
  const [first = '', second = ''] = (await readFile(script, 'utf8')).split('\n');
  // The second answer, which passes the tests, does something else on other inputs.
  const cheating = second.replace('return x + 1', 'return {1: 2, -1: 0}.get(x, 5)');
  await writeFile(script, `${first}\n${cheating}\n`);
  const seen = async (...options: string[]) => {
    const out = `r${options.length}.jsonl`;
    await hefixHere(['run', ...args, '--out', out, ...options], { cwd });
    const records = (await recordsIn(join(cwd, out))).toSorted((a, b) => a.index - b.index);
    const attempts = records.map(record =>
      record.attempts.map(({ node, prompt, completion }) => [node, prompt, completion]),
    );
    return { attempts, different: records[1]?.robust?.different ?? 0 };
  };
  const [without, withRobust] = [await seen(), await seen('--robust')];
  expect(withRobust.different).toBeGreaterThan(0);
  expect(withRobust.attempts).toEqual(without.attempts);
  expect(without.attempts.flat().length).toBeGreaterThan(2);
});

test('hefix robust adds the same to the records of a run, and only once', async () => {
  const before = await scored('--robust');
  const { cwd, out } = await scored();
  expect((await recordsIn(out)).some(({ robust }) => robust !== undefined)).toBe(false);
  const { exitCode, stdout, stderr } = await hefixHere(['robust', 'r.jsonl'], { cwd });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/small\/1 differs on \d+ of \d+ inputs: plus_1\(.*\) gives 0, the reference /);
  expect(stderr).toMatch(/behave like the reference +1 of 2 on all generated inputs, 50\.0% \(95% interval /);
  expect(stderr).toMatch(/differ on most inputs +1, although they pass the tests/);
  expect(JSON.parse(stdout)).toMatchObject({
    records: 'r.jsonl',
    summary: { compared: 2, alike: 1 },
    differences: [{ task_id: 'small/1', sample: 0 }],
  });
  const robustIn = async (path: string) =>
    (await recordsIn(path)).map(({ task_id, robust }) => ({ task_id, robust })).toSorted();
  expect(await robustIn(out)).toEqual(await robustIn(before.out));

  const text = await readFile(out, 'utf8');
  const again = await hefixHere(['robust', 'r.jsonl'], { cwd });
  expect(again.stderr).not.toContain('compared');
  expect(await readFile(out, 'utf8')).toBe(text);
});

test('hefix robust refuses other tasks than those of the run', async () => {
  const { cwd } = await scored();
  const { exitCode, stderr } = await hefixHere(['robust', 'r.jsonl', '--dataset', 'mini'], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('[RESUME_MISMATCH]');
});

test('an interrupted comparison keeps what was compared', async () => {
  const { cwd, out } = await scored();
  const stop = new AbortController();
  const onWrite = (text: string) => text.includes('1/2 solutions compared') && stop.abort();
  const { exitCode, stderr } = await hefixHere(['robust', 'r.jsonl'], { cwd, signal: stop.signal, onWrite });
  expect(exitCode).toBe(130);
  expect(stderr).toContain('Interrupted; 1 of 2 solutions in r.jsonl have been compared.');
  expect((await recordsIn(out)).filter(({ robust }) => robust !== undefined)).toHaveLength(1);
  await hefixHere(['robust', 'r.jsonl'], { cwd });
  expect((await recordsIn(out)).filter(({ robust }) => robust !== undefined)).toHaveLength(2);
});

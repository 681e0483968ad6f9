import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutTimes } from '../../lib/core/record.ts';
import { packageFile } from '../../lib/files/package.ts';
import { parseRecords } from '../../lib/report/results/read-results.ts';
import { byteTokenizerFiles } from '../model/hub/byte-tokenizer.ts';
import { hefix, hefixHere } from '../support/cli.ts';
import { heldRun } from '../support/held-run.ts';
import { firstRecord, recordsIn, smallRun } from '../support/small-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('writes records to the file, one JSON object to stdout and progress to stderr', async () => {
  const { args, out } = await smallRun(3);
  const { stdout, stderr, exitCode } = await hefix([...args, '--out', out]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(String(stdout))).toMatchObject({
    records: out,
    summary: { tasks: 3, solved: 3, pass_at_1: { value: 0 }, errors: { runs: 0 } },
  });
  expect(stderr).toMatch(/^✓ 1\/3 small\/0 passed in iteration 1, [\d.]+ s$/m);
  expect(stderr).toMatch(/^solved +3\/3, 100\.0% .*, within 1 iteration$/m);
  expect(stderr).not.toContain('\u001b');
  const records = await recordsIn(out);
  expect(records.map(record => [record.task_id, record.passed, record.iters])).toEqual([
    ['small/0', true, 1],
    ['small/1', true, 1],
    ['small/2', true, 1],
  ]);
  const manifest = JSON.parse(await readFile(out.replace('.jsonl', '.manifest.json'), 'utf8'));
  expect(manifest.versions).toMatchObject({
    node: process.versions.node,
    '@huggingface/tokenizers': expect.stringMatching(/^\d+\.\d+/),
    candidates: expect.stringMatching(/^Python 3\.\d+\.\d+$/),
  });
  expect(records[1]?.path).toEqual([
    'draft',
    'examine',
    'execute',
    'iterate',
    'reflect',
    'examine',
    'execute',
    'solved',
  ]);
});

test('runs a model from a folder in the hub’s layout', async () => {
  const { folder, out } = await smallRun(1);
  const model = join(folder, 'model');
  await cp(packageFile('fixtures/reference'), model, { recursive: true });
  // Its context is too short for a task's prompt, and its weights are random.
  const config = JSON.parse(await readFile(join(model, 'config.json'), 'utf8'));
  await writeFile(join(model, 'config.json'), JSON.stringify({ ...config, max_position_embeddings: 4096 }));
  const dataset = join(folder, 'small.jsonl');
  const args = [
    '--model',
    model,
    '--dataset',
    dataset,
    '--iters',
    '1',
    '--max-new-tokens',
    '8',
    '--out',
    out,
  ];
  const { exitCode, stderr } = await hefix(args);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('0/1, 0.0%')]);
  const [record] = await recordsIn(out);
  expect(record).toMatchObject({
    passed: false,
    verdict: { kind: 'no-code' },
    iters: 1,
    fixed: null,
    diff: '',
  });
  expect(record?.token_usage.completion).toBeLessThanOrEqual(16);
  expect(record?.token_usage.completion).toBeGreaterThan(0);
});

test('refuses a model whose graph it cannot build, by name', async () => {
  const { folder, out } = await smallRun(1);
  const model = join(folder, 'model');
  await cp(packageFile('fixtures/architectures/lfm2'), model, { recursive: true });
  const config = JSON.parse(await readFile(join(model, 'config.json'), 'utf8'));
  const other = { ...config, architectures: ['Qwen3_5ForCausalLM'] };
  for (const [name, text] of Object.entries(byteTokenizerFiles())) await writeFile(join(model, name), text);
  await writeFile(join(model, 'config.json'), JSON.stringify(other));
  const { exitCode, stderr } = await hefixHere(['--model', model, '--limit', '1', '--out', out], {
    env: { HEFIX_CACHE: await temporaryFolder() },
  });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('has the architecture Qwen3_5ForCausalLM, for which hefix cannot build a graph.');
  expect(stderr).toContain('[MODEL_ARCHITECTURE_UNKNOWN]');
});

test('prints only the summary with --quiet, and everything with --verbose', async () => {
  const { args, folder } = await smallRun(1);
  const quiet = await hefixHere([...args, '--quiet', '--out', join(folder, 'q.jsonl')]);
  expect(quiet.stderr).toBe('');
  expect(JSON.parse(String(quiet.stdout))).toMatchObject({ summary: { solved: 1 } });
  const { stderr } = await hefixHere([...args, '--verbose', '--out', join(folder, 'v.jsonl')]);
  for (const part of [
    'draft, temperature 0',
    'reflect, temperature 0.2',
    'return x * 0 - 7',
    'failed',
    '+    return x + 0',
  ]) {
    expect(stderr).toContain(part);
  }
});

test('writes the same records for the same options and seed', async () => {
  const { args, folder } = await smallRun(2);
  const [first, second] = ['a.jsonl', 'b.jsonl'].map(name => join(folder, name));
  await hefixHere([...args, '--seed', '7', '--out', String(first)]);
  await hefixHere([...args, '--seed', '7', '--out', String(second)]);
  const records = (await recordsIn(String(first))).map(withoutTimes);
  expect(records).toHaveLength(2);
  expect((await recordsIn(String(second))).map(withoutTimes)).toEqual(records);
});

test('SIGINT ends it with 130, whole lines, and a hint on how to resume', async () => {
  const { args, out, env, release } = await heldRun(12, 3);
  const running = hefix([...args, '--out', out], { env });
  await firstRecord(out, running);
  running.kill('SIGINT');
  const { exitCode, stdout, stderr } = await running;
  expect([exitCode, stderr]).toEqual([130, expect.anything()]);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/Interrupted; [123] of 12 tasks are recorded/);
  expect(stderr).toContain(`run the same command with --out ${out} --resume.`);
  const bytes = await readFile(out);
  expect(parseRecords(out, bytes)).toMatchObject({ whole: bytes.length, unfinished: false });
  release();
  const resumed = await hefix([...args, '--out', out, '--resume'], { env });
  expect(JSON.parse(String(resumed.stdout))).toMatchObject({ summary: { tasks: 12, solved: 12 } });
});

const right =
  '```python\ndef clock_text(seconds):\n    hours, rest = divmod(seconds, 3600)\n    return f"{hours}:{rest // 60:02}:{rest % 60:02}"\n```';

test('the summary calls the bundled tasks hefix’s own, and repeats no figure', async () => {
  const folder = await temporaryFolder();
  const script = join(folder, 'script.jsonl');
  await writeFile(script, `${JSON.stringify({ completions: [right] })}\n`);
  const model = ['--backend', 'scripted', '--model', script];
  const { stderr, exitCode } = await hefixHere([...model, '--ts', '1', '--out', join(folder, 'r.jsonl')]);
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringContaining('mini, hefix’s own tasks; HumanEvalFix: --dataset humanevalpack\n'),
  ]);
  expect(stderr).toMatch(/^solved +1\/1, 100\.0% \(.*\); pass@1 is the same$/m);
  expect(stderr).not.toMatch(/^(?: +pass@1|verdicts|node draft|iterations to solve) /m);
  const { args, out } = await smallRun(1);
  expect((await hefixHere([...args, '--out', out])).stderr).not.toContain('own tasks');
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { compareRuns } from '../../../lib/cli/compare/command.ts';
import { parseRerunOptions } from '../../../lib/cli/rerun/command.ts';
import { silentProgress } from '../../../lib/cli/terminal/line-progress.ts';
import { parseScoreOptions } from '../../../lib/options/tables/score-options.ts';
import { readManifest } from '../../../lib/report/results/manifest.ts';
import { readResults } from '../../../lib/report/results/read-results.ts';
import { summaryText } from '../../../lib/report/summary-text.ts';
import { scoreSamples } from '../../../lib/run/library/score-samples.ts';
import { writeSmallSet } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Real sandboxes; the tasks of `small` are `plus_0(x)` … `plus_3(x)`. */

let folder: string;
let dataset: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  ({ dataset } = await writeSmallSet(folder, 4));
});

async function scored(content: string | Uint8Array, options: object = {}, file = 'samples.jsonl') {
  const path = join(folder, file);
  await writeFile(path, content);
  const warnings: string[] = [];
  const events = { ...silentProgress(), warned: (sentence: string) => void warnings.push(sentence) };
  const clock = { date: () => new Date(), now: () => performance.now() };
  const given = { dataset, out: join(folder, 'scored.jsonl'), ...options };
  const signal = new AbortController().signal;
  const result = await scoreSamples(path, parseScoreOptions(given), { events, signal, clock });
  const { records } = await readResults(result.records);
  const verdicts = Object.fromEntries(
    records.map(({ task_id, sample, verdict }) => [`${task_id}#${sample}`, verdict?.kind]),
  );
  return { result, records, verdicts, warnings };
}

const jsonl = (...rows: readonly object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('');
const sample = (task: number, form: 'completion' | 'solution', text: string) => ({
  task_id: `small/${task}`,
  [form]: text,
});
const solution = (task: number, body = `x + ${task}`) => `def plus_${task}(x):\n    return ${body}\n`;

describe('scored samples', () => {
  test('are judged by the hidden tests: answers, continued declarations and whole programs', async () => {
    const { verdicts, records, result, warnings } = await scored(
      jsonl(
        sample(0, 'completion', '    return x\n'),
        sample(0, 'completion', '    return x\n\ndef plus_0(x):\n    return 7\n'),
        sample(0, 'completion', `Like this:\n\`\`\`python\n${solution(0)}\`\`\``),
        sample(1, 'completion', 'Sorry, I cannot help.'),
        sample(1, 'solution', solution(1, 'x + 2')),
        sample(1, 'solution', `import math\n${solution(1, 'x + int(math.cos(0))')}`),
        sample(1, 'solution', 'def plus_1(x:\n'),
        sample(3, 'solution', 'def other(x):\n    return x\n'),
      ),
    );
    expect(verdicts).toEqual({
      'small/0#0': 'passed',
      'small/0#1': 'passed',
      'small/0#2': 'passed',
      'small/1#0': 'no-code',
      'small/1#1': 'failed',
      'small/1#2': 'passed',
      'small/1#3': 'syntax',
      'small/3#0': 'signature',
    });
    expect(warnings).toEqual(['1 of 4 tasks have no sample and are left out of all figures: small/2.']);
    expect(result.without_samples).toEqual(['small/2']);
    const [first] = records;
    expect(first).toMatchObject({ format: 3, judge: 'proven', token_usage: { prompt: 0, completion: 0 } });
    expect(first).toMatchObject({ agent: null, temperature: null, first_candidate_passed: true });
    expect(first?.model).toBe(result.model.name);
    expect(first?.attempts).toMatchObject([{ node: 'given', prompt: [], temperature: null }]);
    expect(first?.diff).toContain('+    return x\n');
  });

  test('without text fail alone, and keep their reason; a byte order mark is no error', async () => {
    const { verdicts, records } = await scored(
      jsonl(
        { task_id: 'small/0', completion: null, finish_reason: 'content_filter' },
        sample(0, 'solution', `\uFEFF${solution(0)}`),
        { task_id: 'small/1', solution: null },
      ),
    );
    expect(verdicts).toEqual({ 'small/0#0': 'no-code', 'small/0#1': 'passed', 'small/1#0': 'no-code' });
    expect(records.map(({ verdict }) => verdict?.message)).toEqual([
      'The sample is null (finish_reason content_filter).',
      expect.any(String),
      'The sample is null.',
    ]);
    const { verdicts: generated } = await scored(
      JSON.stringify([[null], [solution(1)], [solution(2)], [solution(3)]]),
      { out: join(folder, 'generated.jsonl') },
      'generations.json',
    );
    expect(generated).toMatchObject({ 'small/0#0': 'no-code', 'small/1#0': 'passed' });
  });

  test('of tasks with fewer than k samples are not in pass@k, which says so', async () => {
    const right = Array.from({ length: 5 }, () => sample(0, 'solution', solution(0)));
    const wrong = sample(1, 'solution', solution(1, '9'));
    const { result } = await scored(jsonl(...right, wrong, wrong), { limit: 2 });
    expect(summaryText(result.summary)).toMatch(/pass@2 .*%\)\n/);
    expect(summaryText(result.summary)).toMatch(/pass@5 .*; 1 of 2 tasks\n/);
    expect(result.summary.warnings).toEqual([
      'For k = 5, 1 of 2 tasks has enough samples; the others are not in that figure.',
    ]);
  });

  test('give the unbiased pass@k, and a summary without a model', async () => {
    const { result } = await scored(
      jsonl(
        ...[0, 1, 2, 3].flatMap(task => [
          sample(task, 'solution', solution(task)),
          sample(task, 'solution', solution(task, '-9')),
        ]),
      ),
    );
    const { summary, model } = result;
    expect(summary).toMatchObject({ tasks: 4, samples: 2, runs: 8, solved: 4, pass_at_1: { value: 0.5 } });
    expect(summary.pass_at_k.map(({ k, value }) => [k, value])).toEqual([
      [1, 0.5],
      [2, 1],
    ]);
    expect(model.name).toBe('samples.jsonl');
    expect(summaryText(summary)).not.toMatch(/node|iterations|tokens/);
  });

  test('samples of JavaScript are judged the same way', async () => {
    const { verdicts } = await scored(
      jsonl(
        { task_id: 'mini-js/0', completion: '  return 0;\n}\n' },
        { task_id: 'mini-js/1', solution: 'const canRide = () => { throw new Error("no"); };' },
      ),
      { dataset: 'mini-js', lang: 'js', limit: 2 },
    );
    expect(verdicts).toEqual({
      'mini-js/0#0': 'failed',
      'mini-js/1#0': expect.stringMatching(/raised|failed/),
    });
  });

  test('samples of a generations.json follow the order of the tasks, with the harness’s imports', async () => {
    const programs = [0, 1, 2, 3].map(task => [solution(task, `x + int(math.sqrt(${task * task}))`), '']);
    const { verdicts } = await scored(gzipSync(JSON.stringify(programs)), {}, 'generations.json.gz');
    const expected = [0, 1, 2, 3].flatMap(task => [
      [`small/${task}#0`, 'passed'],
      [`small/${task}#1`, 'no-code'],
    ]);
    expect(verdicts).toEqual(Object.fromEntries(expected));
  });

  test('are resumed only with the same samples', async () => {
    const rows = [0, 1, 2, 3].map(task => sample(task, 'solution', solution(task)));
    await scored(jsonl(...rows));
    const out = join(folder, 'scored.jsonl');
    const [first = ''] = (await readFile(out, 'utf8')).split('\n');
    await writeFile(out, `${first}\n`);
    expect((await scored(jsonl(...rows), { resume: true })).records).toHaveLength(4);
    await expect(scored(jsonl(...rows.slice(1)), { resume: true })).rejects.toThrow(/samples\.jsonl/);
  });

  test('can be compared like runs, but not rerun', async () => {
    const rows = [0, 1, 2, 3].map(task => sample(task, 'solution', solution(task)));
    const first = await scored(jsonl(...rows), { name: 'mine' });
    const out = join(folder, 'other.jsonl');
    const other = await scored(jsonl(sample(0, 'solution', 'def plus_0(x): return 1')), { out });
    const comparison = await compareRuns(first.result.records, other.result.records);
    expect(comparison.agents).toEqual({ a: 'none (scored)', b: 'none (scored)' });
    expect(await readManifest(first.result.manifest)).toMatchObject({
      model: { name: 'mine' },
      scored: { file: join(folder, 'samples.jsonl') },
    });
    await expect(parseRerunOptions(first.result.manifest, {})).rejects.toMatchObject({
      code: 'RERUN_SCORED',
    });
  });
});

describe('samples that cannot be scored', () => {
  const row = { task_id: 'small/1', solution: 'x' };
  test.each([
    ['', 'SAMPLES_EMPTY', 'holds no samples'],
    ['[[], [], [], []]', 'SAMPLES_EMPTY', 'holds no samples'],
    [jsonl({ id: 1 }), 'SAMPLES_INVALID', 'line 1, has no task_id, but id.'],
    [jsonl(row, { task_id: 'small/1', text: '' }), 'SAMPLES_INVALID', 'line 2, has neither completion nor'],
    [jsonl({ ...row, completion: '' }), 'SAMPLES_INVALID', 'has both completion and solution'],
    [jsonl({ ...row, solution: 3 }), 'SAMPLES_INVALID', 'has a solution that is not text'],
    [jsonl({ ...row, task_id: 1 }), 'SAMPLES_INVALID', 'has a task_id that is not text'],
    ['{"task_id"', 'SAMPLES_INVALID', 'line 1, is not JSON'],
    [
      jsonl(row, { ...row, task_id: 'small/11' }),
      'SAMPLES_UNKNOWN_TASK',
      'line 2, is for the task "small/11"',
    ],
    ['[["a"], ["b"]]', 'SAMPLES_COUNT', 'holds samples of 2 tasks, but 4 tasks'],
    ['[["a"], "b"]', 'SAMPLES_INVALID', 'task 2, is not a list of programs'],
    ['[["a"], ["b", 1]]', 'SAMPLES_INVALID', 'task 2, sample 2, is not text'],
  ])('%s', async (content, code, message) => {
    await expect(scored(content)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('samples for unknown tasks suggest the nearest id', async () => {
    const content = jsonl({ task_id: 'smal/3', solution: 'x' });
    await expect(scored(content)).rejects.toMatchObject({ hint: expect.stringContaining('small/3') });
  });

  test('samples for tasks that are not selected are refused', async () => {
    await expect(scored(jsonl(row), { limit: 1 })).rejects.toThrow('no sample of the selected tasks');
  });
});

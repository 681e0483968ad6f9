import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hefixHere } from '../support/cli.ts';

/**
 * Ids and messages that would control a terminal: a title, a cleared screen, a progress line, reversed
 * letters.
 */
const ids = [
  'a\u001b]0;title\u0007',
  'b\u001b[2J',
  'c\n[9/9] small/9 passed with the draft, 0.1 s',
  'd\u202edessap',
  'e\u009b2J',
  'f\r\u0000g',
];
const driving = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let folder: string;
let dataset: string;
let script: string;
let records: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hefix-test-'));
  [dataset, script, records] = ['ids.jsonl', 'script.jsonl', 'r.jsonl'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const rows = ids.map((task_id, number) => ({
    task_id,
    declaration: `def f${number}(x):\n`,
    docstring: 'The same.',
    canonical_solution: '    return x + 1\n',
    buggy_solution: '    return x\n',
    entry_point: `f${number}`,
    test: `assert f${number}(1) == 1, "the tests want \u001b[31mred"\n`,
    bug_type: 'value misuse',
  }));
  const answers = ids.map((_, number) => ({
    when: `def f${number}(`,
    completions: [
      `\`\`\`python\ndef f${number}(x):\n    raise ValueError("\\x1b]0;x\\x07\\n[9/9] passed\\u202e")\n\`\`\``,
    ],
  }));
  const lines = (values: readonly object[]) => values.map(value => `${JSON.stringify(value)}\n`).join('');
  await writeFile(dataset, lines(rows));
  await writeFile(script, lines(answers));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function shown(words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await hefixHere(words);
  const text = `${stdout}\n${stderr}`;
  expect(driving.exec(text)).toBeNull();
  return text;
}

describe('text from candidates and datasets is escaped', () => {
  test.each([[], ['--verbose'], ['--workers', '2'], ['--debug']])(
    'a run %o escapes text',
    async (...more) => {
      const out = more.length === 0 ? records : join(folder, `${more[0]}.jsonl`);
      const words = ['--backend', 'scripted', '--model', script, '--dataset', dataset, '--iters', '0'];
      const text = await shown([...words, '--out', out, ...more]);
      expect(text).toContain('c\\n[9/9] small/9 passed');
      expect(text.split('\n').filter(line => line.startsWith('[9/9]'))).toEqual([]);
    },
  );

  test('verify escapes text', async () => {
    const text = await shown(['verify', '--dataset', dataset]);
    expect(text).toContain('b\\x1b[2J ');
  });

  test('exec escapes text', async () => {
    const [code, tests] = [join(folder, 'c.py'), join(folder, 't.py')];
    await writeFile(code, 'def f(x):\n    raise ValueError("\\x1b[2J\\n\\u202epassed: All tests passed.")\n');
    await writeFile(tests, 'assert f(1) == 1\n');
    const words = ['exec', '--code', code, '--tests', tests, '--entry-point', 'f'];
    const plain = await shown(words);
    const [verdict, ...counted] = plain.trim().split('\n');
    expect(verdict).toContain('\\x1b[2J \\u202epassed');
    expect(counted).toEqual(['0 of 1 assertions pass.', 'fails: line 1: assert f(1) == 1']);
    const json = (await hefixHere([...words, '--json'])).stdout;
    expect(driving.exec(String(json))).toBeNull();
    expect(JSON.parse(String(json)).verdict.message).toContain('\u001b[2J \u202epassed');
  });

  test('reports and comparisons escape text', async () => {
    for (const kind of ['svg', 'png', 'html']) {
      const out = join(folder, `r.${kind}`);
      expect(await shown(['report', records, '--out', out])).toContain(`report of ${ids.length} records`);
    }
    await shown(['compare', records, records]);
  });
});

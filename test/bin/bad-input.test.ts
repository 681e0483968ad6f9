import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { hefixHere, writeSmallSet } from '../support/cli.ts';
import { programFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** Each mistake gives one sentence with its code and one with a hint, and exit code 1. */
async function expectError(
  args: readonly string[],
  code: string,
  sentence: string | RegExp,
  options: Parameters<typeof hefixHere>[1] = {},
): Promise<string> {
  const { exitCode, stdout, stderr } = await hefixHere(args, options);
  const [first, hint, ...more] = String(stderr).split('\n');
  expect(first).toMatch(sentence);
  expect(first).toMatch(new RegExp(`^error .*[.:] \\[${code}\\]$`));
  expect(hint).toMatch(/[.?]$/);
  expect(more).toEqual([]);
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
  return hint ?? '';
}

async function small() {
  const folder = await programFolder();
  const { dataset, script } = await writeSmallSet(folder, 2);
  const out = join(folder, 'r.jsonl');
  return {
    folder,
    dataset,
    out,
    args: ['--backend', 'scripted', '--model', script, '--dataset', dataset, '--out', out],
  };
}

describe('options and commands', () => {
  test.each([
    [['--itres', '3'], 'OPTION_UNKNOWN', 'There is no option --itres.', 'Did you mean --iters?'],
    [['rnu'], 'COMMAND_UNKNOWN', 'There is no command rnu.', 'Did you mean run?'],
    [
      ['--iters', 'abc'],
      'OPTION_INVALID',
      '--iters is "abc", expected a whole number from 0 to 1000.',
      /^See hefix run --help\.$/,
    ],
    [['-i', 'abc'], 'OPTION_INVALID', '-i is "abc", expected a whole number from 0 to 1000.', /help/],
    [['--ts', '0'], 'OPTION_INVALID', '--ts is "0", expected a whole number from 1 to 1000000.', /help/],
    [['-v', '--quiet'], 'OPTION_INVALID', '--quiet and -v cannot be combined.', /Leave one of them out/],
    [['sweep', '-i', 'x', '--out', 's'], 'OPTION_INVALID', '-i is "x"', /^See hefix sweep --help\.$/],
    [['--iters', '-1'], 'OPTION_INVALID', '--iters is "-1", expected a whole number from 0 to 1000.', /help/],
  ])('%j', async (args, code, sentence, hint) => {
    expect(await expectError(args, code, sentence)).toMatch(hint);
  });
});

describe('datasets', () => {
  const columns = ['task_id', 'declaration', 'canonical_solution', 'buggy_solution', 'entry_point', 'test'];
  const parquet = (names: readonly string[]) =>
    new Uint8Array(parquetWriteBuffer({ columnData: names.map(name => ({ name, data: ['a', 'b', 'c'] })) }));

  test.each<[string, string, string | Uint8Array | null, string, RegExp]>([
    ['missing', 'x.jsonl', null, 'DATASET_NOT_FOUND', /no dataset file .*x\.jsonl/],
    ['empty', 'x.jsonl', '', 'DATASET_EMPTY', /x\.jsonl/],
    ['no parquet', 'x.parquet', 'These are words, not columns.', 'DATASET_CORRUPT', /x\.parquet/],
    ['a truncated parquet', 'x.parquet', parquet(columns).slice(0, -40), 'DATASET_CORRUPT', /x\.parquet/],
    [
      'a parquet without a column',
      'x.parquet',
      parquet(columns.slice(0, 5)),
      'DATASET_COLUMN_MISSING',
      /test/,
    ],
    [
      'JSONL without a column',
      'x.jsonl',
      '{"task_id": "a/1", "test": "t"}\n',
      'DATASET_COLUMN_MISSING',
      /row 1, has no columns buggy_solution, entry_point\./,
    ],
  ])('%s', async (_, name, content, code, sentence) => {
    const path = join(await temporaryFolder(), name);
    if (content !== null) await writeFile(path, content);
    await expectError(['--dataset', path, '--out', `${path}.out.jsonl`], code, sentence);
  });

  test('an unknown name', async () => {
    const hint = await expectError(['--dataset', 'minni'], 'DATASET_UNKNOWN', 'minni', {
      cwd: await temporaryFolder(),
    });
    expect(hint).toContain('mini');
  });

  test('an unknown task', async () => {
    const { args } = await small();
    expect(await expectError([...args, '--tasks', 'small/9'], 'TASKS_UNKNOWN', /small\/9/)).toMatch(
      /Did you mean small/,
    );
  });
});

describe('models', () => {
  const reference = packageFile('fixtures/reference');

  test.each<[string, string, string | null, string]>([
    ['without ONNX file', 'onnx', null, 'MODEL_ONNX_MISSING'],
    ['without tokenizer', 'tokenizer.json', null, 'MODEL_FILE_MISSING'],
    ['without configuration', 'config.json', null, 'MODEL_FILE_MISSING'],
    ['with a corrupt ONNX file', 'onnx/model.onnx', 'not a graph', 'MODEL_ONNX_INVALID'],
  ])('a folder %s', async (_, file, content, code) => {
    const { folder, dataset, out } = await small();
    const model = join(folder, 'model');
    await cp(reference, model, { recursive: true });
    if (content === null) await rm(join(model, file), { recursive: true });
    else await writeFile(join(model, file), content);
    await expectError(['--model', model, '--dataset', dataset, '--out', out], code, /model/);
  });

  test('a missing folder', async () => {
    const { dataset, out } = await small();
    await expectError(
      ['--model', '/nowhere/model', '--dataset', dataset, '--out', out],
      'MODEL_FOLDER_MISSING',
      /nowhere/,
    );
  });

  test.each([
    ['qwen3-0.6b', 'HUB_OFFLINE', /Qwen\/Qwen3-0\.6B is not in the cache/],
    ['qwen9', 'MODEL_UNKNOWN', /"qwen9" is not a model/],
  ])('%s, with the hub out of reach', async (model, code, sentence) => {
    const { folder, dataset, out } = await small();
    await expectError(['--model', model, '--dataset', dataset, '--out', out], code, sentence, {
      env: { HF_HUB_OFFLINE: '1', HF_HUB_CACHE: folder },
    });
  });

  test('an invalid script', async () => {
    const { dataset, out } = await small();
    const args = ['--backend', 'scripted', '--model', dataset, '--dataset', dataset, '--out', out];
    await expectError(args, 'MODEL_SCRIPT_INVALID', /line 1/);
  });
});

describe('results', () => {
  test('an output folder that cannot be written', async () => {
    const { args, folder } = await small();
    await writeFile(join(folder, 'file'), '');
    const out = join(folder, 'file', 'r.jsonl');
    await expectError([...args.slice(0, -1), out], 'OUT_NOT_WRITABLE', out);
  });

  test('existing records, or records of another dataset, model or option', async () => {
    const { args, folder, dataset, out } = await small();
    expect((await hefixHere([...args, '--ts', '1'])).exitCode).toBe(0);
    await expectError(args, 'OUT_EXISTS', out);
    await expectError(
      [...args, '--resume', '--seed', '1'],
      'RESUME_MISMATCH',
      /--seed 0, and this run has 1/,
    );

    const script = args[3] ?? '';
    await writeFile(`${script}.2`, `${await readFile(script, 'utf8')}\n`);
    const otherModel = args.map(arg => (arg === script ? `${script}.2` : arg));
    await expectError([...otherModel, '--resume'], 'RESUME_MISMATCH', /with model script\.jsonl/);

    const otherSet = join(folder, 'other.jsonl');
    await writeFile(otherSet, `${await readFile(dataset, 'utf8')}\n`);
    const otherData = args.map(arg => (arg === dataset ? otherSet : arg));
    await expectError([...otherData, '--resume'], 'RESUME_MISMATCH', /with dataset small\.jsonl/);
  });
});

describe('Python', () => {
  test('is missing', async () => {
    const { args, folder } = await small();
    await expectError(args, 'PYTHON_MISSING', /^error Python could not be started/, {
      env: { PATH: folder },
    });
  });

  test('is too old', async () => {
    const { args, folder } = await small();
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(
      join(bin, 'python3'),
      '#!/bin/sh\necho \'{"executable": "/old/python3", "version": [3, 8, 18]}\'\n',
    );
    await chmod(join(bin, 'python3'), 0o755);
    await expectError(args, 'PYTHON_TOO_OLD', /3\.8\.18/, { env: { PATH: bin } });
  });
});

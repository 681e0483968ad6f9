import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultDataset } from '../../dataset/bundled.ts';
import { gunzip, loadDataset } from '../../dataset/load.ts';
import { HefixError } from '../../lib/core/errors.ts';
import { packageFile } from '../../lib/files/package.ts';

const golden = packageFile('test/dataset/golden');
const readable = ['.parquet', '.jsonl', '.jsonl.gz'];
const filesOf = async (folder: string) =>
  (await readdir(join(golden, folder))).filter(name => readable.some(extension => name.endsWith(extension)));
const good = await filesOf('good');
const bad = await filesOf('bad');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hefix-load-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a file becomes tasks', () => {
  test.each(good)('%s', async name => {
    const expected = JSON.parse(await readFile(join(golden, 'good/tasks.json'), 'utf8'));
    const path = join(golden, 'good', name);
    const dataset = await loadDataset(path);
    expect(dataset.tasks).toEqual(expected);
    expect(dataset.name).toBe(name);
    const sum = createHash('sha256').update(await readFile(path));
    expect(dataset.fingerprint).toBe(sum.digest('hex'));
  });

  test('other columns are ignored', async () => {
    const rows = (await readFile(join(golden, 'good/rows.jsonl'), 'utf8')).trim().split('\n');
    const path = join(folder, 'more.jsonl');
    const more = rows.map(row => JSON.stringify({ ...JSON.parse(row), other: { of: ['any', 'type'] } }));
    await writeFile(path, more.join('\n'));
    const expected = await loadDataset(join(golden, 'good/rows.jsonl'));
    expect((await loadDataset(path)).tasks).toEqual(expected.tasks);
  });

  test('the extension’s case does not matter', async () => {
    const path = join(folder, 'ROWS.JSONL');
    await writeFile(path, await readFile(join(golden, 'good/rows.jsonl')));
    expect((await loadDataset(path)).tasks).toHaveLength(2);
  });
});

describe('invalid files are refused', () => {
  test.each(bad)('%s', async name => {
    const path = join(golden, 'bad', name);
    const expected = JSON.parse(await readFile(`${path}.json`, 'utf8'));
    const error = await refusal(path);
    expect(error.code).toBe(expected.code);
    expect(error.message.replace(path, 'FILE')).toContain(expected.message);
    expect(error.message).not.toContain('\n');
  });

  test('a missing file', async () => {
    expect(await refusal(join(folder, 'none.parquet'))).toMatchObject({ code: 'DATASET_NOT_FOUND' });
    expect(await refusal('./none')).toMatchObject({ code: 'DATASET_NOT_FOUND' });
  });

  test.each(readable)('an empty file, %s', async extension => {
    const path = join(folder, `empty${extension}`);
    await writeFile(path, '');
    expect(await refusal(path)).toMatchObject({ code: 'DATASET_EMPTY' });
  });

  test('a folder', async () => {
    const path = join(folder, 'folder.jsonl');
    await mkdir(path);
    expect(await refusal(path)).toMatchObject({ code: 'DATASET_NOT_READABLE' });
  });

  test('an unknown extension, listing the known ones', async () => {
    const path = join(folder, 'rows.csv');
    await writeFile(path, 'task_id,test\n');
    const error = await refusal(path);
    expect(error.code).toBe('DATASET_EXTENSION');
    for (const extension of readable) expect(error.hint).toContain(extension);
  });

  test('a small file that decompresses to more than the limit', () => {
    const packed = gzipSync(Buffer.alloc(3 * 2 ** 20));
    expect(() => gunzip('bomb.jsonl.gz', packed, 2 ** 20)).toThrow(
      expect.objectContaining({ code: 'DATASET_TOO_LARGE', message: expect.stringContaining('1 MiB') }),
    );
  });
});

describe('names', () => {
  test.each([
    ['minni', 'mini'],
    ['mini-ts', 'mini-js'],
    ['human-eval-pack', 'humanevalpack'],
  ])('%s is unknown, and %s is near', async (name, nearest) => {
    expect(await refusal(name)).toMatchObject({ code: 'DATASET_UNKNOWN', hint: `Did you mean ${nearest}?` });
  });

  test('a name without similar names gets no suggestion', async () => {
    expect((await refusal('imagenet')).hint).not.toContain('Did you mean');
  });

  test('the default set is in the language of the run', () => {
    expect(defaultDataset('python')).toBe('mini');
    expect(defaultDataset('js')).toBe('mini-js');
    expect(defaultDataset('rust')).toBe('mini-rust');
  });
});

async function refusal(nameOrPath: string): Promise<HefixError> {
  const error = await loadDataset(nameOrPath).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(HefixError);
  return error as HefixError;
}

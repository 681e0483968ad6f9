import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Language } from '../../../lib/core/task.ts';
import { type FakeHub, fakeHub } from '../../files/hub/fake-hub.ts';
import { sharedData } from '../../support/shared-data.ts';

export const PACK = 'bigcode/humanevalpack';
export const CONVERTED = 'refs/convert/parquet';

/** The real rows of a language as JSON lines; null if they are not available. */
export async function realRows(language: Language): Promise<Buffer | null> {
  const path = sharedData(`humanevalpack/${language}.even.jsonl.gz`);
  return path === null ? null : gunzipSync(await readFile(path));
}

/**
 * The layout of `bigcode/humanevalpack`: a script, and JSON lines by language on main, Parquet on the branch.
 */
export async function servePack(
  rows: Readonly<Partial<Record<Language, Buffer>>>,
  { main = true, converted = true } = {},
): Promise<FakeHub> {
  const entries = Object.entries(rows);
  const script = {
    'README.md': Buffer.from('---\nlicense: mit\n---\n'),
    'humanevalpack.py': Buffer.from('import datasets\n'),
  };
  const jsonl = entries.map(([language, text]) => [`data/${language}/data/humanevalpack.jsonl`, text]);
  const parquet = entries.map(([language, text]) => [`${language}/test/0000.parquet`, parquetOf(text)]);
  return await fakeHub(
    PACK,
    { ...script, ...(main && Object.fromEntries(jsonl)) },
    { kind: 'dataset', ...(converted && { branches: { [CONVERTED]: Object.fromEntries(parquet) } }) },
  );
}

function parquetOf(jsonLines: Buffer): Buffer {
  const rows = jsonLines
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Record<string, string | null>);
  const columnData = Object.keys(rows[0] ?? {}).map(name => ({
    name,
    type: 'STRING' as const,
    data: rows.map(row => row[name] ?? null),
  }));
  return Buffer.from(parquetWriteBuffer({ columnData }));
}

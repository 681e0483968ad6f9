import { readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { type FileMetaData, parquetMetadata } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { describe, expect, test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { parseParquet } from '../../dataset/parquet.ts';
import { HefixError } from '../../lib/core/errors.ts';
import { packageFile } from '../../lib/files/package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const limits = { maxBytes: 2 ** 20, maxRows: 1000 };
const file = new Uint8Array(readFileSync(packageFile('test/dataset/golden/good/snappy.parquet')));

describe('a file with a false size is refused before memory is allocated', () => {
  test('rows in the footer but not in the groups', async () => {
    const lying = withFooter(metadata => {
      metadata.num_rows = 10n ** 15n;
    });
    await expect(read(lying)).rejects.toMatchObject({
      code: 'DATASET_CORRUPT',
      message: 'x.parquet is damaged: it promises 1000000000000000 rows and holds 2.',
    });
  });

  test('rows in a group, but fewer in its columns', async () => {
    const lying = withFooter(metadata => promiseRows(metadata, 3n, false));
    await expect(read(lying)).rejects.toMatchObject({
      message: 'x.parquet is damaged: it promises 3 rows and holds 2.',
    });
  });

  test('rows in footer, groups and columns, but no pages', async () => {
    const lying = withFooter(metadata => promiseRows(metadata, 900n, true));
    await expect(read(lying)).rejects.toMatchObject({
      message: 'x.parquet is damaged: it holds fewer than the 900 rows it promises.',
    });
  });

  test('an implausible number of rows', async () => {
    const lying = withFooter(metadata => promiseRows(metadata, 2n ** 62n, true));
    await expect(read(lying)).rejects.toMatchObject({ code: 'DATASET_TOO_LARGE' });
  });

  test('columns beyond the end of the file', async () => {
    const lying = withFooter(metadata => {
      for (const column of metadata.row_groups[0]?.columns ?? []) {
        if (column.meta_data) column.meta_data.total_compressed_size = 10n ** 12n;
      }
    });
    await expect(read(lying)).rejects.toMatchObject({
      message: 'x.parquet is damaged: it names columns beyond its end.',
    });
  });
});

describe('a small file that decompresses to more than the limit is refused', () => {
  /** 16 kB for 8 MiB of spaces, in pages that are each below the limit of 1 MiB. */
  test('the limit counts all pages together', async () => {
    const columns = ['task_id', 'declaration', 'test', 'docstring'];
    const data = Array.from({ length: 8 }, (_, index) => `${index}${' '.repeat(2 ** 18)}`);
    const columnData = columns.map(name => ({ name, data, type: 'STRING' as const }));
    const small = new Uint8Array(parquetWriteBuffer({ columnData, pageSize: 2 ** 18 }));
    expect(small.length).toBeLessThan(2 ** 19);
    await expect(read(small)).rejects.toMatchObject({
      code: 'DATASET_TOO_LARGE',
      message: 'x.parquet has more to unpack, more than the 1 MiB that hefix reads.',
    });
  });

  test.each(['UNCOMPRESSED', 'SNAPPY'] as const)(
    'repeated prefixes count towards the limit, %s',
    async codec => {
      const data = Array.from({ length: 200 }, (_, index) => `${'x'.repeat(2 ** 14)}${index}`);
      const columnData = [
        { name: 'test', data, type: 'STRING' as const, encoding: 'DELTA_BYTE_ARRAY' as const },
      ];
      const small = new Uint8Array(parquetWriteBuffer({ columnData, codec }));
      expect(small.length).toBeLessThan(2 ** 17);
      await expect(read(small)).rejects.toMatchObject({ code: 'DATASET_TOO_LARGE' });
    },
  );

  test('the same pages named in many row groups are refused', async () => {
    const data = [...'abcd'].map(letter => letter.repeat(2 ** 12));
    const columnData = [{ name: 'test', data, type: 'STRING' as const, encoding: 'PLAIN' as const }];
    const once = new Uint8Array(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED' }));
    const often = withFooter(metadata => {
      metadata.row_groups = Array.from({ length: 100 }, () => metadata.row_groups).flat();
      metadata.num_rows *= 100n;
    }, once);
    await expect(read(once)).resolves.toHaveLength(4);
    await expect(read(often)).rejects.toMatchObject({ code: 'DATASET_TOO_LARGE' });
  });

  test.each(['PLAIN', 'RLE_DICTIONARY', 'DELTA_BYTE_ARRAY', 'DELTA_LENGTH_BYTE_ARRAY'] as const)(
    'a column within the limit, %s, with missing values is accepted',
    async encoding => {
      const data = ['one', null, 'once', 'one', null];
      const columnData = [{ name: 'test', data, type: 'STRING' as const, encoding, nullable: true }];
      const rows = await read(new Uint8Array(parquetWriteBuffer({ columnData })));
      expect(rows.map(({ value }) => value)).toEqual(data.map(test => ({ test })));
    },
  );

  test('one long value repeated in many rows is refused', async () => {
    const path = join(await temporaryFolder(), 'repeated.parquet');
    const long = 'x'.repeat(2 ** 20);
    const rows = 400;
    const column = (name: string, value: string) => ({
      name,
      data: Array.from({ length: rows }, () => value),
      type: 'STRING' as const,
      encoding: 'RLE_DICTIONARY' as const,
    });
    const names = ['task_id', 'declaration', 'canonical_solution', 'buggy_solution', 'entry_point', 'test'];
    const columnData = names.map(name => column(name, name === 'test' ? long : 'f'));
    await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData })));
    expect((await stat(path)).size).toBeLessThan(2 ** 20);
    await expect(loadDataset(path)).rejects.toMatchObject({ code: 'DATASET_TOO_LARGE' });
  });
});

test('damaged files give rows or a one-sentence error', async () => {
  const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(damage, async changes => {
      const damaged = file.slice();
      for (const [offset, byte] of changes) damaged[offset] = byte;
      const outcome = await read(damaged).catch((cause: unknown) => cause);
      expect(Array.isArray(outcome) || outcome instanceof HefixError).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each([0, 1, 4, 11, 12, 100, file.length - 1])('truncation to %i bytes is rejected', async length => {
  await expect(read(file.slice(0, length))).rejects.toBeInstanceOf(HefixError);
});

function read(bytes: Uint8Array) {
  return parseParquet('x.parquet', bytes, limits);
}

/** The same pages with an altered footer. */
function withFooter(alter: (metadata: FileMetaData) => void, bytes = file): Uint8Array {
  const metadata = parquetMetadata(bytes.slice().buffer);
  alter(metadata);
  const footer = new ByteWriter();
  writeMetadata(footer, metadata);
  const pages = bytes.subarray(0, bytes.length - 8 - metadata.metadata_length);
  return new Uint8Array([
    ...pages,
    ...new Uint8Array(footer.getBuffer()),
    ...new TextEncoder().encode('PAR1'),
  ]);
}

function promiseRows(metadata: FileMetaData, rows: bigint, inColumns: boolean): void {
  metadata.num_rows = rows;
  for (const group of metadata.row_groups) {
    group.num_rows = rows;
    for (const column of group.columns) {
      if (column.meta_data && inColumns) column.meta_data.num_values = rows;
    }
  }
}

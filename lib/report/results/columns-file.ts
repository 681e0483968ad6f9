import { createHash } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { z } from 'zod';
import { ensureDirectory } from '../../files/ensure-directory.ts';
import { openRegular, parseJson } from '../../files/untrusted-file.ts';
import type { Column } from './fact-columns.ts';
import type { FactTable } from './fact-table.ts';
import { WORTH_BYTES } from './fact-table.ts';

/**
 * The facts of a results file as two Parquet files in a folder next to it, `records.parquet` and
 * `attempts.parquet`. They are a cache: if they are missing, damaged or older than the records, the records are
 * read instead.
 */
export interface ColumnsFile {
  /** Bytes and lines of the results file that the columns cover. */
  readonly bytes: number;
  readonly lines: number;
  /** Adds the next rows to a table; resolves with whether there are more. */
  readInto(table: FactTable): Promise<boolean>;
}

/** `runs/a.jsonl` → `runs/a.columns`. */
export function columnsPath(recordsPath: string): string {
  return `${recordsPath.replace(/\.jsonl$/, '')}.columns`;
}

/** The first rows are read alone, so that a page can show them at once. */
const FIRST_ROWS = 2000;
const ROWS_AT_ONCE = 50_000;

/** Incremented when the columns change; others are ignored. */
const columnsFormat = 3;

const stampSchema = z.object({
  format: z.literal(columnsFormat),
  bytes: z.number().int().positive(),
  lines: z.number().int().positive(),
  /** Of parts of these bytes. */
  digest: z.string(),
});
type Stamp = z.infer<typeof stampSchema>;

/**
 * Writes the columns of a results file, if it is large. Resolves with false if that is not possible, as in a
 * folder that cannot be written.
 */
export async function saveColumns(
  recordsPath: string,
  table: FactTable,
  covered: { readonly bytes: number; readonly lines: number },
): Promise<boolean> {
  if (covered.bytes < WORTH_BYTES || table.length() === 0) return false;
  const folder = columnsPath(recordsPath);
  const ending = `${process.pid}.tmp`;
  const names = ['attempts.parquet', 'records.parquet'];
  const temporary = (name: string) => join(folder, `${name}.${ending}`);
  try {
    await ensureDirectory(folder);
    const digest = await digestOf(recordsPath, covered.bytes);
    await writeTable(temporary, table, { format: columnsFormat, ...covered, digest });
    for (const name of names) await rename(temporary(name), join(folder, name));
    return true;
  } catch {
    for (const name of names) await rm(temporary(name), { force: true }).catch(() => {});
    return false;
  }
}

async function writeTable(pathOf: (name: string) => string, table: FactTable, stamp: Stamp): Promise<void> {
  const { columns, attempts } = table;
  const writeRecords = await openWriter(pathOf('records.parquet'), columns, stamp);
  const writeAttempts = await openWriter(pathOf('attempts.parquet'), attempts, stamp);
  for (let from = 0; from < table.length(); ) {
    const to = Math.min(table.length(), from + (from === 0 ? FIRST_ROWS : ROWS_AT_ONCE));
    writeRecords.rows(from, to);
    writeAttempts.rows(table.firstAttempt(from), table.firstAttempt(to));
    from = to;
  }
  writeRecords.end();
  writeAttempts.end();
}

type AnyColumn = Column<string> | Column<number> | Column<boolean>;
type Columns = Readonly<Record<string, AnyColumn>>;

async function openWriter(path: string, columns: Columns, stamp: Stamp) {
  const { ParquetWriter, fileWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const dataOf = (from: number, to: number) =>
    Object.entries(columns).map(([name, { type, slice, hasNulls }]) => ({
      name,
      type,
      // Columns without nulls are read twice as fast.
      nullable: hasNulls(),
      data: slice(from, to),
    }));
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: dataOf(0, 0) }),
    kvMetadata: [{ key: STAMP, value: JSON.stringify(stamp) }],
  });
  return {
    rows(from: number, to: number) {
      if (to > from) writer.write({ columnData: dataOf(from, to), rowGroupSize: to - from });
    },
    end: () => writer.finish(),
  };
}

const STAMP = 'hefix';

/** Null if there are none for this file as it is now. */
export async function openColumns(recordsPath: string): Promise<ColumnsFile | null> {
  try {
    const folder = columnsPath(recordsPath);
    const records = await openParquet(join(folder, 'records.parquet'));
    const attempts = await openParquet(join(folder, 'attempts.parquet'));
    if (JSON.stringify(records.stamp) !== JSON.stringify(attempts.stamp)) return null;
    const { bytes, lines, digest } = records.stamp;
    const [source, columns] = await Promise.all([stat(recordsPath), stat(join(folder, 'records.parquet'))]);
    // More bytes are a run that was continued; the same number with a later date is a file that was edited.
    if (source.size < bytes || (source.size === bytes && source.mtimeMs > columns.mtimeMs)) return null;
    if ((await digestOf(recordsPath, bytes)) !== digest) return null;
    let [group, row, attempt] = [0, 0, 0];
    return {
      bytes,
      lines,
      async readInto(table) {
        const rows = Number(records.metadata.row_groups[group]?.num_rows ?? 0);
        await records.read(row, row + rows, table.columns);
        let count = 0;
        for (let index = row; index < row + rows; index++) count += table.columns.attempts.at(index) ?? 0;
        await attempts.read(attempt, attempt + count, table.attempts);
        table.countRows(rows);
        group++;
        row += rows;
        attempt += count;
        return group < records.metadata.row_groups.length;
      },
    };
  } catch {
    return null;
  }
}

async function openParquet(path: string) {
  const file = await asyncBufferFromFile(path);
  const metadata: FileMetaData = await parquetMetadataAsync(file);
  const stamp = metadata.key_value_metadata?.find(({ key }) => key === STAMP)?.value;
  return {
    metadata,
    stamp: stampSchema.parse(parseJson(stamp ?? '')),
    async read(rowStart: number, rowEnd: number, columns: Columns) {
      if (rowEnd === rowStart) return;
      await parquetRead({
        file,
        metadata,
        rowStart,
        rowEnd,
        onChunk({ columnName, columnData }) {
          const column = columns[columnName] as Column<unknown> | undefined;
          for (const value of columnData) column?.push(value);
        },
      });
    },
  };
}

/** A hash of parts of the first bytes of a file: its start, its end, and some between. */
async function digestOf(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  const part = Buffer.alloc(PART_BYTES);
  const file = await openRegular(path);
  try {
    for (let index = 0; index <= PARTS; index++) {
      const position = Math.floor((Math.max(0, bytes - PART_BYTES) * index) / PARTS);
      const { bytesRead } = await file.read(part, 0, Math.min(PART_BYTES, bytes), position);
      hash.update(part.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

const PARTS = 16;
const PART_BYTES = 64 * 2 ** 10;

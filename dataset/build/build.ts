import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { packageFile } from '../../lib/files/package.ts';
import { cppTask } from './cpp-task.ts';
import { goTask } from './go-task.ts';
import { javaTask } from './java-task.ts';
import { javascriptTask } from './javascript-task.ts';
import { pythonTask } from './python-task.ts';
import { rustTask } from './rust-task.ts';

/**
 * The bundled sets, each built from the folder with its name: one source file per task, `07_parcel_price.py`.
 */
export const setNames = [
  'mini',
  'bogus',
  'mini-js',
  'mini-go',
  'mini-rust',
  'mini-cpp',
  'mini-java',
] as const;

/** What reads a task's source file, by the file's extension. */
const readers: Readonly<Record<string, (id: string, source: string) => Record<string, string>>> = {
  '.py': pythonTask,
  '.js': javascriptTask,
  '.go': goTask,
  '.rs': rustTask,
  '.cpp': cppTask,
  '.java': javaTask,
};

/** The bytes of a bundled set's Parquet file; the same sources give the same bytes. */
export function buildDataset(name: (typeof setNames)[number]): Uint8Array {
  const folder = packageFile(`dataset/${name}`);
  const rows = readdirSync(folder)
    .sort()
    .map((file, index) => {
      if (!file.startsWith(String(index).padStart(2, '0')))
        throw new Error(`${file} should have number ${index}`);
      const toRow = readers[extname(file)];
      if (!toRow) throw new Error(`${file} has an unknown extension`);
      try {
        return toRow(`${name}/${index}`, readFileSync(join(folder, file), 'utf8'));
      } catch (cause) {
        throw new Error(`${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
      }
    });
  const columnData = Object.keys(rows[0] ?? {}).map(column => ({
    name: column,
    data: rows.map(row => row[column] ?? ''),
    type: 'STRING' as const,
    nullable: false,
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

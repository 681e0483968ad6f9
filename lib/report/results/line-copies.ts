import type { FileHandle } from 'node:fs/promises';
import { openRegular } from '../../files/untrusted-file.ts';
import type { LinePlace } from './fact-columns.ts';
import { readBytes } from './fact-reader.ts';
import type { FactRow } from './fact-table.ts';

/** A record and the path of the results file that holds it. */
export interface PlacedRow {
  readonly path: string;
  readonly record: FactRow;
}

/**
 * The lines of records from several files, in this order.
 * @param placed called with each record and the place of its copy
 */
export async function* linesOf(
  rows: readonly PlacedRow[],
  placed: (record: FactRow, place: LinePlace) => void,
): AsyncGenerator<Uint8Array> {
  const files = new Map<string, FileHandle>();
  let written = 0;
  try {
    for (let from = 0; from < rows.length; ) {
      const to = endOfRun(rows, from);
      const run = rows.slice(from, to);
      const [first, last] = [run[0], run.at(-1)];
      if (first === undefined || last === undefined) return;
      const file = files.get(first.path) ?? (await openRegular(first.path));
      files.set(first.path, file);
      const { start } = first.record;
      const bytes = await readBytes(file, start, last.record.start + last.record.length - start);
      const lines = run.map(({ record }) => {
        const offset = record.start - start;
        return bytes.subarray(offset, offset + record.length);
      });
      for (const [index, line] of lines.entries()) {
        const { record } = run[index] ?? first;
        placed(record, { start: written, length: line.length });
        written += line.length + 1;
      }
      yield Buffer.concat(lines.flatMap(line => [line, LINE_END]));
      from = to;
    }
  } finally {
    for (const file of files.values()) await file.close();
  }
}

const LINE_END = Buffer.from('\n');
const BYTES_AT_ONCE = 4 * 2 ** 20;

/** The end of the rows that follow each other in one file, which are read together. */
function endOfRun(rows: readonly PlacedRow[], from: number): number {
  let to = from + 1;
  let bytes = rows[from]?.record.length ?? 0;
  for (; to < rows.length && bytes < BYTES_AT_ONCE; to++) {
    const [before, next] = [rows[to - 1], rows[to]];
    if (before === undefined || next === undefined || before.path !== next.path) break;
    if (next.record.start !== before.record.start + before.record.length + 1) break;
    bytes += next.record.length + 1;
  }
  return to;
}

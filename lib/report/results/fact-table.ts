import type { RecordFacts } from '../../core/record-facts.ts';
import { integers } from './column.ts';
import {
  type AttemptColumns,
  createAttemptColumns,
  createRecordColumns,
  type LinePlace,
  type RecordColumns,
} from './fact-columns.ts';
import { type FactRow, RowView } from './fact-row.ts';

/**
 * The facts of a results file by column: about 200 bytes a record, so that a million fit into memory. Rows read
 * from the columns when they are asked.
 */
export interface FactTable {
  readonly columns: RecordColumns;
  readonly attempts: AttemptColumns;
  /** Number of rows, replaced ones included. */
  length(): number;
  /**
   * Adds the record of a line. A task that ended in an error may be recorded again: the later record replaces
   * the earlier one.
   * @returns false, and adds nothing, if the task and sample are judged already
   */
  add(record: RecordFacts, place: LinePlace): boolean;
  /** Counts rows that were added to the columns directly. */
  countRows(count: number): void;
  /** The index of a row's first attempt; of the row after the last one, the number of attempts. */
  firstAttempt(row: number): number;
  at(row: number): FactRow;
  isReplaced(row: number): boolean;
  /** The last record of each task and sample, in the order of the file. */
  current(): FactRow[];
}

export function createFactTable(): FactTable {
  const { columns, push } = createRecordColumns();
  const { columns: attempts, push: pushAttempt } = createAttemptColumns();
  const offsets = integers();
  let [length, attemptCount] = [0, 0];
  /** Rows by task and sample; made when the first record is added. */
  let rows: Map<number, number> | null = null;
  const countRow = () => {
    offsets.push(attemptCount);
    attemptCount += columns.attempts.at(length) ?? 0;
    length++;
  };
  const isReplaced = (row: number) => columns.replaced.at(row) === true;
  const table: FactTable = {
    columns,
    attempts,
    length: () => length,
    add(record, place) {
      rows ??= rowsByKey(table);
      const key = columns.task_id.codeOf(record.task_id) * MAX_SAMPLES + record.sample;
      const before = rows.get(key);
      if (before !== undefined && columns.passed.at(before) !== null) return false;
      if (before !== undefined) columns.replaced.set(before, true);
      rows.set(key, length);
      push({ record, place });
      for (const attempt of record.attempts) pushAttempt({ attempt, row: length, fixed: record.fixed });
      countRow();
      return true;
    },
    countRows(count) {
      for (let counted = 0; counted < count; counted++) countRow();
    },
    firstAttempt: row => (row >= length ? attemptCount : (offsets.at(row) ?? 0)),
    at: row => new RowView(table, row),
    isReplaced,
    current() {
      const found: FactRow[] = [];
      for (let row = 0; row < length; row++) if (!isReplaced(row)) found.push(table.at(row));
      return found;
    },
  };
  return table;
}

/** Keys are whole numbers: the code of the task times this, plus the sample. */
const MAX_SAMPLES = 2 ** 26;

function rowsByKey({ columns, length, isReplaced }: FactTable): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < length(); row++) {
    if (isReplaced(row)) continue;
    rows.set(columns.task_id.code(row) * MAX_SAMPLES + (columns.sample.at(row) ?? 0), row);
  }
  return rows;
}

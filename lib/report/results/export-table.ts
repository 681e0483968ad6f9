import { firstCandidatePassed } from '../../core/judged-iterations.ts';
import { type Column, createRecordColumns, flags, numbers, words } from './fact-columns.ts';
import type { RunFacts } from './fact-reader.ts';
import type { FactRow } from './fact-table.ts';
import { recordSettings } from './manifest.ts';

/** A table of several runs: a column a field, in the order of the runs and of their records. */
export interface ExportTable {
  readonly columns: Readonly<Record<string, AnyColumn>>;
  readonly rows: number;
}

type AnyColumn = Column<string> | Column<number> | Column<boolean>;

/** The records' fields without long texts, and what the manifests say about each run. */
export function exportTable(runs: readonly RunFacts<FactRow>[]): ExportTable {
  const own = {
    file: words(),
    model: words(),
    dataset: words(),
    agent: words(),
    temperature: numbers(),
    first_candidate_passed: flags(),
  };
  const { columns, push } = createRecordColumns();
  let rows = 0;
  for (const { path, manifest, records } of runs) {
    const { model, agent, temperature } = recordSettings(manifest);
    for (const record of records) {
      own.file.push(path);
      own.model.push(model);
      own.dataset.push(manifest.dataset.name);
      own.agent.push(agent);
      own.temperature.push(temperature);
      own.first_candidate_passed.push(firstCandidatePassed(record));
      push({ record, place: record });
      rows++;
    }
  }
  const { start: _, length: __, replaced: ___, ...fields } = columns;
  return { columns: { ...own, ...fields }, rows };
}

/** CSV as of RFC 4180, with a header; null is an empty cell. */
export function* csvLines({ columns, rows }: ExportTable): Generator<string> {
  const all = Object.values(columns);
  yield `${Object.keys(columns).join(',')}\r\n`;
  for (let row = 0; row < rows; row++) yield `${all.map(column => cell(column.at(row))).join(',')}\r\n`;
}

function cell(value: string | number | boolean | null): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export async function parquetBytes({ columns, rows }: ExportTable): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const columnData = Object.entries(columns).map(([name, { type, slice }]) => ({
    name,
    type,
    nullable: true,
    data: slice(0, rows),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

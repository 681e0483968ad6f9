import { open } from 'node:fs/promises';
import { recordSchema } from '../core/record.ts';
import { parseJson } from '../files/parse-json.ts';
import { readBytes } from '../results/fact-reader.ts';
import type { FactTable } from '../results/fact-table.ts';
import { currentRecord } from '../results/older-formats.ts';
import { hitIn, type RecordHit } from './page/data/record-hits.ts';
import type { FoundRecords } from './view-data.ts';

/** A request stops after this many matches or bytes, so that none takes long. */
const HITS_AT_ONCE = 50;
const MAX_BYTES = 8 * 2 ** 20;

/** Searches the records from a line on for a text. */
export async function searchLines(
  path: string,
  table: FactTable,
  text: string,
  from: number,
): Promise<FoundRecords> {
  const hits: RecordHit[] = [];
  // Only lines whose JSON contains the escaped text are parsed.
  const written = JSON.stringify(text).slice(1, -1).toLowerCase();
  let bytes = 0;
  let line = from;
  const file = await open(path, 'r');
  try {
    for (; line < table.length() && hits.length < HITS_AT_ONCE && bytes < MAX_BYTES; line++) {
      const { start, length } = table.at(line);
      if (table.isReplaced(line)) continue;
      const json = (await readBytes(file, start, length)).toString('utf8');
      bytes += length;
      if (!json.toLowerCase().includes(written)) continue;
      const { data } = recordSchema.safeParse(currentRecord(parseJson(json)));
      const hit = data === undefined ? null : hitIn(data, line, text);
      if (hit !== null) hits.push(hit);
    }
  } finally {
    await file.close();
  }
  return { hits, next: line < table.length() ? line : null };
}

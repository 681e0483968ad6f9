import { createHash } from 'node:crypto';
import { shortened } from '../../../core/printable.ts';
import { differingFields, type RunRecord, withoutTimes } from '../../../core/record.ts';
import { jobName, keyOf } from '../../../core/record-key.ts';
import { recordsDisagree } from '../errors.ts';

/** Merges the records of many workers by key, in any order. */
export interface Merge {
  /**
   * Whether the record counts: it is the first of its unit, or judges a unit that had ended in an error. Another must
   * be equal, except for times. Rejects with `RECORDS_DISAGREE`.
   */
  add(found: { readonly record: RunRecord; readonly path: string }): Promise<boolean>;
}

/** `read` gets the record of a key from a file again, for the error that shows both. */
export function createMerge(read: (path: string, key: string) => Promise<RunRecord | undefined>): Merge {
  const judged = new Map<string, { readonly digest: string; readonly path: string }>();
  const inError = new Set<string>();
  return {
    async add({ record, path }) {
      const key = keyOf(record.task_id, record.sample);
      const before = judged.get(key);
      // The text of an error may differ from one worker to the other.
      if (record.passed === null) {
        const isNew = before === undefined && !inError.has(key);
        inError.add(key);
        return isNew;
      }
      const digest = digestOf(record);
      if (before === undefined) {
        judged.set(key, { digest, path });
        return true;
      }
      if (before.digest !== digest) {
        const other = await read(before.path, key);
        if (other) throw disagreement([other, before.path], [record, path]);
      }
      return false;
    },
  };
}

/** The same for all records of a run that agree, in any order; times are left out. */
export function recordsHash(records: readonly RunRecord[]): string {
  const digests = records
    .toSorted((a, b) => a.index - b.index || a.sample - b.sample)
    .map(record => digestOf(record));
  return createHash('sha256').update(digests.join('')).digest('hex');
}

function digestOf(record: RunRecord): string {
  return createHash('sha256')
    .update(JSON.stringify(withoutTimes(record)))
    .digest('base64');
}

function disagreement(a: readonly [RunRecord, string], b: readonly [RunRecord, string]): Error {
  const [field = 'record'] = differingFields(a[0], b[0]);
  const shown = ([record, path]: readonly [RunRecord, string]) =>
    `${shortened(JSON.stringify(new Map(Object.entries(record)).get(field)) ?? 'none', 300)} in ${path}`;
  return recordsDisagree(jobName(a[0].task_id, a[0].sample), field, shown(a), shown(b));
}

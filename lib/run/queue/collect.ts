import { createHash } from 'node:crypto';
import { differingFields, jobName, keyOf, type RunRecord, withoutTimes } from '../../core/record.ts';
import type { RecordFacts } from '../../core/record-facts.ts';
import { shortened } from '../../core/text.ts';
import { costOf } from '../../report/summary.ts';
import { createErrorCount } from '../errors.ts';
import type { DistributedRun } from '../run.ts';
import { costReached, recordsDisagree } from './errors.ts';
import type { Unit } from './requeue.ts';
import { recordIn, recordsIn, type Shards } from './shards/shard.ts';

/** Merges the records of the workers into the results file. */
export interface Collector {
  /** Units without a record, by task and sample. */
  readonly missing: ReadonlyMap<string, Unit>;
  /**
   * Reads what the shards hold by now. Rejects with `RECORDS_DISAGREE`, `COST_REACHED` or the errors by which a run stops.
   */
  read(): Promise<void>;
}

/** @param maxCost in the unit of the run's prices */
export async function createCollector(
  input: DistributedRun,
  { units, shards, maxCost }: { units: readonly Unit[]; shards: Shards; maxCost: number | undefined },
): Promise<Collector> {
  const byKey = new Map(units.map(unit => [keyOf(unit.task.id, unit.sample), unit]));
  const missing = new Map(byKey);
  for (const { task_id, sample } of input.plan.done) missing.delete(keyOf(task_id, sample));
  const merge = createMerge((path, key) => (path === input.path ? recordIn : shards.recordIn)(path, key));
  if (input.plan.done.length > 0) {
    for await (const entry of recordsIn(input.path)) if (entry.record.passed !== null) await merge.add(entry);
  }
  const followed = shards.follow();
  const errors = createErrorCount(input.manifest.options, input.path);
  const { priceIn, priceOut } = input.manifest.options;
  const costIn = (records: readonly RecordFacts[]) =>
    priceIn === undefined || priceOut === undefined
      ? 0
      : costOf(records, { prompt: priceIn, completion: priceOut });
  let cost = costIn(input.plan.done);

  /** Errors of earlier sessions are tried again. */
  const read = async (withErrors: boolean) => {
    // Records that are appended together share one flush to the disk.
    const appended: Promise<void>[] = [];
    const settle = async () => void (await Promise.all(appended.splice(0)));
    try {
      for await (const entry of followed.read()) {
        const { record } = entry;
        const key = keyOf(record.task_id, record.sample);
        const unit = byKey.get(key);
        if (unit === undefined || (record.passed === null && !withErrors)) continue;
        if (!(await merge.add(entry))) continue;
        missing.delete(key);
        const written = input.append(record);
        // It is awaited below.
        written.catch(() => {});
        appended.push(written);
        if (appended.length >= TOGETHER) await settle();
        input.events.started(unit).ended(record);
        errors.check(record);
        cost += costIn([record]);
        if (maxCost !== undefined && cost >= maxCost) throw costReached(maxCost, input.path);
      }
    } finally {
      await settle();
    }
  };
  await read(false);
  return { missing, read: () => read(true) };
}

/** Records that are appended at once. */
const TOGETHER = 256;

/** Merges the records of many workers by key, in any order. */
interface Merge {
  /**
   * Whether the record counts: it is the first of its unit, or judges a unit that had ended in an error. Another must
   * be equal, except for times. Rejects with `RECORDS_DISAGREE`.
   */
  add(entry: { readonly record: RunRecord; readonly path: string }): Promise<boolean>;
}

/** `read` gets the record of a key from a file again, for the error that shows both. */
function createMerge(read: (path: string, key: string) => Promise<RunRecord | undefined>): Merge {
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

import { closingAll } from '../../core/async.ts';
import { HefixError } from '../../core/errors.ts';
import { jobName } from '../../core/record.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { mergeOptions, parseMergeOptions } from '../../options/tables/command-options.ts';
import { saveColumns } from '../../report/results/columns-file.ts';
import { type RunFacts, readFacts } from '../../report/results/fact-reader.ts';
import type { FactRow } from '../../report/results/fact-table.ts';
import { createFactTable } from '../../report/results/fact-table.ts';
import { linesOf, type PlacedRow } from '../../report/results/line-copies.ts';
import { type Manifest, manifestPath, writeManifest } from '../../report/results/manifest.ts';
import { openRecordFile } from '../../report/results/record-file.ts';
import { manifestDifferences } from '../../run/run-manifest.ts';
import type { Command } from '../command.ts';
import { warningLine } from '../terminal/terminal.ts';

export const command: Command = {
  description: 'Joins the results files of a run that was split with --shard.',
  operands: { usage: '<part.jsonl> …', min: 1, max: Number.POSITIVE_INFINITY },
  options: mergeOptions,
  examples: ['hefix --shard 1/2 --out part1.jsonl', 'hefix merge part*.jsonl --out all.jsonl'],
  endsAtOnce: true,
  async run(input, { printResult, terminal }, paths) {
    const { out, quiet } = parseMergeOptions(input);
    const merged = await mergeResults(paths, out);
    if (!quiet) {
      for (const warning of merged.warnings) terminal.write(warningLine(terminal, warning));
      terminal.write(`${merged.count} records in ${merged.records}\n`);
    }
    printResult(merged);
    return 0;
  },
};

interface Merged {
  readonly records: string;
  readonly manifest: string;
  readonly count: number;
  /** Harmless differences between the parts; whole sentences. */
  readonly warnings: readonly string[];
}

/**
 * Merges the results files of a run's parts, in the order of the dataset. The parts are kept.
 * @throws HefixError if a part is still being written (`MERGE_GROWING`), two contain the same task and sample
 * (`MERGE_OVERLAP`) or differ in what affects a record (`MERGE_MISMATCH`), or `out` already contains records.
 */
export async function mergeResults(paths: readonly string[], out: string): Promise<Merged> {
  const parts: Part[] = [];
  for (const path of paths) parts.push(await readFacts(path));
  for (const { path, inProgress } of parts) if (inProgress) throw mergeInProgress(path);
  const warnings = checkSameRuns(parts);
  const rows = parts
    .flatMap(({ path, records }) => records.map(record => ({ path, record })))
    .sort((a, b) => inOrder(a.record, b.record));
  checkApart(rows);
  await closingAll(async opened => {
    opened(await openRecordFile(out, { resume: false }));
    // The manifest comes first: records without one cannot be read.
    await writeManifest(manifestPath(out), mergedManifest(parts, out));
    const table = createFactTable();
    await writeFileAtomic(
      out,
      linesOf(rows, (record, place) => table.add(record, place)),
    );
    const last = table.at(table.length() - 1);
    await saveColumns(out, table, { bytes: last.start + last.length + 1, lines: table.length() });
  });
  return { records: out, manifest: manifestPath(out), count: rows.length, warnings };
}

type Part = RunFacts<FactRow>;

/** Properties of the host rather than the run may differ. */
function checkSameRuns([first, ...others]: readonly Part[]): string[] {
  if (first === undefined) return [];
  return others.flatMap(other =>
    manifestDifferences(first.manifest, other.manifest).flatMap(({ what, a, b }) => {
      if (!/^(isolation|version of |host)/.test(what)) {
        throw mergeMismatch(what, [first.path, a], [other.path, b]);
      }
      return [`${first.path} was written with ${what} ${a}, and ${other.path} with ${b}.`];
    }),
  );
}

function inOrder(a: FactRow, b: FactRow): number {
  return (
    a.index - b.index || a.sample - b.sample || (a.task_id < b.task_id ? -1 : Number(a.task_id > b.task_id))
  );
}

/** Records of one task and sample follow each other. */
function checkApart(rows: readonly PlacedRow[]): void {
  for (const [place, { path, record }] of rows.entries()) {
    const before = rows[place - 1];
    if (before?.record.task_id !== record.task_id || before.record.sample !== record.sample) continue;
    throw mergeOverlap(jobName(record.task_id, record.sample), before.path, path);
  }
}

/** The first part's manifest, for all tasks and with every part's sessions. */
function mergedManifest(parts: readonly Part[], out: string): Manifest {
  const [first] = parts;
  if (first === undefined) throw new Error('There is nothing to merge.');
  const { planned: _, ...manifest } = first.manifest;
  const { shard: __, ...options } = manifest.options;
  return {
    ...manifest,
    options: { ...options, out },
    sessions: parts.flatMap(({ manifest }) => manifest.sessions),
  };
}

function mergeOverlap(name: string, first: string, second: string): HefixError {
  return new HefixError(
    'MERGE_OVERLAP',
    `${first} and ${second} both contain ${name}.`,
    'Merge each part of a run once, such as the results of --shard 1/2 and --shard 2/2.',
  );
}

function mergeMismatch(subject: string, first: [string, string], second: [string, string]): HefixError {
  return new HefixError(
    'MERGE_MISMATCH',
    `${first[0]} was written with ${subject} ${first[1]}, and ${second[0]} with ${second[1]}.`,
    'Only parts of one run can be merged; use hefix compare for two runs.',
  );
}

function mergeInProgress(path: string): HefixError {
  return new HefixError('MERGE_GROWING', `${path} is still being written.`, 'Wait until its run has ended.');
}

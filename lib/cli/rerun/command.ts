import { stat } from 'node:fs/promises';
import { HefixError } from '../../core/errors.ts';
import { differingFields, jobName, keyOf, type RunRecord } from '../../core/record.ts';
import { printable } from '../../core/text.ts';
import { type Given, optionConflict, parseOptions } from '../../options/option.ts';
import { rerunOptions } from '../../options/tables/command-options.ts';
import { serverAddress } from '../../options/tables/model-options.ts';
import { completeOptions, type RunOptions } from '../../options/tables/run-options.ts';
import { manifestUnusable } from '../../report/results/errors.ts';
import { manifestPath, readManifest } from '../../report/results/manifest.ts';
import { type Results, readResults } from '../../report/results/read-results.ts';
import { withOwnAddresses } from '../../run/own-addresses.ts';
import { type RunContext, type RunParts, type RunResult, run } from '../../run/run.ts';
import { type Difference, manifestDifferences } from '../../run/run-manifest.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';

export const command: Command = {
  description: 'Repeats a run from its manifest and lists what differs.',
  operands: { usage: '<run.manifest.json>', min: 1, max: 1 },
  options: rerunOptions,
  examples: ['hefix rerun results/a.manifest.json'],
  async run(input, io, [path = '']) {
    const { createProgress } = await import('../terminal/create-progress.ts');
    const { printResult, terminal, signal } = io;
    const options = await parseRerunOptions(path, input);
    const clock = { date: () => new Date(), now: () => performance.now() };
    const progress = createProgress(options, terminal, clock);
    try {
      const result = await rerun(
        path,
        options,
        await partsOf(io, options.quiet ? undefined : progress.writeAbove),
        {
          events: progress,
          signal,
          clock,
        },
      );
      progress.finished(result);
      if (!options.quiet) terminal.write(`\n${rerunText(result)}`);
      printResult(result);
      return 0;
    } finally {
      progress.stop();
    }
  },
};

const ending = '.manifest.json';

/**
 * The options of the run that a manifest describes.
 * Addresses, keys and isolation are those that are given, not those of the manifest.
 * @throws HefixError naming the invalid option, `MANIFEST_UNUSABLE`, `RERUN_SCORED` or `SERVER_NOT_NAMED`
 */
export async function parseRerunOptions(path: string, input: Given): Promise<RunOptions> {
  const { workers, out, resume, quiet, baseUrl, ...addresses } = parseOptions(rerunOptions, input);
  if (addresses.provider !== undefined && baseUrl !== undefined)
    throw optionConflict('--provider', '--base-url');
  const manifestFile = manifestOf(path);
  const { options, dataset, scored } = await readManifest(manifestFile);
  if (scored) throw rerunOfScored(path, scored.repeat === undefined ? `score ${scored.file}` : 'verify');
  const named = { ...addresses, baseUrl: baseUrl === undefined ? undefined : serverAddress(baseUrl) };
  return completeOptions({
    ...withOwnAddresses(options, named, 'manifest'),
    dataset: pinned(options.dataset, dataset.revision),
    out: out ?? `${manifestFile.slice(0, -ending.length)}.rerun.jsonl`,
    workers: workers ?? options.workers,
    resume,
    quiet,
    verbose: false,
    saveState: undefined,
    inspect: false,
    inspectContent: false,
    retryErrors: false,
    failFast: false,
  });
}

/** The commit that the run used. */
function pinned(name: string | undefined, revision: string | undefined): string | undefined {
  return name === undefined || revision === undefined ? name : `${name.split('@')[0]}@${revision}`;
}

/** A path to records stands for the manifest next to them. */
function manifestOf(path: string): string {
  const manifestFile = path.endsWith('.jsonl') ? manifestPath(path) : path;
  if (!manifestFile.endsWith(ending)) throw manifestUnusable(path, `does not end in ${ending}`);
  return manifestFile;
}

interface Rerun extends RunResult {
  readonly differs: {
    /** Differences that affect results: `a` before, `b` now. */
    readonly manifest: readonly Difference[];
    /** Null if the former records are not available. */
    readonly records: {
      readonly same: number;
      /** With the fields that differ; times are not compared. */
      readonly different: readonly { readonly task: string; readonly fields: readonly string[] }[];
      readonly only_before: readonly string[];
      readonly only_now: readonly string[];
    } | null;
  };
}

/**
 * Repeats the run that a manifest describes, and reports the differences. Rejects with the HefixErrors of a
 * run.
 */
export async function rerun(
  path: string,
  options: RunOptions,
  parts: RunParts,
  context: RunContext,
): Promise<Rerun> {
  const manifestFile = manifestOf(path);
  const before = await readManifest(manifestFile);
  const former = await readFormer(`${manifestFile.slice(0, -ending.length)}.jsonl`);
  const result = await run(options, parts, context);
  const now = await readResults(result.records);
  return {
    ...result,
    differs: {
      manifest: manifestDifferences(before, now.manifest),
      records: former && recordDifferences(former.records, now.records),
    },
  };
}

/** Null if they are missing; a damaged file is reported before the run starts. */
async function readFormer(path: string): Promise<Results | null> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? await readResults(path) : null;
}

/** The results of a repetition as text; one line per row, each ending in a line feed. */
export function rerunText({ differs: { manifest, records } }: Rerun): string {
  const lines = manifest.map(
    ({ what, a, b }) => `${what}: ${printable(String(a))} before, ${printable(String(b))} now`,
  );
  if (records === null) return [...lines, 'the former records are gone'].map(line => `${line}\n`).join('');
  const { same, different, only_before, only_now } = records;
  return [
    ...lines,
    same === 1 ? '1 record is the same' : `${same} records are the same`,
    ...different.map(
      ({ task, fields }) => `${printable(task)} differs in ${fields.map(printable).join(', ')}`,
    ),
    ...only_before.map(task => `${printable(task)} was recorded only before`),
    ...only_now.map(task => `${printable(task)} is recorded only now`),
  ]
    .map(line => `${line}\n`)
    .join('');
}

function recordDifferences(before: readonly RunRecord[], now: readonly RunRecord[]) {
  const key = ({ task_id, sample }: RunRecord) => keyOf(task_id, sample);
  const name = ({ task_id, sample }: RunRecord) => jobName(task_id, sample);
  const [former, current] = [before, now].map(
    records => new Map(records.map(record => [key(record), record])),
  );
  const pairs = now.flatMap(record => {
    const earlier = former?.get(key(record));
    return earlier === undefined ? [] : [{ task: name(record), fields: differingFields(earlier, record) }];
  });
  return {
    same: pairs.filter(({ fields }) => fields.length === 0).length,
    different: pairs.filter(({ fields }) => fields.length > 0),
    only_before: before.filter(record => !current?.has(key(record))).map(name),
    only_now: now.filter(record => !former?.has(key(record))).map(name),
  };
}

/** Nothing that a run could repeat: no model made the samples. `again`: the command that judges them again. */
function rerunOfScored(path: string, again: string): HefixError {
  return new HefixError(
    'RERUN_SCORED',
    `${path} describes samples that were scored, not a run that could be repeated.`,
    `Judge them again: hefix ${again}.`,
  );
}

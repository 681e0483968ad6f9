import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { z } from 'zod';
import { answerFormats } from '../../core/choices.ts';
import { reason } from '../../core/errors.ts';
import { batchingSchema, exactnessSchema } from '../../core/measurements.ts';
import { keyOf, type RecordSettings } from '../../core/record.ts';
import type { RecordFacts } from '../../core/record-facts.ts';
import { isolationLevels } from '../../core/verdict.ts';
import { parseJson, readRegularText } from '../../files/untrusted-file.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { longName } from '../../options/option.ts';
import {
  type RunOptions,
  resultOptions,
  runOptionsSchema,
  selectionOptions,
} from '../../options/tables/run-options.ts';
import { manifestUnusable, recordsNotReadable, resumeMismatch } from './errors.ts';

export const manifestFormat = 3;

/** The values of options that are `auto` or depend on the model. */
const resolvedSchema = z.object({
  answer: z.enum(answerFormats),
  /** Number of likeliest answers requested per attempt; null if the model is sampled. */
  beams: z.number().int().nullable(),
  /** Maximum number of enumerated edits that join them; null if there are none. */
  enumerated: z.number().int().nullable(),
  /** Samples per prompt; null if nothing is sampled. */
  candidates: z.number().int().nullable(),
  /** Whether candidates are tried on examples and revealed assertions before the tests. */
  prescreen: z.boolean(),
});
export type ResolvedOptions = z.infer<typeof resolvedSchema>;

const identitySchema = z.object({ name: z.string(), fingerprint: z.string() });

/** Everything that affects the results in a results file; stored next to it. */
export const manifestSchema = z.object({
  format: z.literal(manifestFormat),
  model: identitySchema.extend({
    /** The execution provider that computed it; absent unless it ran on this system. */
    device: z.string().optional(),
    /** How closely its weights follow the float ones; absent unless hefix built the graph. */
    exactness: exactnessSchema.optional(),
  }),
  dataset: identitySchema.extend({
    /** The hub's commit; undefined for other sources. */
    revision: z.string().optional(),
  }),
  /** Newer options get their defaults, and removed ones are ignored. */
  options: runOptionsSchema.strip(),
  /** The options as resolved for this model. */
  resolved: resolvedSchema.optional(),
  /** How many records the finished file will hold. */
  planned: z.number().int().nonnegative().optional(),
  /**
   * The file of samples that were made elsewhere and only scored; absent if hefix made the candidates. `repeat`: the
   * samples are the dataset's own solutions, each judged so many times.
   */
  scored: z.object({ file: z.string(), repeat: z.number().int().positive().optional() }).optional(),
  /** Changes with the text of the prompts. */
  prompts: z.string(),
  isolation: z.enum(isolationLevels),
  versions: z.record(z.string(), z.string()),
  host: z.object({
    platform: z.string(),
    cpu: z.string(),
    cores: z.number().int(),
    memory_mib: z.number().int(),
  }),
  /** ISO 8601. A resumed run has several sessions; the end of a killed session is null. */
  sessions: z.array(
    z.object({
      started: z.string(),
      ended: z.string().nullable(),
      /** Whether passes of several tasks were batched; absent where there was no choice. */
      batching: batchingSchema.optional(),
    }),
  ),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** What each record repeats of its manifest. */
export function recordSettings({ model, options, scored }: Manifest): RecordSettings {
  const { agent, temperature = null } = options;
  return { model: model.name, ...(scored ? { agent: null, temperature: null } : { agent, temperature }) };
}

/** `runs/a.jsonl` → `runs/a.manifest.json`. */
export function manifestPath(recordsPath: string): string {
  return `${recordsPath.replace(/\.jsonl$/, '')}.manifest.json`;
}

export async function writeManifest(path: string, manifest: Manifest): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** @throws HefixError (`MANIFEST_UNUSABLE`) if it is missing or invalid. */
export async function readManifest(path: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readRegularText(path, MAX_BYTES);
  } catch (cause) {
    throw manifestUnusable(path, `cannot be read: ${reason(cause)}`);
  }
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success) throw manifestUnusable(path, 'was not written by this version of hefix');
  return parsed.data;
}

/**
 * Checks that the run of `now` may continue the records of `before`.
 * @throws HefixError (`RESUME_MISMATCH`) naming the first difference, with both values.
 */
export function checkSameRun(path: string, before: Manifest, now: Manifest): void {
  checkDataset(path, before, now.dataset);
  checkIdentity(path, 'model', before.model, now.model);
  checkSettings(path, before, now);
}

/** The part of `checkSameRun` that needs neither dataset nor model. */
export function checkSettings(
  path: string,
  before: Manifest,
  now: Pick<Manifest, 'options' | 'prompts'>,
): void {
  const refuseOther = (subject: string, former: string, current: string) => {
    if (former !== current) throw resumeMismatch(path, subject, former, current);
  };
  for (const key of resultOptions) {
    refuseOther(longName(key), String(before.options[key]), String(now.options[key]));
  }
  refuseOther('prompts', before.prompts, now.prompts);
}

/** The part of `checkSameRun` that needs no model. */
export function checkDataset(path: string, before: Manifest, dataset: Manifest['dataset']): void {
  checkIdentity(path, 'dataset', before.dataset, dataset);
}

/**
 * Checks that a run of other tasks may continue the records of `before`: `planned` must include each of `held`, so
 * that the manifest describes every record.
 * @throws HefixError (`RESUME_MISMATCH`) naming the option that leaves one out
 */
export function checkSameTasks(
  path: string,
  before: Manifest,
  options: RunOptions,
  held: readonly Pick<RecordFacts, 'task_id' | 'sample'>[],
  planned: readonly { readonly task: { readonly id: string }; readonly sample: number }[],
): void {
  const keys = new Set(planned.map(({ task, sample }) => keyOf(task.id, sample)));
  if (held.every(({ task_id, sample }) => keys.has(keyOf(task_id, sample)))) return;
  const differs = selectionOptions.filter(key => String(before.options[key]) !== String(options[key]));
  const [key = 'tasks'] = differs;
  const shown = (value: unknown) => String(value ?? 'all');
  throw resumeMismatch(path, longName(key), shown(before.options[key]), shown(options[key]));
}

type Identity = z.infer<typeof identitySchema>;

/** Fingerprints decide: a file may have moved. */
function checkIdentity(path: string, subject: string, before: Identity, now: Identity): void {
  if (before.fingerprint !== now.fingerprint)
    throw resumeMismatch(path, subject, nameOf(before), nameOf(now));
}

/** Twelve digits of a hash distinguish two versions with the same name. */
function nameOf({ name, fingerprint }: Identity): string {
  return `${name} (${fingerprint.replace(/^sha256:/, '').slice(0, 12)})`;
}

const MAX_BYTES = 2 ** 24;

/** A results file and its display name. */
export interface FoundRun {
  readonly path: string;
  readonly name: string;
}

/**
 * Finds results files in the given paths: files themselves, and in folders and their subfolders those with a
 * manifest next to them. Includes runs without any records yet; a folder may be empty or not exist yet. Links
 * in a folder are not followed, so that nothing outside of it is read.
 * @throws HefixError (`RECORDS_NOT_READABLE`)
 */
export async function findRuns(paths: readonly string[]): Promise<FoundRun[]> {
  const runs: FoundRun[] = [];
  for (const path of paths) runs.push(...(await runsAt(path, paths.length > 1)));
  const unique = new Map(runs.map(run => [run.path, run]));
  return [...unique.values()];
}

async function runsAt(path: string, amongOthers: boolean): Promise<FoundRun[]> {
  const isFolder = await stat(path).then(
    stats => stats.isDirectory(),
    async cause => {
      if (await isFile(manifestPath(path))) return false;
      if (!path.endsWith('.jsonl') && Object(cause).code === 'ENOENT') return null;
      throw recordsNotReadable(path, cause);
    },
  );
  if (isFolder === null) return [];
  if (!isFolder) return [{ path, name: amongOthers ? path : basename(path) }];
  return (await resultsBelow(path)).map(file => ({
    path: file,
    name: amongOthers ? file : relative(path, file),
  }));
}

async function resultsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(cause => {
    throw recordsNotReadable(folder, cause);
  });
  return entries
    .filter(entry => entry.isFile() && entry.name.endsWith(MANIFEST_ENDING))
    .map(entry => join(entry.parentPath, `${entry.name.slice(0, -MANIFEST_ENDING.length)}.jsonl`))
    .filter(path => !entries.some(entry => !entry.isFile() && join(entry.parentPath, entry.name) === path))
    .sort();
}

const MANIFEST_ENDING = '.manifest.json';

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    stats => stats.isFile(),
    () => false,
  );
}

/** The folder of files whose names are generated. */
export const generatedFolder = 'results';

/** `--out`, or a generated name in `generatedFolder`. */
export function recordsPath(options: RunOptions, date: Date): string {
  if (options.out !== undefined) return options.out;
  return join(generatedFolder, `${timeIn(date)}-${slug(options.model)}-${slug(options.dataset)}.jsonl`);
}

/** The folder of a sweep without `--out`. */
export function sweepFolder(date: Date): string {
  return join(generatedFolder, `${timeIn(date)}-sweep`);
}

function timeIn(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(':', '-');
}

/** The last part of a path or hub id, usable in a file name. */
function slug(name: string): string {
  return basename(name)
    .replace(/\.(jsonl|jsonl\.gz|parquet)$/, '')
    .replaceAll(/[^\w.-]+/g, '-');
}

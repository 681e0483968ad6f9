import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { z } from 'zod';
import { machines } from '../agent/machines.ts';
import { manifestUnusable, resumeMismatch } from '../core/errors.ts';
import { isolationLevels } from '../core/verdict.ts';
import { writeFileAtomic } from '../files/write-file-atomic.ts';
import { longName } from '../options/option.ts';
import { resultOptions, runOptionsSchema } from '../options/run-options.ts';
import { currentManifest } from '../results/older-formats.ts';
import { resolvedSchema } from './resolved-options.ts';

export const manifestFormat = 2;

const identitySchema = z.object({ name: z.string(), fingerprint: z.string() });

/** Everything that affects the results in a results file; stored next to it. */
export const manifestSchema = z.object({
  format: z.literal(manifestFormat),
  model: identitySchema,
  dataset: identitySchema.extend({
    /** The hub's commit; undefined for other sources. */
    revision: z.string().optional(),
  }),
  /** Newer options get their defaults, and removed ones are ignored. */
  options: runOptionsSchema.strip(),
  /** The options as resolved for this model; absent in files of earlier versions. */
  resolved: resolvedSchema.optional(),
  /** How many records the finished file will hold; absent in files of earlier versions. */
  planned: z.number().int().nonnegative().optional(),
  /** The file of samples that were made elsewhere and only scored; absent if hefix made the candidates. */
  scored: z.object({ file: z.string() }).optional(),
  /** Changes with the text of the prompts. */
  prompts: z.string(),
  isolation: z.enum(isolationLevels),
  versions: z.record(z.string(), z.string()),
  machine: z.object({
    platform: z.string(),
    cpu: z.string(),
    cores: z.number().int(),
    memory_mib: z.number().int(),
  }),
  /** ISO 8601. A resumed run has several sessions; the end of a killed session is null. */
  sessions: z.array(z.object({ started: z.string(), ended: z.string().nullable() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

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
    text = await readFile(path, 'utf8');
  } catch {
    throw manifestUnusable(path, 'is missing');
  }
  const parsed = manifestSchema.safeParse(currentManifest(parseJson(text)));
  if (!parsed.success) throw manifestUnusable(path, 'was not written by this version of hefix');
  return parsed.data;
}

/**
 * Checks that the run of `now` may continue the records of `before`.
 * @throws HefixError (`RESUME_MISMATCH`) naming the differences, with both values.
 */
export function checkSameRun(path: string, before: Manifest, now: Manifest): void {
  checkDataset(path, before, now.dataset);
  checkIdentity(path, 'model', before.model, now.model);
  const refuseOther = (what: string, then: string, today: string) => {
    if (then !== today) throw resumeMismatch(path, what, then, today);
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
 * A hash of what `checkSameRun` compares and of hefix's version: saved states are only valid for identical
 * values.
 */
export function runIdentity({ model, dataset, options, prompts, versions }: Manifest): string {
  const decisive = resultOptions.map(key => [key, options[key]]);
  const { config } = machines[options.agent];
  const parts = [model.fingerprint, dataset.fingerprint, decisive, prompts, versions.hefix, config];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

export function thisMachine(): Manifest['machine'] {
  return {
    platform: `${platform()}-${arch()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_mib: Math.round(totalmem() / 2 ** 20),
  };
}

type Identity = z.infer<typeof identitySchema>;

/** Fingerprints decide: a file may have moved. */
function checkIdentity(path: string, what: string, before: Identity, now: Identity): void {
  if (before.fingerprint !== now.fingerprint) throw resumeMismatch(path, what, nameOf(before), nameOf(now));
}

/** Twelve digits of a hash distinguish two versions with the same name. */
function nameOf({ name, fingerprint }: Identity): string {
  return `${name} (${fingerprint.replace(/^sha256:/, '').slice(0, 12)})`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

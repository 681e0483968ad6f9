import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Given } from '../options/option.ts';
import { type RunOptions, resultOptions, selectionOptions } from '../options/tables/run-options.ts';
import { type RunFacts, readFacts } from '../report/results/fact-reader.ts';
import { generatedFolder, manifestPath, readManifest } from '../report/results/manifest.ts';
import { haveSameSamples } from '../run/model/model-abilities.ts';
import type { Io } from './command.ts';
import { resumeNothing, resumeUnconfirmed } from './errors.ts';
import { ask } from './terminal/terminal.ts';

/**
 * The options of `--resume` without `--out`, with the last unfinished run of the same options as `--out`. `parse`
 * validates options, `yes` skips the question, and `scored` is the file of samples of `hefix score`.
 * @throws HefixError (`RESUME_NOTHING`, `RESUME_UNCONFIRMED`)
 */
export async function withLastRun(
  input: Given,
  {
    signal,
    yes,
    parse,
  }: Pick<Io, 'signal'> & {
    readonly yes: boolean;
    readonly parse: (input: Given) => RunOptions;
  },
  scored?: string,
): Promise<Given> {
  const { resume: _, retryErrors: __, ...fresh } = input;
  const last = await lastUnfinished(parse(fresh), scored);
  if (last === null) throw resumeNothing(generatedFolder);
  const { path, judged, planned } = last;
  const done = `${judged} of ${planned} tasks are judged`;
  if (!yes && !(await isConfirmed(`Resume ${path}, in which ${done}?`, signal)))
    throw resumeUnconfirmed(path, done);
  return { ...input, out: path };
}

/** Yes is the default; false if nobody sits at a terminal. */
async function isConfirmed(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  return /^(?:y|yes|)$/i.test(await ask(`${question} [Y/n] `, signal));
}

interface Unfinished {
  readonly path: string;
  readonly judged: number;
  readonly planned: number;
}

/** The newest such run below `results`; names begin with the time. */
async function lastUnfinished(options: RunOptions, scored: string | undefined): Promise<Unfinished | null> {
  const names = await readdir(generatedFolder).catch(() => []);
  for (const name of names
    .filter(file => file.endsWith('.jsonl'))
    .toSorted()
    .toReversed()) {
    const path = join(generatedFolder, name);
    const manifest = await readManifest(manifestPath(path)).catch(() => null);
    if (manifest === null || manifest.scored?.file !== scored) continue;
    // The number of samples is that of the file, or 1 if all would be the same.
    const { resolved } = manifest;
    const isOwnNumber = scored === undefined && !(resolved && haveSameSamples(resolved, options));
    const keys = isOwnNumber ? compared : compared.filter(key => key !== 'samples');
    if (!keys.every(key => String(manifest.options[key]) === String(options[key]))) continue;
    const facts = await readFacts(path).catch(() => null);
    const interrupted = facts && unfinished(facts);
    if (interrupted) return interrupted;
  }
  return null;
}

/** What the user typed for model, dataset and tasks, and all that decides results. */
const compared: readonly (keyof RunOptions)[] = [
  'model',
  'backend',
  'dtype',
  'dataset',
  ...selectionOptions,
  ...resultOptions,
];

/** Null if all its tasks are judged, or a process still writes it. */
function unfinished({ path, records, manifest, inProgress }: RunFacts): Unfinished | null {
  const judged = records.filter(({ passed }) => passed !== null).length;
  const planned = manifest.planned ?? 0;
  return inProgress || judged >= planned ? null : { path, judged, planned };
}

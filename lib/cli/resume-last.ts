import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunOptions, resultOptions } from '../options/tables/run-options.ts';
import { generatedFolder } from '../results/find-runs.ts';
import { manifestPath, readManifest } from '../results/manifest.ts';
import { type RunFacts, readFacts } from '../results/read-facts.ts';
import { resumeNothing, resumeUnconfirmed } from './errors.ts';

type Given = Readonly<Record<string, unknown>>;

export interface ResumeLast {
  /** Validates the options as the command does. */
  readonly parse: (given: Given) => RunOptions;
  /** The file of samples of `hefix score`; a run has none. */
  readonly scored?: string | undefined;
  /** Continue without a question. */
  readonly yes: boolean;
  /** Asks the user; false if there is nobody to ask. */
  readonly confirm: (question: string) => Promise<boolean>;
}

/**
 * The options with the last unfinished run of the same options as `--out`.
 * @throws HefixError (`RESUME_NOTHING`, `RESUME_UNCONFIRMED`)
 */
export async function resumeLast(given: Given, { parse, scored, yes, confirm }: ResumeLast): Promise<Given> {
  const { resume: _, retryErrors: __, ...fresh } = given;
  const last = await lastUnfinished(parse(fresh), scored);
  if (last === null) throw resumeNothing(generatedFolder);
  const { path, judged, planned } = last;
  const done = `${judged} of ${planned} tasks are judged`;
  if (!yes && !(await confirm(`Resume ${path}, in which ${done}?`))) throw resumeUnconfirmed(path, done);
  return { ...given, out: path };
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
    // The number of samples is that of the file.
    const keys = scored === undefined ? compared : compared.filter(key => key !== 'samples');
    if (!keys.every(key => String(manifest.options[key]) === String(options[key]))) continue;
    const facts = await readFacts(path).catch(() => null);
    const found = facts && unfinished(facts);
    if (found) return found;
  }
  return null;
}

/** What the user typed for model and dataset, and all that decides results. */
const compared: readonly (keyof RunOptions)[] = ['model', 'dataset', ...resultOptions];

/** Null if all its tasks are judged, or a process still writes it. */
function unfinished({ path, records, manifest, inProgress }: RunFacts): Unfinished | null {
  const judged = records.filter(({ passed }) => passed !== null).length;
  const planned = manifest.planned ?? 0;
  return inProgress || judged >= planned ? null : { path, judged, planned };
}

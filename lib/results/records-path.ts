import { basename, join } from 'node:path';
import type { RunOptions } from '../options/tables/run-options.ts';

/** The folder of files whose names are generated. */
export const generatedFolder = 'results';

/** `--out`, or a generated name in `generatedFolder`. */
export function recordsPath(options: RunOptions, date: Date): string {
  if (options.out !== undefined) return options.out;
  const time = date.toISOString().slice(0, 19).replaceAll(':', '-');
  return join(generatedFolder, `${time}-${slug(options.model)}-${slug(options.dataset)}.jsonl`);
}

/** The last part of a path or hub id, usable in a file name. */
function slug(name: string): string {
  return basename(name)
    .replace(/\.(jsonl|jsonl\.gz|parquet)$/, '')
    .replaceAll(/[^\w.-]+/g, '-');
}

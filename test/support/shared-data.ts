import { existsSync } from 'node:fs';
import { packageFile } from '../../lib/files/package.ts';
import type { Need } from './needs.ts';

/** The path of a data file next to the repository, such as the real HumanEvalPack rows; null if it is missing. */
export function sharedData(path: string): string | null {
  const file = packageFile(`../shared/data/${path}`);
  return existsSync(file) ? file : null;
}

/** What tests need that read a file of `sharedData`. */
export function sharedFile(file: string | null): Need {
  return { what: sharedDataMissing, isThere: file !== null };
}

export const sharedDataMissing = 'the data beside the checkout (../shared/data)';

import { existsSync } from 'node:fs';
import { packageFile } from '../../lib/files/package-root.ts';

/**
 * The path of a data file next to the repository, such as the real HumanEvalPack rows; null, with a printed
 * reason, if it is missing. Tests that need it are then skipped.
 */
export function sharedData(path: string): string | null {
  const file = packageFile(`../shared/data/${path}`);
  if (existsSync(file)) return file;
  console.warn(`Skipped: ../shared/data/${path} is not on this system.`);
  return null;
}

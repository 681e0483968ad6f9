import { existsSync } from 'node:fs';
import { packageFile } from '../../lib/files/package-root.ts';

/**
 * The path of a data file that lies beside the repository and not in it, such as the real HumanEvalPack rows;
 * null, with a printed reason, where it is absent. A test that needs it is then skipped.
 */
export function sharedData(path: string): string | null {
  const file = packageFile(`../shared/data/${path}`);
  if (existsSync(file)) return file;
  console.warn(`Skipped: ../shared/data/${path} is not on this machine.`);
  return null;
}

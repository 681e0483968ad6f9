import { createRequire } from 'node:module';
import type { TestOptions } from 'vitest';
import type { IsolationLevel } from '../../lib/core/verdict.ts';

/** Something that tests need and that a machine may lack. */
export interface Need {
  /** Its name and, in brackets, how to get it: `Redis (apt-get install redis-server)`. */
  readonly what: string;
  readonly isThere: boolean;
}

declare module 'vitest' {
  interface TaskMeta {
    /** What a skipped test needs. */
    missing?: string;
  }
}

/**
 * Options of a test or of a block: it is skipped where something is missing. This is the only way to skip tests before
 * they run; during a test it is `skip(need.what)`. What was skipped is printed by skipped-tests.ts.
 */
export function needs(...all: readonly Need[]): TestOptions {
  const missing = all.find(({ isThere }) => !isThere);
  return missing === undefined ? {} : { skip: true, meta: { missing: missing.what } };
}

export const linux: Need = { what: 'Linux', isThere: process.platform === 'linux' };
export const root: Need = { what: 'root', isThere: process.getuid?.() === 0 };

/** What the isolation levels need; found out only by trying them. */
export const levelNeeds: Readonly<Record<Exclude<IsolationLevel, 'docker'>, string>> = {
  bubblewrap: 'bubblewrap (apt-get install bubblewrap) and user namespaces',
  namespaces: 'Linux with user namespaces',
  seatbelt: 'macOS',
  ulimit: 'Linux or macOS',
};

export const isolatedVm = 'isolated-vm (npm install)';
export const koffi: Need = { what: 'koffi (npm install)', isThere: isInstalled('koffi') };
export const venv = 'venv (apt-get install python3-venv)';

function isInstalled(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false;
  }
}

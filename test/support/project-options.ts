import type { FixOptions } from '../../lib/fix/options.ts';

/** Options for opening a project without a search. @param packages folders that its links may lead to */
export function projectOptions(folder: string, packages: readonly string[]): FixOptions {
  const limits = { time: 120, timeout: 5, memory: 1024, beams: 0, maxNewTokens: 1 };
  const sampling = { temperature: 0, iterations: 1, questionTime: 0, seed: 0 };
  const rules = { requireIsolation: false, allowNetwork: false, suspectsOnly: true, packages };
  return { target: folder, tests: [], cwd: folder, env: process.env, ...limits, ...sampling, ...rules };
}

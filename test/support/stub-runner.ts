import type { Runner } from '../../lib/fix/runners/runner.ts';

/** A runner without a process, whose runs are those of a test. */
export function stubRunner(run: Runner['run']): Runner {
  return { name: 'stub', separates: true, start() {}, run, close: async () => {} };
}

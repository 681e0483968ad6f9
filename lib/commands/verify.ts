import { type VerifyReport, verifyDataset } from '../../dataset/verify.ts';
import { closingAll } from '../core/close-all.ts';
import { reason } from '../core/errors.ts';
import type { VerifyOptions } from '../options/command-options.ts';
import { type DatasetContext, openDataset } from '../run/open-dataset.ts';
import { openSandbox } from '../run/open-sandbox.ts';
import { selectTasks } from '../run/select-tasks.ts';

export interface VerifyContext extends DatasetContext {
  readonly signal: AbortSignal;
  readonly warn?: (sentence: string) => void;
}

export interface VerifyResult extends VerifyReport {
  readonly dataset: { readonly name: string; readonly fingerprint: string };
  /** Every canonical solution passes and no buggy one; in the set `bogus`, which no code can pass, neither does. */
  readonly sound: boolean;
}

/** Runs the canonical and the buggy solutions of a dataset's tasks through the sandbox. */
export async function verify(
  options: VerifyOptions,
  onProgress: (done: number, total: number) => void,
  context: VerifyContext,
): Promise<VerifyResult> {
  const { name, fingerprint, tasks } = await openDataset(options, context);
  const { signal, warn = () => {} } = context;
  const chosen = selectTasks(tasks, options, name);
  return await closingAll(
    async opened => {
      const sandbox = opened(await openSandbox(options, chosen[0]?.language ?? 'python'));
      if (sandbox.warning && options.isolation === undefined) warn(sandbox.warning);
      const { workers } = options;
      const report = await verifyDataset({ tasks: chosen }, sandbox, { workers, onProgress, signal });
      return { dataset: { name, fingerprint }, ...report, sound: isSound(name, report) };
    },
    error => warn(`The sandbox could not be closed: ${reason(error)}.`),
  );
}

function isSound(dataset: string, { problems, canonical, buggy }: VerifyReport): boolean {
  if (dataset !== 'bogus') return problems.length === 0;
  return canonical.passed === 0 && buggy.passed === 0 && problems.every(isRefused);
}

function isRefused({ fault }: VerifyReport['problems'][number]): boolean {
  return fault === 'canonical fails';
}

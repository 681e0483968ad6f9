import type { Dataset } from '../../dataset/load.ts';
import type { Sandbox } from '../../lib/core/ports.ts';
import {
  judgeSolutions,
  type VerifyOptions,
  type VerifyReport,
  verifyReport,
} from '../../lib/run/score/verify-dataset.ts';

/** What `hefix verify` reports about a task set. */
export async function verifyDataset(
  dataset: Pick<Dataset, 'tasks'>,
  sandbox: Sandbox,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  return verifyReport(await judgeSolutions(dataset, sandbox, options));
}

import { closingAll } from '../core/async.ts';
import { readEnvironment } from '../options/settings.ts';
import type { DistributionOptions } from '../options/tables/distribution-options.ts';
import { openQueue } from '../run/queue/bullmq-queue.ts';
import { distributeOver } from '../run/queue/coordinate.ts';
import { collectTokenMissing } from '../run/queue/errors.ts';
import type { Distribute } from '../run/run.ts';

/** Calls `action` with a function that sends the jobs of a run to the queue. */
export async function distributing<Result>(
  options: DistributionOptions,
  action: (distribute: Distribute) => Promise<Result>,
): Promise<Result> {
  const collectToken = () => {
    const { HEFIX_COLLECT_TOKEN: token } = readEnvironment(process.cwd(), process.env);
    if (!token) throw collectTokenMissing();
    return token;
  };
  return await closingAll(async opened => {
    const queue = opened(await openQueue(options));
    const { maxCrashes: crashes, lock: lockSeconds, collect: address, ...others } = options;
    const { collectCert: certificate, collectKey: key } = options;
    const collect = address === undefined ? undefined : { address, certificate, key, token: collectToken() };
    return await action(distributeOver(queue, { ...others, crashes, lockSeconds, collect }));
  });
}

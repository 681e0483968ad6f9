import { closingAll } from '../core/async/close-all.ts';
import { readEnvironment } from '../options/environment.ts';
import type { DistributionOptions } from '../options/tables/queue-options.ts';
import { collectTokenMissing } from '../run/queue/errors.ts';
import type { Distribute } from '../run/run.ts';

/**
 * Calls `action` with a function that sends the jobs of a run to the queue. Without `options`, the jobs run in this
 * process, and the code of queues is not loaded.
 */
export async function distributing<Result>(
  options: DistributionOptions | undefined,
  action: (distribute: { readonly distribute?: Distribute }) => Promise<Result>,
): Promise<Result> {
  if (options === undefined) return await action({});
  const { distributeOver } = await import('../run/queue/coordinate.ts');
  const { openQueue } = await import('../run/queue/bullmq-queue.ts');
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
    const distribute = distributeOver(queue, { ...others, crashes, lockSeconds, collect });
    return await action({ distribute });
  });
}

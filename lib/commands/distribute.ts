import { closingAll } from '../core/close-all.ts';
import type { DistributionOptions } from '../options/queue-options.ts';
import { distributeOver } from '../run/queue/coordinate.ts';
import { openQueue } from '../run/queue/open-queue.ts';
import type { Distribute } from '../run/run.ts';

/** Runs `action` with what sends the jobs of a run to the queue; in this process without `options`. */
export async function distributing<Result>(
  options: DistributionOptions | undefined,
  action: (distribute: { readonly distribute?: Distribute }) => Promise<Result>,
): Promise<Result> {
  if (options === undefined) return await action({});
  return await closingAll(async opened => {
    const queue = opened(await openQueue(options));
    const { maxCrashes, lock, ...others } = options;
    const distribute = distributeOver(queue, { ...others, crashes: maxCrashes, lockSeconds: lock });
    return await action({ distribute });
  });
}

import { readEnvironment } from '../../options/environment.ts';
import { openBullQueue } from './bullmq-queue.ts';
import { checkServer } from './queue-server.ts';
import type { WorkQueue } from './work-queue.ts';

/** Opens the queue at an address; HEFIX_QUEUE_PASSWORD may hold its password. Rejects with the QUEUE_ errors. */
export async function openQueue({
  queue,
  queueName,
}: {
  readonly queue: string;
  readonly queueName: string;
}): Promise<WorkQueue> {
  const { HEFIX_QUEUE_PASSWORD: password } = readEnvironment(process.cwd(), process.env);
  return await openBullQueue(await checkServer(queue, password), queueName);
}

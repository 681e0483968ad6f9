import { readEnvironment } from '../../options/environment.ts';
import { openBullQueue } from './bullmq-queue.ts';
import { checkServer, type QueueServer } from './queue-server.ts';
import type { WorkQueue } from './work-queue.ts';

export interface QueueAddress {
  readonly queue: string;
  readonly queueName: string;
}

/** Opens the queue at an address. Rejects with the QUEUE_ errors. */
export async function openQueue({ queue, queueName }: QueueAddress): Promise<WorkQueue> {
  return await openBullQueue(await findServer(queue), queueName);
}

/** HEFIX_QUEUE_PASSWORD may hold its password. Rejects with the QUEUE_ errors. */
export async function findServer(address: string): Promise<QueueServer> {
  const { HEFIX_QUEUE_PASSWORD: password } = readEnvironment(process.cwd(), process.env);
  return await checkServer(address, password);
}

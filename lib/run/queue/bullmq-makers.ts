import type {
  Queue as BullQueue,
  Worker as BullWorker,
  ConnectionOptions,
  Job,
  QueueOptions,
  WorkerOptions,
} from 'bullmq';
import { queuePackageMissing } from './errors.ts';
import type { QueueServer } from './queue-server.ts';

/**
 * Makes queues and workers of BullMQ. It takes PostgreSQL by another argument than Redis; nothing else differs. Rejects
 * with `QUEUE_PACKAGE_MISSING`.
 */
export async function loadBullMq({ kind, url }: QueueServer) {
  const bullmq = await import('bullmq').catch(cause => {
    throw queuePackageMissing(`bullmq@6 ${kind === 'redis' ? 'ioredis' : 'pg'}`, cause);
  });
  const { WaitingError } = bullmq;
  const prefix = 'hefix';
  if (kind === 'redis') {
    const connection: ConnectionOptions = { url, socketTimeout: SILENCE_MS };
    return {
      WaitingError,
      queue: <Data>(name: string) =>
        quiet(
          new bullmq.Queue<Data>(name, {
            connection: { ...connection, maxRetriesPerRequest: 1 },
            prefix,
            ...queueOptions,
          }),
        ),
      worker: <Data>(
        name: string,
        process: (job: Job<Data>, token?: string) => Promise<void>,
        options: Omit<WorkerOptions, 'connection'>,
      ) =>
        new bullmq.Worker<Data, void>(name, process, {
          connection: { ...connection, maxRetriesPerRequest: null },
          prefix,
          ...options,
        }),
    };
  }
  const connection = { connectionString: url, migrate: true, connectionTimeoutMillis: 5_000 };
  // The classes are the same; their types name the kind of connection.
  const Queue = bullmq.Queue as unknown as new (name: string, options: object, backend: object) => BullQueue;
  const Worker = bullmq.Worker as unknown as new (
    name: string,
    process: object,
    options: object,
    backend: object,
  ) => BullWorker;
  return {
    WaitingError,
    queue: <Data>(name: string) =>
      quiet(
        new Queue(name, { connection, ...queueOptions }, bullmq.createPostgresBackend) as BullQueue<Data>,
      ),
    worker: <Data>(
      name: string,
      process: (job: Job<Data>, token?: string) => Promise<void>,
      options: Omit<WorkerOptions, 'connection'>,
    ) =>
      new Worker(name, process, { connection, ...options }, bullmq.createPostgresBackend) as BullWorker<
        Data,
        void
      >,
  };
}

/** A connection that hears nothing for so long, though it asked, is dropped and made again. */
const SILENCE_MS = 20_000;

const queueOptions = {
  defaultJobOptions: { removeOnComplete: true, attempts: 1 },
  streams: { events: { maxLen: 1000 } },
} as const satisfies Omit<QueueOptions, 'connection'>;

/** Its methods reject when the server is away; the event would end the process. */
function quiet<Emitter extends { on(event: 'error', listener: () => void): unknown }>(
  queue: Emitter,
): Emitter {
  queue.on('error', () => {});
  return queue;
}

import type { Queue as BullQueue, Job } from 'bullmq';
import { parseJson } from '../../files/untrusted-file.ts';
import { readEnvironment } from '../../options/settings.ts';
import { loadBullMq } from './bullmq-makers.ts';
import { queueOccupied } from './errors.ts';
import { checkServer, type QueueServer } from './queue-server.ts';
import {
  type Lane,
  lanes,
  type QueuedRun,
  type QueueJob,
  queuedRunSchema,
  type WorkQueue,
} from './work-queue.ts';

/** The payload of a job: some hundred bytes, and more with a large `--batch`. */
type Payload = Pick<QueueJob, 'run' | 'units'>;

/**
 * A queue in Redis or PostgreSQL by BullMQ (https://docs.bullmq.io): one BullMQ queue for each lane, and one whose only
 * job describes the run. Methods reject while the server does not answer; workers reconnect by themselves.
 */
export async function openBullQueue(server: QueueServer, name: string): Promise<WorkQueue> {
  const { WaitingError, queue, worker } = await loadBullMq(server);
  const units = queue<Payload>(queueNames(name).units);
  const suspects = queue<Payload>(queueNames(name).suspects);
  const runs = queue<{ readonly run: string }>(`${name}-run`);
  const byLane: Readonly<Record<Lane, BullQueue<Payload>>> = { units, suspects };
  const both = [units, suspects];
  const title = `${name} at ${server.address}`;
  const readRun = async () => {
    const text = (await runs.getJob(RUN_ID))?.data.run;
    if (text === undefined) return null;
    const run = readQueuedRun(text);
    if (run === null) throw queueOccupied(title, 'one of another version of hefix');
    return run;
  };
  return {
    name: title,
    warnings: server.warnings,
    readRun,
    async offerRun(run) {
      await runs.add(RUN_ID, { run: JSON.stringify(run) }, { jobId: RUN_ID });
      return (await readRun()) ?? run;
    },
    async add(jobs, lane) {
      for (let start = 0; start < jobs.length; start += CHUNK) {
        const some = jobs.slice(start, start + CHUNK);
        await byLane[lane].addBulk(
          some.map(({ id, run, units }) => ({ name: 'u', data: { run, units }, opts: { jobId: id } })),
        );
      }
    },
    async takeCrashed(lane) {
      const failed = await byLane[lane].getFailed(0, CHUNK - 1);
      for (const job of failed) await job.remove();
      return failed.map(toJob);
    },
    work({ lane, concurrency, lockSeconds, crashes, process, onError }) {
      const taken = async (job: QueueJob, toWaiting: () => Promise<unknown>) => {
        if ((await process(job)) === 'done') return;
        await toWaiting();
        throw new WaitingError();
      };
      const started = worker<Payload>(
        byLane[lane].name,
        (job, token) => taken(toJob(job), () => job.moveToWait(token)),
        {
          concurrency,
          lockDuration: lockSeconds * 1000,
          stalledInterval: lockSeconds * 1000,
          maxStalledCount: crashes - 1,
          removeOnComplete: { count: 0 },
        },
      );
      started.on('error', onError);
      return { close: () => started.close() };
    },
    async counts() {
      const counts = await Promise.all(both.map(one => one.getJobCounts(...waitingStates, 'active')));
      const active = (await Promise.all(both.map(one => one.getActive(0, 999)))).flat();
      const oldest = Math.min(...active.map(job => job.processedOn ?? Number.POSITIVE_INFINITY));
      const total = (state: string) => counts.reduce((sum, one) => sum + (one[state] ?? 0), 0);
      return {
        waiting: waitingStates.reduce((sum, state) => sum + total(state), 0),
        active: total('active'),
        paused: await units.isPaused(),
        workers: await units.getWorkersCount(),
        oldestSeconds: Number.isFinite(oldest) ? Math.max(0, (Date.now() - oldest) / 1000) : null,
      };
    },
    async pause() {
      for (const one of both) await one.pause();
    },
    async resume() {
      for (const one of both) await one.resume();
    },
    async clear() {
      await (await runs.getJob(RUN_ID))?.remove();
      for (const lane of lanes) {
        await byLane[lane].drain();
        await byLane[lane].clean(0, 0, 'failed');
      }
    },
    async limit(jobsPerMinute) {
      if (jobsPerMinute > 0) await units.setGlobalRateLimit(jobsPerMinute, 60_000);
      else await units.removeGlobalRateLimit();
    },
    async close() {
      for (const one of [...both, runs]) await one.close().catch(() => {});
    },
  };
}

/** The names of the BullMQ queues. */
export function queueNames(name: string): Readonly<Record<Lane, string>> {
  return { units: name, suspects: `${name}-suspects` };
}

function toJob({ id, data }: Job<Payload>): QueueJob {
  return { id: String(id), ...data };
}

const RUN_ID = 'run';
/** Jobs in one request. */
const CHUNK = 1000;
const waitingStates = ['waiting', 'delayed', 'prioritized'] as const;

/** The run that a queue holds; null if it was written by a version of hefix that this one does not understand. */
function readQueuedRun(text: string): QueuedRun | null {
  return queuedRunSchema.safeParse(parseJson(text)).data ?? null;
}

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

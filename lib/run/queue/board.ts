import { loadBullMq } from './bullmq-makers.ts';
import { queueNames } from './bullmq-queue.ts';
import { boardPackageMissing } from './errors.ts';
import type { QueueServer } from './queue-server.ts';

/** Bull Board (https://github.com/felixmosh/bull-board): a page about the jobs of a queue. It changes nothing. */
export interface Board {
  /** Answers a GET request. `path`: below the board's base, without a leading slash; may have a query. */
  get(path: string): Promise<Response>;
  close(): Promise<void>;
}

/**
 * @param base the path that the page is served at, without a slash at its end
 * Rejects with `QUEUE_PACKAGE_MISSING` or `BOARD_PACKAGE_MISSING`.
 */
export async function openBoard(server: QueueServer, name: string, base: string): Promise<Board> {
  const { createBullBoard, BullMQAdapter, HonoAdapter, Hono, serveStatic } = await loadBoard();
  const { queue } = await loadBullMq(server);
  const { units, suspects } = queueNames(name);
  const queues = [queue<object>(units), queue<object>(suspects)];
  const serverAdapter = new HonoAdapter(serveStatic).setBasePath(base);
  createBullBoard({
    // Records, not jobs, say what is done, so that nothing needs to be changed here.
    queues: queues.map(one => new BullMQAdapter(one, { readOnlyMode: true })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'hefix queue' } },
  });
  const app = new Hono({ strict: false }).route(base, serverAdapter.registerPlugin());
  return {
    get: async path => await app.request(`${base}/${path}`),
    async close() {
      for (const one of queues) await one.close().catch(() => {});
    },
  };
}

async function loadBoard() {
  try {
    const { createBullBoard } = await import('@bull-board/api');
    const { BullMQAdapter } = await import('@bull-board/api/bullMQAdapter');
    const { HonoAdapter } = await import('@bull-board/hono');
    const { Hono } = await import('hono');
    const { serveStatic } = await import('@hono/node-server/serve-static');
    return { createBullBoard, BullMQAdapter, HonoAdapter, Hono, serveStatic };
  } catch (cause) {
    throw boardPackageMissing(cause);
  }
}

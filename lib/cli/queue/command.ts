import { unlessAborted } from '../../core/async.ts';
import { printableLines } from '../../core/text.ts';
import { parseQueueOptions, queueCommandOptions } from '../../options/tables/queue-options.ts';
import { newToken, type Served, serve } from '../../report/viewer/serve.ts';
import { loadBullMq } from '../../run/queue/bullmq-makers.ts';
import { findServer, type QueueAddress, queueNames } from '../../run/queue/bullmq-queue.ts';
import { boardPackageMissing } from '../../run/queue/errors.ts';
import type { QueueServer } from '../../run/queue/queue-server.ts';
import type { Command } from '../command.ts';
import { argumentUnknown } from '../errors.ts';
import { showPage } from '../local-pages.ts';

const usage = 'status|pause|resume|drain|reconcile|board';

export const command: Command = {
  description:
    'Shows a queue, pauses and resumes its workers, empties it (drain), adds the units again that have no record (reconcile), or opens Bull Board, a local page of its jobs (board).',
  operands: { usage: `<${usage}>`, min: 1, max: 1 },
  options: queueCommandOptions,
  examples: [
    'hefix queue status --queue redis://host:6379',
    'hefix queue drain --queue redis://host:6379',
    'hefix queue board --queue redis://host:6379',
  ],
  async run(input, io, [name = '']) {
    const options = parseQueueOptions(input, name);
    if (name === 'board') {
      await showPage(await unlessAborted(serveBoard(options, options.port), io.signal), options, io);
      return 0;
    }
    const { controlQueue, queueActions, queueText } = await import('./queue.ts');
    const action = queueActions.find(each => each === name);
    if (action === undefined) throw argumentUnknown(name, 'queue', usage);
    const report = await unlessAborted(controlQueue(action, options), io.signal);
    io.terminal.write(printableLines(queueText(report)));
    io.printResult(report);
    return 0;
  },
};

/** Serves Bull Board on a local page until it is closed. Rejects with the QUEUE_ errors or `PORT_UNUSABLE`. */
export async function serveBoard({ queue, queueName }: QueueAddress, port: number): Promise<Served> {
  const token = newToken();
  const board = await openBoard(await findServer(queue), queueName, `/${token}`);
  const get = async (path: string, query: URLSearchParams) => {
    const response = await board.get(`${path}?${query}`);
    const [type = ''] = (response.headers.get('content-type') ?? 'text/plain').split(';');
    return { status: response.status, type, body: new Uint8Array(await response.arrayBuffer()) };
  };
  try {
    const { address, close } = await serve(get, port, { token, isForeign: true });
    return {
      address,
      async close() {
        await close();
        await board.close();
      },
    };
  } catch (error) {
    await board.close();
    throw error;
  }
}

/** Bull Board (https://github.com/felixmosh/bull-board): a page about the jobs of a queue. It changes nothing. */
interface Board {
  /** Answers a GET request. `path`: below the board's base, without a leading slash; may have a query. */
  get(path: string): Promise<Response>;
  close(): Promise<void>;
}

/**
 * @param base the path that the page is served at, without a slash at its end
 * Rejects with `QUEUE_PACKAGE_MISSING` or `BOARD_PACKAGE_MISSING`.
 */
async function openBoard(server: QueueServer, name: string, base: string): Promise<Board> {
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

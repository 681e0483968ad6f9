import { openBoard } from '../../run/queue/board.ts';
import { findServer, type QueueAddress } from '../../run/queue/open-queue.ts';
import { newToken, type Served, serve } from '../../viewer/serve.ts';

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

import { WebSocket, WebSocketServer } from 'ws';
import { serve } from '../serve.ts';

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly body: string;
}

export interface Relay {
  /** The page's URL, including the token. */
  readonly address: string;
  /** Sends a message to all listeners, and later to new ones. */
  send(message: string): void;
  close(): Promise<void>;
}

/**
 * Serves a page and a stream of messages: a web socket at `events` in the same folder. Access is limited as by `serve`,
 * and a web socket's origin is checked too, so that no page of another site can read it.
 * Rejects with a HefixError (`PORT_UNUSABLE`).
 */
export async function startRelay(files: ReadonlyMap<string, PageFile>): Promise<Relay> {
  const kept: string[] = [];
  let keptLength = 0;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false });
  sockets.on('connection', client => {
    client.on('error', () => client.terminate());
    for (const message of kept) client.send(message);
  });
  const page = async (name: string) => {
    const file = files.get(name);
    return file === undefined ? null : { status: 200, ...file };
  };
  const { address, close } = await serve(page, 0, { sockets });
  return {
    address,
    send(message) {
      kept.push(message);
      keptLength += message.length;
      while (keptLength > MAX_KEPT) keptLength -= kept.shift()?.length ?? 0;
      for (const client of sockets.clients) {
        if (client.readyState !== WebSocket.OPEN) continue;
        if (client.bufferedAmount > MAX_BEHIND) client.terminate();
        else client.send(message);
      }
    },
    async close() {
      await Promise.all([...sockets.clients].map(endWell));
      await close();
    },
  };
}

/** Maximum characters of messages kept for new listeners; the oldest are dropped first. */
const MAX_KEPT = 32 * 2 ** 20;

/** Maximum bytes that a listener may lag behind. */
const MAX_BEHIND = 64 * 2 ** 20;

/** Sends what is pending, without waiting for pages that do not answer. */
async function endWell(client: WebSocket): Promise<void> {
  await new Promise<void>(resolve => {
    client.once('close', () => resolve());
    client.close(1001, 'the run is over');
    setTimeout(() => client.terminate(), 1000).unref();
  });
}

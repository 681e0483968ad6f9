import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createInspector } from '@statelyai/inspect';
import { WebSocket, WebSocketServer } from 'ws';
import type { InspectionEvent } from 'xstate';
import { packageFile } from '../../../files/package.ts';
import { allMachines } from '../../../repair/all-machines.ts';
import type { Inspect } from '../../../repair/repair-task.ts';
import { drawMachine } from '../draw-machine.ts';
import { serve } from '../serve.ts';
import { pageStyle } from '../shell.ts';

export interface Inspection {
  /** The page that shows the machines; its web socket is `events` in the same folder. */
  readonly address: string;
  /** Pass this to each actor. */
  readonly inspect: Inspect;
  close(): Promise<void>;
}

/**
 * Streams events of actors in the format of Stately's inspector to a local page. Nothing leaves the machine
 * unless a person opens Stately's inspector from that page. @param content whether to include prompts,
 * completions and code. Rejects with a HefixError (`PORT_UNUSABLE`).
 */
export async function openInspection({ content }: { readonly content: boolean }): Promise<Inspection> {
  const relay = await startRelay(await pageFiles());
  const paths = new Map<string, string[]>();
  const inspector = createInspector({
    send(event) {
      const plain = { ...JSON.parse(JSON.stringify(event)), path: paths.get(event.sessionId) };
      relay.send(
        JSON.stringify(content ? plain : { ...Object(withoutContent(plain)), ...definitionOf(plain) }),
      );
    },
  });
  return {
    address: relay.address,
    inspect: {
      next(event) {
        follow(event, paths);
        inspector.inspect.next?.(event);
      },
    },
    async close() {
      // The inspector passes events on after a timer.
      await wait(5);
      await relay.close();
    },
  };
}

/** Adds the state that a machine is in to its path, by session: Stately's events leave out decisions. */
function follow(event: InspectionEvent, paths: Map<string, string[]>): void {
  if (event.type !== '@xstate.microstep' && event.type !== '@xstate.snapshot') return;
  const { value } = Object(event.snapshot) as { value?: unknown };
  if (typeof value !== 'string') return;
  const path = paths.get(event.actorRef.sessionId) ?? [];
  paths.set(event.actorRef.sessionId, path);
  if (path.at(-1) !== value) path.push(value);
}

/** The machine's own configuration is public, since the package contains it. */
function definitionOf(event: unknown): { definition?: unknown } {
  const { definition } = Object(event) as { definition?: unknown };
  return definition === undefined ? {} : { definition };
}

async function pageFiles(): Promise<Map<string, PageFile>> {
  const read = (name: string) => readFile(packageFile(`lib/report/viewer/live/page/${name}`), 'utf8');
  const drawings = Object.values(allMachines).map(machine => [machine.id, drawMachine(machine)] as const);
  return new Map([
    ['', { type: 'text/html', body: await read('inspect.html') }],
    ['page.css', { type: 'text/css', body: await pageStyle() }],
    ['inspect.css', { type: 'text/css', body: await read('inspect.css') }],
    ['inspect.js', { type: 'text/javascript', body: await read('inspect.js') }],
    ['machines.json', { type: 'application/json', body: JSON.stringify(Object.fromEntries(drawings)) }],
  ]);
}

/**
 * Plain data without prompts, completions and code: numbers, booleans and names stay; of any other text, only
 * the length. The text of a field is left out unless the field is listed here, so that a new field cannot leak.
 */
export function withoutContent(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return isName(key, value) ? value : `(${value.length} characters left out)`;
  if (Array.isArray(value)) return value.map(entry => withoutContent(entry, key));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => WORD.test(name));
  return Object.fromEntries(entries.map(([name, entry]) => [name, withoutContent(entry, name)]));
}

function isName(key: string, value: string): boolean {
  return names.has(key) && WORD.test(value);
}

/** Without spaces, line breaks and brackets, any text is at most a name. */
const WORD = /^[\w@./#:$-]{1,120}$/;

const names: ReadonlySet<string> = new Set([
  // Messages and snapshots
  'type',
  'id',
  'sessionId',
  'rootId',
  'parentId',
  'sourceId',
  'actorId',
  'name',
  'createdAt',
  '_version',
  'status',
  'value',
  'src',
  'xstate$$type',
  // A task and its agent
  'language',
  'bugType',
  'feedback',
  'schedule',
  'node',
  'kind',
  'suite',
  'path',
]);

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly body: string;
}

interface Relay {
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
  const messages: string[] = [];
  let keptLength = 0;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false });
  sockets.on('connection', client => {
    client.on('error', () => client.terminate());
    for (const message of messages) client.send(message);
  });
  const page = async (name: string) => {
    const file = files.get(name);
    return file === undefined ? null : { status: 200, ...file };
  };
  const { address, close } = await serve(page, 0, { sockets });
  return {
    address,
    send(message) {
      messages.push(message);
      keptLength += message.length;
      while (keptLength > MAX_KEPT) keptLength -= messages.shift()?.length ?? 0;
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

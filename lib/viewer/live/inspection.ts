import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createInspector } from '@statelyai/inspect';
import type { InspectionEvent } from 'xstate';
import { packageFile } from '../../files/package-root.ts';
import { allMachines } from '../../repair/machines.ts';
import type { Inspect } from '../../repair/repair-task.ts';
import { drawMachine } from '../draw-machine.ts';
import { pageStyle } from '../shell.ts';
import { type PageFile, startRelay } from './relay.ts';
import { withoutContent } from './without-content.ts';

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
  const read = (name: string) => readFile(packageFile(`lib/viewer/live/page/${name}`), 'utf8');
  const drawings = Object.values(allMachines).map(machine => [machine.id, drawMachine(machine)] as const);
  return new Map([
    ['', { type: 'text/html', body: await read('inspect.html') }],
    ['page.css', { type: 'text/css', body: await pageStyle() }],
    ['inspect.css', { type: 'text/css', body: await read('inspect.css') }],
    ['inspect.js', { type: 'text/javascript', body: await read('inspect.js') }],
    ['machines.json', { type: 'application/json', body: JSON.stringify(Object.fromEntries(drawings)) }],
  ]);
}

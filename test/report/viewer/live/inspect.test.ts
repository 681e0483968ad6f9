import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { withoutContent } from '../../../../lib/report/viewer/live/inspection.ts';
import { hefix, writeSmallSet } from '../../../support/cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

interface Message {
  readonly type: string;
  readonly sessionId: string;
  readonly rootId: string;
  readonly definition?: string;
  readonly event?: { readonly type: string };
  readonly snapshot?: {
    readonly status: string;
    readonly value?: string;
    readonly context?: { readonly task: { readonly id: string } };
  };
}

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//;

/** Runs two tasks and listens to the relay from the moment that the run prints its URL. */
async function listenTo(args: readonly string[]): Promise<{ messages: Message[]; text: string }> {
  const folder = await temporaryFolder();
  const { dataset, script } = await writeSmallSet(folder, 2);
  const out = join(folder, 'r.jsonl');
  const running = hefix([
    ...['--backend', 'scripted', '--model', script, '--dataset', dataset, '--out', out],
    ...args,
  ]);
  const texts: string[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    let said = '';
    running.stderr?.on('data', (piece: Buffer) => {
      const known = ADDRESS.test(said);
      said += piece;
      const [address] = ADDRESS.exec(said) ?? [];
      if (known || address === undefined) return;
      const socket = new WebSocket(`${address.replace('http', 'ws')}events`);
      socket.on('message', data => texts.push(String(data)));
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
  });
  const { exitCode, stderr } = await running;
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringContaining('the live machine is at http://127.0.0.1:'),
  ]);
  await closed;
  return { messages: texts.map(text => JSON.parse(text)), text: texts.join('\n') };
}

test('a web socket receives actors, events and snapshots of whole tasks, without content', async () => {
  const { messages, text } = await listenTo(['--inspect']);
  const roots = messages.filter(
    ({ type, sessionId, rootId }) => type === '@xstate.actor' && sessionId === rootId,
  );
  expect(roots.map(({ snapshot }) => snapshot?.context?.task.id)).toEqual(['small/0', 'small/1']);
  const [first] = roots;
  const own = messages.filter(({ rootId }) => rootId === first?.rootId);
  const snapshots = own.filter(
    ({ type, sessionId, rootId }) => type === '@xstate.snapshot' && sessionId === rootId,
  );
  expect(snapshots.map(({ snapshot }) => snapshot?.value)).toEqual([
    'draft',
    'examine',
    'execute',
    'reflect',
    'examine',
    'execute',
    'solved',
  ]);
  expect(snapshots.at(-1)?.snapshot?.status).toBe('done');
  const events = own.filter(({ type }) => type === '@xstate.event').map(({ event }) => event?.type);
  expect(events).toContain('xstate.done.actor.propose');
  expect(JSON.parse(first?.definition ?? '')).toMatchObject({ id: 'reflect', initial: 'start' });
  // The machine's definition mentions tests and functions, but no task's.
  const sent = messages.map(message => JSON.stringify({ ...message, definition: null })).join('\n');
  for (const content of ['return', 'plus_', 'assert', 'Gives x', '```']) expect(sent).not.toContain(content);
  expect(text).toContain('characters left out');
});

test('--inspect-content adds prompts, answers and code', async () => {
  const { text } = await listenTo(['--inspect', '--inspect-content', '--tasks', 'small/1']);
  for (const content of ['return x + 1', 'Gives x plus 1.', 'assert plus_1(1) == 2', 'solved']) {
    expect(text).toContain(content);
  }
});

test('removes text unless it is a name, at any depth', () => {
  const secret = 'def f(x): return 1';
  expect(
    withoutContent({
      type: 'xstate.done.actor.propose',
      kind: secret,
      output: { node: 'draft', completion: secret, tokens: { prompt: 3 }, prompt: [{ content: secret }] },
      cause: { code: 'X', message: secret },
      path: ['draft', secret],
      executions: { [secret]: 1 },
      repeated: false,
      verdict: null,
      unknown: 'word',
    }),
  ).toEqual({
    type: 'xstate.done.actor.propose',
    kind: '(18 characters left out)',
    output: {
      node: 'draft',
      completion: '(18 characters left out)',
      tokens: { prompt: 3 },
      prompt: [{ content: '(18 characters left out)' }],
    },
    cause: { code: '(1 characters left out)', message: '(18 characters left out)' },
    path: ['draft', '(18 characters left out)'],
    executions: {},
    repeated: false,
    verdict: null,
    unknown: '(4 characters left out)',
  });
});

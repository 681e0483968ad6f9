import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { startRelay } from '../../../../lib/report/viewer/live/inspection.ts';

async function relay() {
  const started = await startRelay(new Map([['', { type: 'text/html', body: '<p>page' }]]));
  onTestFinished(() => started.close());
  return started;
}

async function statusOf(address: string | URL, headers = {}): Promise<number | undefined> {
  const [response] = (await once(get(address, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** The first message, or the status with which the web socket was rejected. */
async function listen(address: string, headers = {}): Promise<string> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}events`, { headers });
  onTestFinished(() => socket.terminate());
  return await new Promise(resolve => {
    socket.on('message', data => resolve(String(data)));
    socket.on('error', ({ message }) => resolve(message));
  });
}

test('the page requires its URL, on this host', async () => {
  const { address } = await relay();
  expect(new URL(address).hostname).toBe('127.0.0.1');
  expect(await statusOf(address)).toBe(200);
  expect(await statusOf(new URL('/', address))).toBe(403);
  expect(await statusOf(new URL(`/${'A'.repeat(43)}/`, address))).toBe(403);
  expect(await statusOf(address, { host: 'evil.example' })).toBe(403);
  expect(await statusOf(`${address}nothing`)).toBe(404);
});

test('the messages require the page’s URL, and pages of other sites cannot listen', async () => {
  const { address, send } = await relay();
  send('early');
  expect(await listen(address)).toBe('early');
  expect(await listen(address, { origin: new URL(address).origin })).toBe('early');
  expect(await listen(address, { origin: 'https://evil.example' })).toContain('403');
  expect(await listen(address, { host: 'evil.example' })).toContain('403');
  expect(await listen(new URL(`/${'A'.repeat(43)}/`, address).href)).toContain('403');
});

test('a listener receives pending messages before the relay closes', async () => {
  const { address, send, close } = await startRelay(new Map());
  const socket = new WebSocket(`${address.replace('http', 'ws')}events`);
  const heard: string[] = [];
  socket.on('message', data => heard.push(String(data)));
  await once(socket, 'open');
  for (let index = 0; index < 500; index++) send(String(index));
  await close();
  expect(heard).toHaveLength(500);
});

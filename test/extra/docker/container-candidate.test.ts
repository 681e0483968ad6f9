import { Socket } from 'node:net';
import type { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Container } from '../../../lib/extra/docker/container.ts';
import { startInContainer } from '../../../lib/extra/docker/container-candidate.ts';
import type { ContainerPython } from '../../../lib/extra/docker/container-python.ts';

const MEBI = 2 ** 20;
const python = {
  programs: { executable: 'python3', arguments: () => [] },
  environment: {},
} as unknown as ContainerPython;

test.each([
  ['messages that its judge does not read', 'd'],
  ['output that nobody reads', 'o'],
])('a candidate that sends %s does not fill the memory', async (_, kind) => {
  let tell: (message: { kind: string; body: Buffer }) => void = () => {};
  let resets = 0;
  const container = {
    start: (_argv: unknown, _env: unknown, onMessage: typeof tell) => {
      tell = onMessage;
    },
    onGone: () => () => {},
    reset: async () => {
      resets++;
    },
    closeInput: () => {},
  } as unknown as Container;
  // Not connected, so that nothing that is written leaves it.
  const channel = new Socket();
  const connecting = Object.assign(channel, { connecting: true });
  const process = startInContainer(container, python, connecting);
  const stdout = process.child.stdout as PassThrough;
  for (let piece = 0; piece < 200 && resets === 0; piece++) tell({ kind, body: Buffer.alloc(MEBI) });
  const held = channel.writableLength + stdout.readableLength + stdout.writableLength;
  expect(held).toBeLessThanOrEqual(66 * MEBI);
  expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await process.destroy();
});

test('the wait of a candidate for a processor is what its container says', async () => {
  const container = {
    start: () => {},
    onGone: () => () => {},
    reset: async () => {},
    waited: async () => 1234,
  } as unknown as Container;
  const process = startInContainer(container, python, new Socket());
  expect(await process.waited?.()).toBe(1234);
  await process.destroy();
});

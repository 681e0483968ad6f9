import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startForker } from '../../../../lib/sandbox/python/host/forker.ts';

/** Does nothing else for some milliseconds, like a busy process. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test('what children have written is read, even if the end of the forking process is seen before', async () => {
  const jail = {
    file: 'python3',
    args: ['-I', '-c', 'import os, time; time.sleep(1); os.write(3, b"report")'],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    release: async () => {},
  };
  const { process: started } = startForker(jail, ['pipe'], {});
  const stream = started.child.stdio[3] as Socket;
  let text = '';
  stream.on('data', piece => {
    text += piece;
  });
  const closed = once(stream, 'close');
  // Node looks for all ended processes when one has ended: after this output, and before it waits for data again.
  spawn('sh', ['-c', 'echo output']).stdout.once('data', () => block(1500));
  block(600);
  await closed;
  expect(text).toBe('report');
  await started.destroy();
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startForker } from '../../../lib/sandbox/process/started-process.ts';
import { linux, needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Writes its report once a file exists. */
const waiting = `
import os, sys, time
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
os.write(3, b"report")`;

/** Does nothing else, like a busy process, until another has ended. */
function blockUntilEnd(pid = 0): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  while (!/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) Atomics.wait(clock, 0, 0, 10);
}

test(
  'what children have written is read, even if the end of the forking process is seen before',
  needs(linux),
  async () => {
    const path = join(await temporaryFolder(), 'go');
    const jail = {
      file: 'python3',
      args: ['-I', '-c', waiting, path],
      cwd: '/',
      env: { PATH: process.env.PATH ?? '' },
      release: async () => {},
    };
    const { process: started } = startForker(jail, [['pipe']], {});
    const stream = started.child.stdio[3] as Socket;
    let text = '';
    stream.on('data', piece => {
      text += piece;
    });
    const closed = once(stream, 'close');
    // Node looks for all ended processes when one has ended: after this output, and before it waits for data again.
    const other = spawn('sh', ['-c', 'echo output']);
    other.stdout.once('data', () => {
      writeFileSync(path, '');
      blockUntilEnd(started.child.pid);
    });
    blockUntilEnd(other.pid);
    await closed;
    expect(text).toBe('report');
    await started.destroy();
  },
);

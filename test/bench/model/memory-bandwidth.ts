import { Worker } from 'node:worker_threads';

/**
 * Bytes per second that several threads read together: each compares two equal buffers, far larger than
 * caches.
 */
export async function memoryBandwidth(threads: number): Promise<number> {
  const workers = Array.from({ length: threads }, () => new Worker(PROGRAM, { eval: true }));
  const answers = (): Promise<number[]> =>
    Promise.all(workers.map(worker => new Promise<number>(resolve => worker.once('message', resolve))));
  await answers();
  const speeds = answers();
  for (const worker of workers) worker.postMessage('go');
  const total = (await speeds).reduce((sum, speed) => sum + speed, 0);
  await Promise.all(workers.map(worker => worker.terminate()));
  return total;
}

/** The fastest of a few rounds, because other load is not a property of the memory. */
const PROGRAM = `
const { parentPort } = require('node:worker_threads');
const [one, other] = [1, 1].map(value => Buffer.alloc(2 ** 28, value));
parentPort.on('message', () => {
  let fastest = Infinity;
  for (let round = 0; round < 8; round++) {
    const started = performance.now();
    if (!one.equals(other)) throw new Error('the buffers differ');
    fastest = Math.min(fastest, performance.now() - started);
  }
  parentPort.postMessage(2 ** 29 / (fastest / 1000));
});
parentPort.postMessage(0);
`;

import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * A thread that V8 does not stop to give memory back: between passes it takes the thread for idle, and collects its
 * whole heap. Threads take V8's flags as they are when they start.
 */
export function startSteadyThread(script: string | URL, options: WorkerOptions): Worker {
  setFlagsFromString('--no-memory-reducer');
  return new Worker(script, options);
}

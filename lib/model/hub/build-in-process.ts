import { fork } from 'node:child_process';
import { HefixError } from '../../core/errors.ts';
import type { Exactness } from '../../core/measurements.ts';
import { packageFile } from '../../files/package.ts';
import type { BuildProgress } from '../build/build-model.ts';
import { modelBuilderEnded } from '../errors.ts';
import type { BuildGraphOptions } from './build-graph.ts';
import type { FromBuilder, ToBuilder } from './build-process.ts';

interface BuildContext {
  /** The model's name, for error messages. */
  readonly name: string;
  readonly onProgress: (progress: BuildProgress) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Builds a graph in a process of its own, which has ended when this returns: the allocator of a process keeps much of
 * the memory that building took, beside the model that is loaded next. Throws the errors of buildGraph, the signal's
 * reason if aborted, and MODEL_BUILD_ENDED if the process was killed.
 */
export async function buildInProcess(
  options: BuildGraphOptions,
  { name, onProgress, signal }: BuildContext,
): Promise<Exactness | null> {
  signal?.throwIfAborted();
  const child = fork(packageFile('dist/lib/model/hub/build-process.js'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A process that has just ended gets no more messages.
  const send = (message: ToBuilder): void => void child.send(message, () => {});
  const stop = (): void => send({ kind: 'stop' });
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const result = await new Promise<FromBuilder | null>((resolve, reject) => {
      let last: FromBuilder | null = null;
      child.on('message', (message: FromBuilder) => {
        if (message.kind === 'progress') onProgress(message.progress);
        else last = message;
      });
      child.once('error', reject);
      child.once('close', () => resolve(last));
      send({ kind: 'build', options });
    });
    signal?.throwIfAborted();
    if (result?.kind === 'built') return result.exactness;
    if (result?.kind !== 'failed')
      throw modelBuilderEnded(name, child.signalCode ?? `code ${child.exitCode}`);
    const { code, message, hint } = result.error;
    throw code === null ? new Error(message) : new HefixError(code, message, hint);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

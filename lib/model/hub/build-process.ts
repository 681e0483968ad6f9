import type { Exactness } from '../../core/measurements.ts';
import type { BuildProgress } from '../build/build-model.ts';
import { type SentError, sendable } from '../sent-error.ts';
import { type BuildGraphOptions, buildGraph } from './build-graph.ts';

/** The process that builds a graph; started by build-in-process.ts, never imported. */

export type ToBuilder =
  | { readonly kind: 'build'; readonly options: BuildGraphOptions }
  | { readonly kind: 'stop' };

export type FromBuilder =
  | { readonly kind: 'progress'; readonly progress: BuildProgress }
  | { readonly kind: 'built'; readonly exactness: Exactness | null }
  | { readonly kind: 'failed'; readonly error: SentError };

function main(): void {
  // The parent decides when this process stops: Ctrl-C reaches the whole process group.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const stop = new AbortController();
  process.once('disconnect', () => stop.abort());
  process.on('message', async (message: ToBuilder) => {
    if (message.kind === 'stop') return stop.abort();
    send(await build(message.options, stop.signal));
    if (process.connected) process.disconnect();
  });
}

async function build(options: BuildGraphOptions, signal: AbortSignal): Promise<FromBuilder> {
  const onProgress = (progress: BuildProgress): void => send({ kind: 'progress', progress });
  try {
    return { kind: 'built', exactness: await buildGraph(options, { onProgress, signal }) };
  } catch (error) {
    return { kind: 'failed', error: sendable(error) };
  }
}

function send(message: FromBuilder): void {
  if (process.connected) process.send?.(message);
}

main();

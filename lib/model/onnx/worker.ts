import { parentPort, workerData } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { GenerateOptions } from '../../core/ports.ts';
import { type LanguageModel, loadLanguageModel } from '../language-model.ts';
import { sendable } from '../sent-error.ts';
import { countingGuard } from '../text/text-guard.ts';
import type { FromWorker, ThreadData, ToWorker, WorkRequest } from './thread/worker-protocol.ts';

/** The thread that runs a model; started by onnx-model.ts, never imported. */

async function main(): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  const say = (message: FromWorker): void => port.postMessage(message);
  try {
    const { options, textWork } = workerData as ThreadData;
    const guard = countingGuard(new Int32Array(textWork));
    const model = await loadLanguageModel(options, guard, batching => say({ kind: 'batching', batching }));
    const { fingerprint, nativeTools, answer, languages, contextLength } = model;
    say({ kind: 'loaded', fingerprint, nativeTools, answer, languages, contextLength });
    const handle = requestHandler(model, say);
    port.on('message', async (message: ToWorker) => {
      if ((await handle(message)) === 'closed') port.close();
    });
  } catch (error) {
    say({ kind: 'not-loaded', error: sendable(error) });
  }
}

/** Processes as many requests at once as the model can batch; waiting requests can be cancelled too. */
function requestHandler(model: LanguageModel, say: (message: FromWorker) => void) {
  const running = new Map<number, AbortController>();
  const limit = pLimit(model.concurrency);
  const answers = new Set<Promise<void>>();

  const answer = async (message: WorkRequest, signal: AbortSignal): Promise<void> => {
    const { id } = message;
    try {
      signal.throwIfAborted();
      const started = performance.now();
      const onText = (piece: string) => say({ kind: 'text', id, piece });
      const result = await work(model, message, { signal, onText });
      say({ kind: 'done', id, result: { ...result, seconds: (performance.now() - started) / 1000 } });
    } catch (error) {
      say({ kind: 'failed', id, error: sendable(error) });
    } finally {
      running.delete(id);
    }
  };

  return async (message: ToWorker): Promise<'open' | 'closed'> => {
    if (message.kind === 'cancel') {
      running.get(message.id)?.abort();
      return 'open';
    }
    if (message.kind !== 'close') {
      const controller = new AbortController();
      running.set(message.id, controller);
      const answered = limit(() => answer(message, controller.signal));
      answers.add(answered);
      answered.finally(() => answers.delete(answered));
      return 'open';
    }
    for (const controller of running.values()) controller.abort();
    await Promise.all(answers);
    await model.release();
    return 'closed';
  };
}

function work(model: LanguageModel, { kind, request }: WorkRequest, options: GenerateOptions) {
  if (kind === 'generate') return model.generate(request, options);
  if (kind === 'beams') return model.beams(request, options);
  return model.score(request, options);
}

await main();

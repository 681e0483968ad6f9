import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HefixError, modelClosed, modelWorkerCrashed } from '../errors.ts';
import { packageFile } from '../package-root.ts';
import type { Completion, GenerateOptions, TextModel } from '../ports.ts';
import type { LanguageModelOptions } from './language-model.ts';
import type { WeightType } from './onnx-file.ts';
import type { FromWorker, SentError, ToWorker } from './worker-protocol.ts';

export interface OnnxModelOptions {
  /** A model in the hub's layout. */
  readonly folder: string;
  /** What people call it; the folder's name unless given. */
  readonly name?: string;
  readonly weightType?: WeightType;
  /** Of the arithmetic; as many as the machine runs at once unless given. */
  readonly threads?: number;
}

/**
 * A model that computes in a thread of its own, so that this one stays free for timers, progress and
 * signals. Requests are answered one after the other. Rejects with the MODEL_ errors of loading.
 */
export async function createOnnxModel(options: OnnxModelOptions): Promise<TextModel> {
  const label = options.name ?? basename(resolve(options.folder));
  const thread = startThread(label, {
    folder: options.folder,
    weightType: options.weightType ?? 'auto',
    threads: options.threads ?? availableParallelism(),
  });
  const { fingerprint } = await thread.loaded;
  return { name: label, fingerprint, generate: thread.generate, close: thread.close };
}

interface PendingRequest {
  readonly resolve: (completion: Completion) => void;
  readonly reject: (reason: unknown) => void;
  readonly onText: ((piece: string) => void) | undefined;
}

function startThread(label: string, workerData: LanguageModelOptions) {
  const worker = new Worker(packageFile('dist/lib/model/worker.js'), { workerData });
  const pending = new Map<number, PendingRequest>();
  let requests = 0;
  /** Why nothing more can be asked; null while the model is open. */
  let ended: HefixError | null = null;

  let settleLoad: { resolve: (loaded: { fingerprint: string }) => void; reject: (reason: unknown) => void };
  const loaded = new Promise<{ fingerprint: string }>((resolve, reject) => {
    settleLoad = { resolve, reject };
  });
  const exited = new Promise<void>(resolve => {
    worker.once('exit', () => resolve());
  });

  const end = (reason: HefixError): void => {
    ended ??= reason;
    settleLoad.reject(ended);
    for (const request of pending.values()) request.reject(ended);
    pending.clear();
  };
  worker.on('error', cause => end(modelWorkerCrashed(label, cause)));
  worker.on('exit', code => end(modelWorkerCrashed(label, `exit code ${code}`)));
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'loaded') return settleLoad.resolve(message);
    if (message.kind === 'not-loaded') return end(received(message.error, label));
    const request = pending.get(message.id);
    if (message.kind === 'text') return request?.onText?.(message.piece);
    pending.delete(message.id);
    if (message.kind === 'done') request?.resolve(message.completion);
    else request?.reject(received(message.error, label));
  });

  const post = (message: ToWorker): void => worker.postMessage(message);
  const generate: TextModel['generate'] = (request, { signal, onText }: GenerateOptions = {}) => {
    if (ended !== null) return Promise.reject(ended);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = requests++;
    const answer = new Promise<Completion>((resolve, reject) => {
      pending.set(id, { resolve, reject, onText });
    });
    const abort = (): void => {
      pending.get(id)?.reject(signal?.reason);
      pending.delete(id);
      post({ kind: 'cancel', id });
    };
    signal?.addEventListener('abort', abort, { once: true });
    post({ kind: 'generate', id, request });
    return answer.finally(() => signal?.removeEventListener('abort', abort));
  };

  const close = async (): Promise<void> => {
    if (ended === null) {
      end(modelClosed(label));
      post({ kind: 'close' });
    }
    await exited;
  };

  return { loaded, generate, close };
}

/** An error of another kind than HefixError is a fault of the thread itself. */
function received(error: SentError, label: string): HefixError {
  if (error.code === null) return modelWorkerCrashed(label, error.message);
  return new HefixError(error.code, error.message, error.hint);
}

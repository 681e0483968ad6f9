import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { Device } from '../../core/choices.ts';
import { HefixError } from '../../core/errors.ts';
import type { Batching } from '../../core/measurements.ts';
import type { GenerateOptions, TextModel } from '../../core/ports.ts';
import { packageFile } from '../../files/package.ts';
import { modelClosed, modelTextTimeout, modelWorkerCrashed } from '../errors.ts';
import type { LanguageModelOptions } from '../language-model.ts';
import type { SentError } from '../sent-error.ts';
import { watchCounter } from '../text/text-guard.ts';
import type { WeightType } from './session.ts';
import { disableTelemetry } from './telemetry.ts';
import type {
  FromWorker,
  LoadedModel,
  ThreadData,
  ToWorker,
  Work,
  WorkRequest,
} from './thread/worker-protocol.ts';

interface DeviceFallback {
  /** Whether a device that cannot be used is an error. */
  readonly requireDevice: boolean;
  /** Receives a sentence if the CPU is used instead. */
  readonly warn: (sentence: string) => void;
}

/**
 * Opens a model on its device, or on the CPU if the device cannot be used. Rejects with the errors of
 * createOnnxModel; MODEL_DEVICE_UNAVAILABLE only if the device is required.
 */
export async function openOnDevice(
  options: OnnxModelOptions,
  { requireDevice, warn }: DeviceFallback,
): Promise<TextModel> {
  const { device = 'cpu' } = options;
  try {
    return { ...(await createOnnxModel(options)), device };
  } catch (error) {
    const isUnavailable = error instanceof HefixError && error.code === 'MODEL_DEVICE_UNAVAILABLE';
    if (!isUnavailable || requireDevice) throw error;
    warn(`The CPU is used, because ${error.message}`);
    return { ...(await createOnnxModel({ ...options, device: 'cpu' })), device: 'cpu' };
  }
}

interface OnnxModelOptions {
  /** A model folder in the hub's layout. */
  readonly folder: string;
  /** Display name; defaults to the folder's name. */
  readonly name?: string | undefined;
  /** Which of the folder's graphs to run. */
  readonly weightType?: WeightType | undefined;
  /** Number of inference threads; defaults to the number of cores. */
  readonly threads?: number | undefined;
  /** Execution provider; defaults to the CPU. */
  readonly device?: Device | undefined;
  /** Whether to draft tokens from the prompt (prompt-lookup decoding); defaults to true. */
  readonly lookup?: boolean | undefined;
  /** How many requests are answered at once, if that is faster; defaults to 1. */
  readonly requests?: number | undefined;
  /** A folder for graphs that are optimised for the generation loop; none are made if omitted. */
  readonly graphs?: string | undefined;
  /** Aborts loading. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit in milliseconds for its chat template or tokenizer on one text; defaults to 30,000. */
  readonly textLimitMs?: number;
}

/**
 * A model that runs in its own thread, which keeps this one free for timers, progress and signals. Requests
 * are processed in order, or `requests` at once if that is faster; an aborted request rejects at once. Rejects
 * with the MODEL_ errors of loading, such as a missing file or an unsupported graph.
 */
export async function createOnnxModel(options: OnnxModelOptions): Promise<TextModel> {
  const name = options.name ?? basename(resolve(options.folder));
  const thread = startModelThread(
    packageFile('dist/lib/model/onnx/worker.js'),
    {
      name,
      folder: options.folder,
      weightType: options.weightType ?? 'auto',
      threads: options.threads ?? physicalCores(),
      device: options.device ?? 'cpu',
      lookup: options.lookup ?? true,
      requests: options.requests ?? 1,
      graphs: options.graphs ?? null,
    },
    {
      signal: options.signal,
      ...(options.textLimitMs === undefined ? {} : { textLimitMs: options.textLimitMs }),
    },
  );
  const { fingerprint, nativeTools, answer, languages, contextLength } = await thread.loaded;
  const { batching, generate, beams, score, close } = thread;
  const facts = { fingerprint, nativeTools, answer, languages, contextLength };
  return { name, ...facts, batching, generate, beams, score, close };
}

/**
 * The number of physical cores, since two threads on one core compete for its arithmetic units; at most the number of
 * processors that this process may use, which it also is where the system is not Linux.
 */
export function physicalCores(folder = '/sys/devices/system/cpu'): number {
  const usable = availableParallelism();
  try {
    const cores = readdirSync(folder)
      .filter(name => /^cpu\d+$/.test(name))
      .map(name => readFileSync(`${folder}/${name}/topology/thread_siblings_list`, 'utf8').trim());
    return cores.length === 0 ? usable : Math.min(usable, new Set(cores).size);
  } catch {
    return usable;
  }
}

interface ModelThread
  extends Required<Pick<TextModel, 'batching' | 'generate' | 'beams' | 'score' | 'close'>> {
  /** Rejects if the model could not be loaded. */
  readonly loaded: Promise<LoadedModel>;
}

interface ThreadLimits {
  /** Stops the thread if the model has not loaded yet. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit for the model's chat template or tokenizer on one text. */
  readonly textLimitMs?: number;
  /** How often a thread that should exit is checked for a tokenizer that does not end. */
  readonly closeMs?: number;
  /** Limit on JavaScript values, such as the vocabulary; weights and caches do not count. */
  readonly heapMiB?: number;
}

/**
 * Starts a thread that speaks the protocol in worker-protocol.ts. If a tokenizer does not
 * terminate, the thread is stopped (MODEL_TEXT_TIMEOUT). If the thread exits unexpectedly, all pending
 * requests reject with MODEL_WORKER_CRASHED.
 */
export function startModelThread(
  script: string,
  options: LanguageModelOptions,
  { signal, textLimitMs = 30_000, closeMs = 500, heapMiB = 2048 }: ThreadLimits = {},
): ModelThread {
  // Native code does not see the environment of a thread.
  disableTelemetry();
  const { name } = options;
  const textWork = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const workerData: ThreadData = { options: { textLimitMs, ...options }, textWork };
  // Flags of this process, such as `node --input-type=module --eval`, must not reach the thread.
  const worker = startSteadyThread(script, {
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMiB },
  });
  const post = (message: ToWorker): void => worker.postMessage(message);
  const exited = new Promise<void>(resolve => {
    worker.once('exit', () => resolve());
  });
  const load = deferred<LoadedModel>();
  const waiting = new Map<number, WaitingRequest>();
  let requests = 0;
  let batching: Batching | null = null;
  /** Why the model accepts no more requests; null while it is open. */
  let ended: unknown = null;

  const end = (reason: unknown): void => {
    ended ??= reason;
    load.reject(ended);
    for (const request of waiting.values()) request.reject(ended);
    waiting.clear();
  };
  const stop = (reason: unknown): void => {
    end(reason);
    void worker.terminate();
  };
  const counter = new Int32Array(textWork);
  const unwatch = watchCounter(counter, textLimitMs, () => stop(modelTextTimeout(name, textLimitMs / 1000)));
  /**
   * Lets the thread finish what ONNX Runtime is computing: to terminate it inside would abort the whole process. Only
   * a tokenizer, which may never end, is cut off.
   */
  const leave = async (): Promise<void> => {
    post({ kind: 'close' });
    const late = setInterval(() => {
      if (Atomics.load(counter, 0) % 2 !== 0) void worker.terminate();
    }, closeMs);
    await exited;
    clearInterval(late);
  };
  const abortLoading = (): void => {
    end(signal?.reason);
    void leave();
  };
  if (signal?.aborted) abortLoading();
  signal?.addEventListener('abort', abortLoading, { once: true });
  load.promise.catch(() => {}).finally(() => signal?.removeEventListener('abort', abortLoading));
  worker.once('exit', unwatch);
  worker.on('error', cause => end(modelWorkerCrashed(name, cause)));
  worker.on('exit', code => end(modelWorkerCrashed(name, `it exited with code ${code}`)));
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'loaded') return load.resolve(message);
    if (message.kind === 'not-loaded') return end(received(message.error, name));
    if (message.kind === 'batching') {
      batching = message.batching;
      return;
    }
    const request = waiting.get(message.id);
    if (message.kind === 'text') return request?.onText?.(message.piece);
    waiting.delete(message.id);
    if (message.kind === 'done') request?.resolve(message.result);
    else request?.reject(received(message.error, name));
  });

  const ask = async <Kind extends keyof Work>(
    kind: Kind,
    request: Work[Kind]['request'],
    { signal, onText }: GenerateOptions = {},
  ): Promise<Work[Kind]['result']> => {
    if (ended !== null) throw ended;
    signal?.throwIfAborted();
    const id = requests++;
    const answer = deferred<Work[Kind]['result']>();
    // The thread answers each kind of request with a result of the same kind.
    const resolve = answer.resolve as (result: Work[keyof Work]['result']) => void;
    waiting.set(id, { resolve, reject: answer.reject, onText });
    const abort = (): void => {
      if (!waiting.delete(id)) return;
      answer.reject(signal?.reason);
      post({ kind: 'cancel', id });
    };
    signal?.addEventListener('abort', abort, { once: true });
    post({ kind, id, request } as WorkRequest);
    return answer.promise.finally(() => signal?.removeEventListener('abort', abort));
  };

  return {
    loaded: load.promise,

    batching: () => batching,
    generate: (request, options) => ask('generate', request, options),
    beams: (request, options) => ask('beams', request, options),
    score: (request, options) => ask('score', request, options),

    async close() {
      end(modelClosed(name));
      await leave();
    },
  };
}

interface WaitingRequest {
  readonly resolve: (result: Work[keyof Work]['result']) => void;
  readonly reject: (reason: unknown) => void;
  readonly onText: ((piece: string) => void) | undefined;
}

/** Promise.withResolvers, which Node 20 lacks. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Anything other than a HefixError is a bug in the thread itself. */
function received(error: SentError, name: string): HefixError {
  if (error.code === null) return modelWorkerCrashed(name, error.message);
  return new HefixError(error.code, error.message, error.hint);
}

/**
 * A thread that V8 does not stop to give memory back: between passes it takes the thread for idle, and collects its
 * whole heap. Threads take V8's flags as they are when they start.
 */
function startSteadyThread(script: string | URL, options: WorkerOptions): Worker {
  setFlagsFromString('--no-memory-reducer');
  return new Worker(script, options);
}

import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import type { Device } from '../../core/choices.ts';
import { HefixError } from '../../core/errors.ts';
import type { TextModel } from '../../core/ports.ts';
import { packageFile } from '../../files/package.ts';
import type { WeightType } from './session.ts';
import { startModelThread } from './thread/model-thread.ts';

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

import { basename, resolve } from 'node:path';
import type { TextModel } from '../../core/ports.ts';
import { packageFile } from '../../files/package-root.ts';
import type { Device } from './devices.ts';
import { startModelThread } from './model-thread.ts';
import type { WeightType } from './onnx-file.ts';
import { physicalCores } from './physical-cores.ts';

export interface OnnxModelOptions {
  /** A model in the hub's layout. */
  readonly folder: string;
  /** What people call it; the folder's name unless given. */
  readonly name?: string | undefined;
  /** Which of the folder's graphs to run. */
  readonly weightType?: WeightType | undefined;
  /** Of the arithmetic; as many as the machine has cores unless given. */
  readonly threads?: number | undefined;
  /** What computes; the CPU unless given. */
  readonly device?: Device | undefined;
  /** Whether tokens are drafted from the prompt and verified in one pass; true unless given. */
  readonly lookup?: boolean | undefined;
  /** A folder that may keep graphs made for the loop out of a model's own; none are made unless given. */
  readonly graphs?: string | undefined;
  /** Ends the loading of the model. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that its chat template or tokenizer may work on one text; 30,000 unless given. */
  readonly textLimitMs?: number;
}

/**
 * A model that computes in a thread of its own, so that this one stays free for timers, progress and
 * signals. Requests are answered one after the other; an aborted one rejects at once.
 * Rejects with the MODEL_ errors of loading: a missing or unusable file, a graph of another kind.
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
      graphs: options.graphs ?? null,
    },
    {
      signal: options.signal,
      ...(options.textLimitMs === undefined ? {} : { textLimitMs: options.textLimitMs }),
    },
  );
  const { fingerprint, nativeTools, answer, languages } = await thread.loaded;
  const { generate, beams, score, close } = thread;
  return { name, fingerprint, nativeTools, answer, languages, generate, beams, score, close };
}

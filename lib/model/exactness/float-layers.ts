import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLeftovers, temporaryName } from '../../files/write-file-atomic.ts';
import type { Architecture } from '../build/architecture.ts';
import { pastNames } from '../build/attention/attention.ts';
import type { Checkpoint } from '../build/checkpoint/checkpoint.ts';
import { type ModelWeights, modelWeights } from '../build/checkpoint/model-weights.ts';
import { type Outputs, Tensor } from '../onnx/runtime.ts';
import { openSession } from '../onnx/session.ts';
import { writeLayer } from './layer-graph.ts';

/** The values that a linear layer reads. */
export interface LinearInput {
  /** The first of the linear layers that share this input, such as `layers.0.qkv`, `.o`, `.gate`, `.down`; `head`. */
  readonly linear: string;
  /** [positions, columns], of all sequences one after the other; valid until the next call. */
  readonly values: Float32Array;
  readonly columns: number;
}

export interface FloatLayersOptions {
  readonly checkpoint: Checkpoint;
  readonly architecture: Architecture;
  /** Folder of the weights, for error messages. */
  readonly source: string;
  readonly sequences: readonly (readonly number[])[];
  readonly onInput?: (input: LinearInput) => Promise<void>;
  /** Receives the share of the layers that are computed. */
  readonly onLayer?: (share: number) => void;
  readonly threads: number;
  /** Where a layer is stored while it is computed; defaults to the folder for temporary files. */
  readonly folder?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Computes a model in float32 with one layer's weights in memory at a time; returns what the output layer
 * reads: float32 [positions, hidden] for each sequence. Throws the errors of modelWeights, the signal's
 * reason if aborted, and system errors if the temporary folder is full.
 */
export async function runFloatLayers(options: FloatLayersOptions): Promise<Float32Array[]> {
  const { architecture, sequences, onInput, signal } = options;
  const weights = modelWeights(options.checkpoint, options.source);
  let residuals = await embedded(options, weights);
  const place = options.folder ?? tmpdir();
  await removeLeftovers(place);
  const folder = temporaryName(join(place, 'hefix-layer'));
  await mkdir(folder, { mode: 0o700 });
  try {
    for (let layer = 0; layer < architecture.layers.length; layer++) {
      signal?.throwIfAborted();
      residuals = await runLayer(options, weights, layer, residuals, folder);
      options.onLayer?.((layer + 1) / architecture.layers.length);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { hidden, norm, normEpsilon, tensors } = architecture;
  const vector = (kind: string) => weights.vector({ [`${tensors.finalNorm}.${kind}`]: hidden });
  const scale = await vector('weight');
  const bias = norm === 'layer' ? await vector('bias') : null;
  const normed = residuals.map(values => normalised(values, scale, bias, normEpsilon));
  if (sequences.length > 0) await onInput?.({ linear: 'head', ...joined(normed, hidden) });
  return normed;
}

/** Rows of the embedding table; the table is streamed. */
async function embedded(
  { architecture: { hidden, vocabulary }, sequences }: FloatLayersOptions,
  weights: ModelWeights,
): Promise<Float32Array[]> {
  const places = new Map<number, [sequence: number, position: number][]>();
  sequences.forEach((ids, sequence) => {
    ids.forEach((id, position) => {
      places.set(id, [...(places.get(id) ?? []), [sequence, position]]);
    });
  });
  const residuals = sequences.map(ids => new Float32Array(ids.length * hidden));
  let first = 0;
  for await (const piece of weights.matrix('embedding', EMBEDDING(vocabulary), hidden).read()) {
    const count = piece.length / hidden;
    for (let row = 0; row < count; row++) {
      for (const [sequence, position] of places.get(first + row) ?? []) {
        residuals[sequence]?.set(piece.subarray(row * hidden, (row + 1) * hidden), position * hidden);
      }
    }
    first += count;
  }
  return residuals;
}

const EMBEDDING = (vocabulary: number) => ({ 'model.embed_tokens.weight': vocabulary });

async function runLayer(
  { architecture, sequences, onInput, threads }: FloatLayersOptions,
  weights: ModelWeights,
  layer: number,
  residuals: readonly Float32Array[],
  folder: string,
): Promise<Float32Array[]> {
  const { hidden, keyValueHeads, headSize } = architecture;
  const contextLength = Math.max(...sequences.map(ids => ids.length));
  const { file, inputs } = await writeLayer({ ...architecture, contextLength }, weights, layer, folder);
  const session = await openSession(file, { threads, device: 'cpu', keepsMemory: false });
  try {
    const results: Outputs[] = [];
    for (const residual of residuals) {
      const positions = residual.length / hidden;
      // One position, which is hidden.
      const empty = new Tensor('float32', new Float32Array(keyValueHeads * headSize), [
        1,
        keyValueHeads,
        1,
        headSize,
      ]);
      const numbers = BigInt64Array.from({ length: positions }, (_, position) => BigInt(position));
      results.push(
        await session.run({
          residual: new Tensor('float32', residual, [1, positions, hidden]),
          position_ids: new Tensor('int64', numbers, [1, positions]),
          ...Object.fromEntries(pastNames(architecture, layer).map(name => [name, empty])),
        }),
      );
    }
    const floats = (name: string): Float32Array[] =>
      results.map(outputs => (outputs[name] as Tensor).data as Float32Array);
    for (const { linear, value, columns } of inputs) {
      await onInput?.({ linear, ...joined(floats(value), columns) });
    }
    return floats('sum').map(values => values.slice());
  } finally {
    await session.release();
  }
}

function joined(parts: readonly Float32Array[], columns: number): { values: Float32Array; columns: number } {
  const values = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    values.set(part, end);
    end += part.length;
  }
  return { values, columns };
}

/** Normalises each row by its root mean square, or with a bias by its mean and variance. */
function normalised(
  values: Float32Array,
  scale: Float32Array,
  bias: Float32Array | null,
  epsilon: number,
): Float32Array {
  const columns = scale.length;
  const normed = new Float32Array(values.length);
  for (let start = 0; start < values.length; start += columns) {
    let sum = 0;
    if (bias !== null) for (let i = start; i < start + columns; i++) sum += values[i]!;
    const mean = sum / columns;
    let squares = 0;
    for (let i = start; i < start + columns; i++) squares += (values[i]! - mean) ** 2;
    const inverse = 1 / Math.sqrt(squares / columns + epsilon);
    for (let i = 0; i < columns; i++) {
      normed[start + i] = (values[start + i]! - mean) * inverse * scale[i]! + (bias?.[i] ?? 0);
    }
  }
  return normed;
}

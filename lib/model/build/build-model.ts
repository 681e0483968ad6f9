import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '../../files/errors.ts';
import { modelNotBuilt } from '../errors.ts';
import { openGgufCheckpoint } from '../gguf/gguf-folder.ts';
import { onnxFileName, sequencesFile } from '../onnx/session.ts';
import { type Architecture, readArchitecture } from './architecture.ts';
import {
  assertBiases,
  foldedCheckpoint,
  scaledCheckpoint,
  withOwnHead,
} from './checkpoint/adjusted-checkpoints.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint/checkpoint.ts';
import { modelWeights } from './checkpoint/model-weights.ts';
import { blockCodec } from './codecs/block-codec.ts';
import { channelCodec } from './codecs/channel-codec.ts';
import { floatCodec } from './codecs/float-codec.ts';
import { noPreparation, type Preparation, preparedCodec } from './codecs/prepared-codec.ts';
import { addDecoder, type CacheOutput } from './decoder.ts';
import { createExternalData, createGraphBuilder } from './graph-builder.ts';
import type { WeightCodec } from './linear.ts';
import { encodeModel, type OnnxGraph } from './onnx-proto.ts';

export interface BuildOptions {
  /** A folder with config.json and, unless `gguf` is given, safetensors (see openCheckpoint). */
  readonly source: string;
  /** A GGUF file with the weights. */
  readonly gguf?: string | undefined;
  /** An existing folder for the .onnx file and its .onnx_data. */
  readonly target: string;
  readonly weightType: BuiltWeightType;
  /** How the weights are prepared before they are rounded; unchanged if omitted. */
  readonly preparation?: Preparation;
  /** Defaults to new rows; `whole cache` is for other loaders. */
  readonly cache?: CacheOutput;
  readonly onProgress?: (progress: BuildProgress) => void;
  readonly signal?: AbortSignal;
}

/** Reading the header and texts, choosing how weights are rounded, writing them, and comparing the graph with the float weights. */
export type BuildStep = 'reading' | 'rounding' | 'writing' | 'comparing';

export interface BuildProgress {
  readonly step: BuildStep;
  readonly weightType: BuiltWeightType;
  readonly doneWeights: number;
  readonly totalWeights: number;
  /** Estimated from the pace so far; null at the start. */
  readonly secondsLeft: number | null;
}

const codecs = {
  fp32: floatCodec,
  /** Blocks of 128 are computed twice as fast as blocks of 32, and 8 bits are accurate enough with either. */
  q8: blockCodec({ bits: 8, blockSize: 128 }),
  q4: blockCodec({ bits: 4, blockSize: 32 }),
  'q4-128': blockCodec({ bits: 4, blockSize: 128 }),
  w8a8: channelCodec,
} satisfies Record<BuiltWeightType, WeightCodec>;

export const builtTypes = ['fp32', 'q8', 'q4', 'q4-128', 'w8a8'] as const;
export type BuiltWeightType = (typeof builtTypes)[number];

/**
 * Weight types with which a row of a pass had the same bits for any number of other rows, on some processors at least:
 * passes are only batched where a comparison finds that. They have a second graph, for several sequences. In blocks of
 * 128, the kernels of MatMulNBits add in another order for one row than for several.
 */
const separateRows: readonly BuiltWeightType[] = ['fp32', 'q4', 'w8a8'];

/** How a weight type rounds the inputs and the weights of linear layers. */
export interface RoundingFormat {
  /** How many numbers of a row share a step; null if all do. */
  readonly blockSize: number | null;
  /** Steps from zero to the largest number of a block. */
  readonly weightLevels: number;
  readonly activationLevels: number;
}

/** Null for weights that are not rounded. */
export const roundingFormats: Readonly<Record<BuiltWeightType, RoundingFormat | null>> = {
  fp32: null,
  q8: { blockSize: 128, weightLevels: 127, activationLevels: 127 },
  q4: { blockSize: 32, weightLevels: 7.5, activationLevels: 127 },
  'q4-128': { blockSize: 128, weightLevels: 7.5, activationLevels: 127 },
  w8a8: { blockSize: null, weightLevels: 127, activationLevels: 127 },
};

/**
 * Writes an ONNX graph of a model that has only safetensors or a GGUF file; returns its path. Weights are streamed: a
 * few chunks are in memory at a time, of w8a8 one matrix. The graph file appears once it is complete. Throws
 * MODEL_ARCHITECTURE_UNKNOWN, MODEL_CONFIG_UNSUPPORTED, MODEL_FILE_MISSING, MODEL_FILE_INVALID,
 * MODEL_NOT_BUILT, and the signal's reason if aborted.
 */
export async function buildModel(options: BuildOptions): Promise<string> {
  const { source, gguf, target, weightType } = options;
  const path = join(target, onnxFileName(weightType));
  const second = sequencesFile(path);
  const dataName = `${onnxFileName(weightType)}_data`;
  const temporary = `.${process.pid}.partial`;
  const { preparation = noPreparation } = options;
  const codec = preparedCodec(codecs[weightType], preparation);
  const { architecture, checkpoint } = await openWeights(source, weightType, gguf);
  try {
    const tracked = scaledCheckpoint(track(checkpoint, options), preparation.scales);
    const weights = modelWeights(tracked, gguf ?? source);
    assertBiases(checkpoint, architecture, gguf ?? source);
    const external = await createExternalData(join(target, dataName + temporary), dataName);
    const { cache = 'new rows' } = options;
    let graph: OnnxGraph;
    let ofSequences: OnnxGraph | null = null;
    try {
      const parts = { graph: createGraphBuilder(external), architecture, weights, codec };
      graph = await addDecoder(parts, cache);
      if (cache === 'new rows' && separateRows.includes(weightType)) {
        ofSequences = await addDecoder(
          {
            ...parts,
            graph: createGraphBuilder(external, graph.initializers),
            weights: modelWeights(withoutContents(checkpoint), gguf ?? source),
          },
          'new rows of sequences',
        );
      }
    } finally {
      await external.close();
    }
    weights.assertAllUsed(
      architecture.tied ? /rotary_emb\.inv_freq$|^lm_head\.weight$/ : /rotary_emb\.inv_freq$/,
    );
    if (ofSequences !== null) await writeFile(second + temporary, encodeModel(ofSequences, 'hefix'));
    await writeFile(path + temporary, encodeModel(graph, 'hefix'));
    await rename(join(target, dataName + temporary), join(target, dataName));
    if (ofSequences !== null) await rename(second + temporary, second);
    await rename(path + temporary, path);
    return path;
  } catch (error) {
    const files = [path, second, join(target, dataName)];
    await Promise.all(files.map(file => rm(file + temporary, { force: true })));
    options.signal?.throwIfAborted();
    throw isSystemError(error) ? modelNotBuilt(target, error) : error;
  } finally {
    await checkpoint.close();
  }
}

/**
 * A model's architecture and weights as a weight type stores them: a tied output layer is a separate one if
 * its table cannot be shared. The caller closes the checkpoint.
 */
export async function openWeights(
  source: string,
  weightType: BuiltWeightType,
  gguf?: string,
): Promise<{ architecture: Architecture; checkpoint: Checkpoint }> {
  const architecture = await readArchitecture(source);
  const stored = await (gguf === undefined ? openCheckpoint(source) : openGgufCheckpoint(gguf));
  const checkpoint = foldedCheckpoint(stored, architecture);
  if (!architecture.tied || codecs[weightType].sharesTable) return { architecture, checkpoint };
  return { architecture: { ...architecture, tied: false }, checkpoint: withOwnHead(checkpoint) };
}

/** For a graph whose weights are stored already. */
function withoutContents(checkpoint: Checkpoint): Checkpoint {
  return { ...checkpoint, async *rows() {} };
}

/** Reports progress and checks for cancellation after each chunk. */
function track(checkpoint: Checkpoint, options: BuildOptions): Checkpoint {
  const { totalWeights } = checkpoint;
  const { signal } = options;
  const report = reporter(options, 'writing', totalWeights);
  let read = 0;
  return {
    ...checkpoint,
    async *rows(name) {
      for await (const piece of checkpoint.rows(name)) {
        signal?.throwIfAborted();
        yield piece;
        read += piece.length;
        report(Math.min(read, totalWeights) / totalWeights);
      }
    },
  };
}

/** Reports how far a step is, from 0 to 1, with the time that is left of it at its pace so far. */
export function reporter(
  { weightType, onProgress }: Pick<BuildOptions, 'weightType' | 'onProgress'>,
  step: BuildStep,
  totalWeights: number,
): (share: number) => void {
  const started = performance.now();
  return share => {
    const seconds = (performance.now() - started) / 1000;
    const secondsLeft = seconds < 1 || share === 0 ? null : (seconds / share) * (1 - share);
    onProgress?.({ step, weightType, doneWeights: share * totalWeights, totalWeights, secondsLeft });
  };
}

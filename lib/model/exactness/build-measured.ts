import { dirname } from 'node:path';
import { HefixError } from '../../core/errors.ts';
import type { Exactness } from '../../core/measurements.ts';
import { isSystemError } from '../../files/errors.ts';
import type { Architecture } from '../build/architecture.ts';
import {
  type BuildOptions,
  buildModel,
  openWeights,
  type RoundingFormat,
  reporter,
  roundingFormats,
} from '../build/build-model.ts';
import type { TensorScale } from '../build/checkpoint/adjusted-checkpoints.ts';
import type { Checkpoint } from '../build/checkpoint/checkpoint.ts';
import type { Preparation } from '../build/codecs/prepared-codec.ts';
import { modelNotBuilt } from '../errors.ts';
import { readModelConfig } from '../model-folder.ts';
import { physicalCores } from '../onnx/onnx-model.ts';
import { chooseRounding, type InputRounding } from './choose-rounding.ts';
import { runFloatLayers } from './float-layers.ts';
import { measureExactness } from './measure-exactness.ts';
import { secondMoments } from './rounding-error.ts';
import { sampleTokens } from './sample-tokens.ts';
import { type SmoothedInput, smoothedInputs } from './smoothed-inputs.ts';

export interface BuildMeasuredOptions extends Omit<BuildOptions, 'preparation'> {
  /** For error messages. */
  readonly name: string;
}

/**
 * Builds a graph whose rounding was prepared on a built-in text, and compares it with the float weights on
 * another. The float weights are read a layer at a time; no more than the built graph and one layer is in
 * memory. `source` also has the tokenizer's files; without them, the graph is neither prepared nor measured.
 * Null for float32, which is exact, and without a tokenizer. Throws the errors of buildModel and
 * sampleTokens.
 */
export async function buildMeasured(options: BuildMeasuredOptions): Promise<Exactness | null> {
  const { source, gguf, target, weightType, name, signal } = options;
  const format = roundingFormats[weightType];
  const { architecture, checkpoint } = await openWeights(source, weightType, gguf);
  const threads = physicalCores();
  try {
    const tokens = format && (await sampleTokens(source, name, architecture).catch(withoutTokenizer));
    if (tokens === null) {
      await buildModel(options);
      return null;
    }
    const { totalWeights } = checkpoint;
    const onLayer = reporter(options, 'rounding', totalWeights);
    onLayer(0);
    const floats = { checkpoint, architecture, source, threads, folder: target, signal };
    const { preparation, hidden } = await calibrate({ ...floats, ...tokens, format, onLayer });
    const graph = await buildModel({ ...options, preparation });
    const config = await readModelConfig(source);
    const onCompared = reporter(options, 'comparing', totalWeights);
    onCompared(0);
    const measured = { ...floats, graph, weightType, config, ids: tokens.check, hidden, onCompared };
    return await measureExactness(measured);
  } catch (error) {
    throw isSystemError(error) ? modelNotBuilt(dirname(target), error) : error;
  } finally {
    await checkpoint.close();
  }
}

export interface MeasureBuiltOptions
  extends Pick<BuildMeasuredOptions, 'source' | 'gguf' | 'name' | 'weightType' | 'onProgress' | 'signal'> {
  readonly graph: string;
  /** Where a layer is stored while it is computed; defaults to the folder for temporary files. */
  readonly folder?: string;
}

/**
 * Compares a graph that was built before, maybe on another machine, with the float weights. Throws the errors of
 * openWeights, sampleTokens and measureExactness.
 */
export async function measureBuilt(options: MeasureBuiltOptions): Promise<Exactness> {
  const { source, gguf, name, weightType } = options;
  const { architecture, checkpoint } = await openWeights(source, weightType, gguf);
  try {
    const { check } = await sampleTokens(source, name, architecture);
    const onShare = reporter(options, 'comparing', checkpoint.totalWeights);
    onShare(0);
    const floats = { ...options, checkpoint, architecture, threads: physicalCores() };
    // Most of the time goes into the float weights.
    const onLayer = (share: number) => onShare(0.9 * share);
    const [hidden = new Float32Array()] = await runFloatLayers({ ...floats, sequences: [check], onLayer });
    const config = await readModelConfig(source);
    const onCompared = (share: number) => onShare(0.9 + 0.1 * share);
    return await measureExactness({ ...floats, config, ids: check, hidden, onCompared });
  } finally {
    await checkpoint.close();
  }
}

/** The loader reports which file is missing. */
function withoutTokenizer(error: unknown): null {
  if (error instanceof HefixError && error.code === 'MODEL_FILE_MISSING') return null;
  throw error;
}

interface CalibrateOptions {
  readonly checkpoint: Checkpoint;
  readonly architecture: Architecture;
  /** Folder of the weights, for error messages. */
  readonly source: string;
  /** Tokens on which the factors are chosen. */
  readonly sample: readonly number[];
  /** Tokens to compute in float32 in the same pass. */
  readonly check: readonly number[];
  /** How inputs and weights are rounded; null chooses no factors. */
  readonly format: RoundingFormat | null;
  readonly threads: number;
  readonly onLayer?: (share: number) => void;
  /** Where a layer is stored while it is computed. */
  readonly folder?: string;
  readonly signal?: AbortSignal | undefined;
}

interface Calibration {
  readonly preparation: Preparation;
  /** What the output layer reads for `check`: float32 [positions, hidden]. */
  readonly hidden: Float32Array;
}

/** One pass of the float weights, a layer at a time. Throws the errors of runFloatLayers. */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { checkpoint, architecture, sample, check, format } = options;
  const places = new Map(smoothedInputs(architecture).map(place => [place.linear, place]));
  const scales = new Map<string, TensorScale>();
  const exactColumns = new Map<string, readonly number[]>();
  const importance = new Map<string, Float32Array>();
  const bits = format === null ? 32 : Math.log2(2 * format.weightLevels + 1);
  const modelBytes = (checkpoint.totalWeights * bits) / 8;
  const head = places.has('head') ? architecture.vocabulary * architecture.hidden : 0;
  const ofLayers = 1 - head / checkpoint.totalWeights;
  const [, hidden = new Float32Array()] = await runFloatLayers({
    ...options,
    onLayer: share => options.onLayer?.(share * ofLayers),
    sequences: [sample, ...(check.length > 0 ? [check] : [])],
    async onInput({ linear, values, columns }) {
      const place = places.get(linear);
      if (format === null) return;
      const sampled = values.subarray(0, sample.length * columns);
      const moments = secondMoments(sampled, columns);
      if (place === undefined) {
        importance.set(linear, Float32Array.from(moments));
        return;
      }
      async function* readers(): AsyncGenerator<Float32Array> {
        for (const reader of place?.readers ?? []) yield* checkpoint.rows(reader);
      }
      const costs = { error: errorCost(linear, architecture), modelBytes };
      const rounding = await chooseRounding(sampled, columns, readers, place, format, costs);
      apply(place, rounding, columns, scales);
      const inFloat = new Set(rounding.exact);
      const exact = Array.from({ length: columns }, (_, column) => column).filter(column =>
        inFloat.has(place.channelOf(column)),
      );
      if (exact.length > 0) exactColumns.set(linear, exact);
      importance.set(
        linear,
        Float32Array.from(moments, (moment, i) => moment / (rounding.factors[place.channelOf(i)] ?? 1) ** 2),
      );
    },
  });
  options.onLayer?.(1);
  return { preparation: { scales, exactColumns, importance }, hidden };
}

/**
 * Nats of KL divergence by relative error, as measured on SmolLM2-135M: errors of the output layer reach the logits
 * as they are, the others together with what all layers add. Attention adds less than feed-forward networks do.
 */
function errorCost(linear: string, { layers }: Architecture): number {
  if (linear === 'head') return 3;
  return (linear.endsWith('.o') ? 0.15 : 1.5) / layers.length;
}

/** What the writer gives is divided by the factors, and what the readers take is multiplied. */
function apply(
  { readers, writer, channelOf }: SmoothedInput,
  { factors }: InputRounding,
  columns: number,
  scales: Map<string, TensorScale>,
): void {
  const add = (tensor: string, scale: TensorScale) => {
    scales.set(tensor, { ...scales.get(tensor), ...scale });
  };
  const inverse = factors.map(factor => 1 / factor);
  const ofColumns = Float32Array.from({ length: columns }, (_, column) => factors[channelOf(column)] ?? 1);
  for (const reader of readers) add(reader, { columns: ofColumns });
  if (writer.kind === 'norm') {
    for (const tensor of writer.tensors) add(tensor, { columns: inverse });
    return;
  }
  const ofRows = new Float32Array(writer.first + inverse.length).fill(1);
  ofRows.set(inverse, writer.first);
  add(`${writer.tensor}.weight`, { rows: ofRows });
  add(`${writer.tensor}.bias`, { columns: ofRows });
}

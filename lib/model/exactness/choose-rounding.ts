import type { RoundingFormat } from '../build/build-model.ts';
import {
  type ColumnFactors,
  type RoundedInput,
  roundingError,
  secondMoments,
  tokenRows,
  weightStatistics,
} from './rounding-error.ts';
import type { SmoothedInput } from './smoothed-inputs.ts';

/** How an input is rounded. */
export interface InputRounding {
  /** [channels]: activations are divided by it and weights multiplied. */
  readonly factors: Float32Array;
  /** Channels whose products are computed in float. */
  readonly exact: readonly number[];
}

/** What an input's errors and bytes count. */
export interface RoundingCosts {
  /** Nats of KL divergence for products with errors as large as they are. */
  readonly error: number;
  /** Of the whole model. */
  readonly modelBytes: number;
}

/**
 * Chooses a factor for each channel of an input, by which activations are divided and weights multiplied
 * before both are rounded: several exponents are tried, and the one with the smallest expected error of the
 * products is taken. Channels with large activations and large weights, which no factor helps, are kept in
 * float as far as the smaller error is worth the bytes. Sources: SmoothQuant (arXiv 2211.10438), AWQ
 * (arXiv 2306.00978), LLM.int8() (arXiv 2208.07339).
 *
 * values: [positions, columns], a sample of the input; readers: the rows of all matrices that read it.
 */
export async function chooseRounding(
  values: Float32Array,
  columns: number,
  readers: () => AsyncGenerator<Float32Array>,
  { channels, channelOf }: Pick<SmoothedInput, 'channels' | 'channelOf'>,
  format: RoundingFormat,
  costs: RoundingCosts,
): Promise<InputRounding> {
  const ofColumn = Uint32Array.from({ length: columns }, (_, column) => channelOf(column));
  const moments = secondMoments(values, columns);
  const weights = await weightStatistics(readers(), columns, moments);

  const activation = new Float64Array(channels);
  const weight = new Float64Array(channels);
  for (let start = 0; start < values.length; start += columns) {
    for (let i = 0; i < columns; i++) raise(activation, ofColumn[i]!, Math.abs(values[start + i]!));
  }
  for (let i = 0; i < columns; i++) raise(weight, ofColumn[i]!, weights.largest[i]!);
  assumeRare(activation, weight);

  const largest = byProduct(activation, weight);
  const exactChannels = EXACT_COUNTS.filter(count => count <= MAX_SHARE * channels).map(count =>
    largest.slice(0, count),
  );
  const candidates = [
    none(channels),
    ...EXPONENTS.map(exponent => ({ factors: balanced(activation, weight, exponent), exact: [] })),
    ...FEW_EXPONENTS.flatMap(exponent => {
      const factors = balanced(activation, weight, exponent);
      const usual = median(activation.map((value, channel) => value / factors[channel]!));
      return exactChannels.map(exact => ({ factors: shrunk(factors, activation, exact, usual), exact }));
    }),
  ];
  const expanded = candidates.map(candidate => expand(candidate, ofColumn));
  const bytesCost = format.weightLevels < 127 ? BYTES_COST_4_BITS : BYTES_COST_8_BITS;
  const channelCost = (bytesCost * 4 * weights.rows * columns) / channels / costs.modelBytes;
  const input: RoundedInput = { tokens: tokenRows(values, columns), weights, moments, format };
  const lossOf = (index: number, step: number): number =>
    costs.error * roundingError(input, expanded[index]!, step) +
    channelCost * candidates[index]!.exact.length;
  const all = Array.from(candidates.keys());
  const promising = smallest(all, index => lossOf(index, ROUGH_STEP)).slice(0, PROMISING);
  const [best = 0] = smallest(promising, index => lossOf(index, 1));
  return candidates[best] ?? none(channels);
}

/** All candidates are compared on every eighth row, the best of them on all. */
const ROUGH_STEP = 8;
const PROMISING = 6;

function smallest(indexes: readonly number[], loss: (index: number) => number): number[] {
  const losses = new Map(indexes.map(index => [index, loss(index)]));
  return [...indexes].sort((a, b) => losses.get(a)! - losses.get(b)!);
}

/**
 * Nats of KL divergence that are worth as many bytes as the model has. 4-bit weights are chosen for their size: a smaller
 * error costs fewer bytes with 8 bits.
 */
const BYTES_COST_8_BITS = 0.02;
const BYTES_COST_4_BITS = 0.6;

function none(channels: number): InputRounding {
  return { factors: new Float32Array(channels).fill(1), exact: [] };
}

/** Numbers of channels in float that are tried. */
const EXACT_COUNTS = [4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256];
/** Largest share of the channels. */
const MAX_SHARE = 1 / 6;

/** Channels that contribute anything, those with the largest products first. */
function byProduct(activation: Float64Array, weight: Float64Array): number[] {
  const products = activation.map((value, channel) => value * weight[channel]!);
  return Array.from(products.keys())
    .filter(channel => products[channel]! > 0)
    .sort((a, b) => products[b]! - products[a]!);
}

function expand({ factors, exact }: InputRounding, ofColumn: Uint32Array): ColumnFactors {
  const divisors = Float32Array.from(ofColumn, channel => factors[channel]!);
  const ofWeights = factors.slice();
  for (const channel of exact) ofWeights[channel] = 0;
  return { divisors, multipliers: Float32Array.from(ofColumn, channel => ofWeights[channel]!) };
}

/** 0 gives all columns of the weights the same size, 1 all activations. */
const EXPONENTS = [0, 0.25, 0.4, 0.5, 0.6, 0.75, 1];
const FEW_EXPONENTS = [0.25, 0.5, 0.75];

function raise(largest: Float64Array, index: number, value: number): void {
  if (value > largest[index]!) largest[index] = value;
}

/**
 * A channel that is active only on tokens that the sample lacks is assumed to matter about as much as others:
 * with small weights, its activations can become large.
 */
function assumeRare(activation: Float64Array, weight: Float64Array): void {
  const products = activation.map((value, channel) => value * weight[channel]!).sort();
  const usual = products[products.length >> 1] ?? 0;
  for (let channel = 0; channel < activation.length; channel++) {
    if (weight[channel]! > 0) raise(activation, channel, (RARE_SHARE * usual) / weight[channel]!);
  }
}

const RARE_SHARE = 0.25;

/** Factors of the channels; their logarithms have a mean of 0. */
function balanced(activation: Float64Array, weight: Float64Array, exponent: number): Float32Array {
  const logarithms = activation.map((value, channel) =>
    value === 0 || weight[channel] === 0
      ? Number.NaN
      : exponent * Math.log(value) - (1 - exponent) * Math.log(weight[channel]!),
  );
  const finite = logarithms.filter(Number.isFinite);
  const mean = finite.reduce((sum, value) => sum + value, 0) / Math.max(1, finite.length);
  return Float32Array.from(logarithms, value => (Number.isFinite(value) ? Math.exp(value - mean) : 1));
}

/** Channels in `exact` are divided until they are as small as the others usually are. */
function shrunk(
  factors: Float32Array,
  activation: Float64Array,
  exact: readonly number[],
  usual: number,
): Float32Array {
  const changed = factors.slice();
  for (const channel of exact) changed[channel] = activation[channel]! / usual || 1;
  return changed;
}

function median(values: Float64Array): number {
  return values.slice().sort()[values.length >> 1] ?? 1;
}

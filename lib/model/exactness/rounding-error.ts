import type { RoundingFormat } from '../build/build-model.ts';

/** Estimates of what rounding costs, from a sample of the inputs and from the weights; see chooseRounding. */

export interface ColumnFactors {
  /** [columns]: activations are divided by it. */
  readonly divisors: Float32Array;
  /** [columns]: rounded weights are multiplied by it; 0 if they are kept in float. */
  readonly multipliers: Float32Array;
}

/** The mean square of each column. */
export function secondMoments(values: Float32Array, columns: number): Float64Array {
  const moments = new Float64Array(columns);
  for (let start = 0; start < values.length; start += columns) {
    for (let i = 0; i < columns; i++) moments[i]! += values[start + i]! ** 2;
  }
  return moments.map(sum => (sum * columns) / values.length);
}

/** A row of numbers that share a step, or a step for each block. */
export interface RoundedRow {
  /** [columns]: absolute values. */
  readonly sizes: Float32Array;
  /** What the row's errors are multiplied by. */
  readonly importance: number;
}

/** The tokens of an input, [positions, columns]. */
export function tokenRows(values: Float32Array, columns: number): RoundedRow[] {
  return Array.from({ length: values.length / columns }, (_, row) => ({
    sizes: absolute(values, row * columns, columns),
    importance: 1,
  }));
}

interface WeightStatistics {
  /** Number of rows. */
  readonly rows: number;
  /** Evenly spaced rows, each weighted by the inverse of its expected mean square, so that all rows count alike. */
  readonly sample: readonly RoundedRow[];
  /** [columns]: the largest weight of each column, rows counting alike. */
  readonly largest: Float64Array;
  /** [columns]: the sum of the squared weights of each column, rows counting alike. */
  readonly energy: Float64Array;
}

/** pieces: whole rows; moments: the mean square of each column of the input. */
export async function weightStatistics(
  pieces: AsyncGenerator<Float32Array>,
  columns: number,
  moments: Float64Array,
): Promise<WeightStatistics> {
  const largest = new Float64Array(columns);
  const energy = new Float64Array(columns);
  let sample: RoundedRow[] = [];
  let [rows, step] = [0, 1];
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; start += columns, rows++) {
      let size = 0;
      for (let i = 0; i < columns; i++) size += piece[start + i]! ** 2 * moments[i]!;
      const importance = size > 0 ? 1 / size : 0;
      for (let i = 0; i < columns; i++) {
        const square = piece[start + i]! ** 2 * importance;
        energy[i]! += square;
        if (square > largest[i]!) largest[i] = square;
      }
      if (rows % step !== 0) continue;
      sample.push({ sizes: absolute(piece, start, columns), importance });
      if (sample.length < MAX_SAMPLED_ROWS) continue;
      sample = everySecond(sample);
      step *= 2;
    }
  }
  return { rows, sample, energy, largest: largest.map(Math.sqrt) };
}

const MAX_SAMPLED_ROWS = 512;

function everySecond<T>(values: readonly T[]): T[] {
  return values.filter((_, index) => index % 2 === 0);
}

function absolute(values: Float32Array, start: number, count: number): Float32Array {
  const sizes = values.slice(start, start + count);
  for (let i = 0; i < count; i++) sizes[i] = Math.abs(sizes[i]!);
  return sizes;
}

/** What the errors of rounded numbers depend on. */
export interface RoundedInput {
  readonly tokens: readonly RoundedRow[];
  readonly weights: Pick<WeightStatistics, 'rows' | 'sample' | 'energy'>;
  /** Mean square of each column. */
  readonly moments: Float64Array;
  readonly format: RoundingFormat;
}

/**
 * The expected square of the products' errors, relative to the products, that come from rounded activations and from
 * rounded weights. It is the mean of every `step`-th row.
 */
export function roundingError(
  { tokens, weights, moments, format }: RoundedInput,
  { divisors, multipliers }: ColumnFactors,
  step: number,
): number {
  const { blockSize, activationLevels, weightLevels } = format;
  const width = blockSize ?? moments.length;
  const inverses = divisors.map(divisor => 1 / divisor);
  const ofTokens = blockSums(weights.energy, multipliers, width, 2);
  const ofWeights = blockSums(moments, divisors, width, -2);
  return (
    meanSquaredStep(tokens, inverses, ofTokens, width, step) / weights.rows / activationLevels ** 2 +
    meanSquaredStep(weights.sample, multipliers, ofWeights, width, step) / weightLevels ** 2
  );
}

/** The mean over rows of the square of each block's largest scaled number, times the block's weight. */
function meanSquaredStep(
  rows: readonly RoundedRow[],
  scales: Float32Array,
  weights: Float64Array,
  width: number,
  step: number,
): number {
  let sum = 0;
  for (let row = 0; row < rows.length; row += step) {
    const { sizes, importance } = rows[row]!;
    for (let block = 0; block < weights.length; block++) {
      const end = Math.min(sizes.length, (block + 1) * width);
      let largest = 0;
      for (let i = block * width; i < end; i++) {
        const value = sizes[i]! * scales[i]!;
        if (value > largest) largest = value;
      }
      sum += largest * largest * weights[block]! * importance;
    }
  }
  return sum / Math.ceil(rows.length / step);
}

/** For each block, the sum of values · scales ^ power. */
function blockSums(values: Float64Array, scales: Float32Array, width: number, power: 2 | -2): Float64Array {
  const sums = new Float64Array(Math.ceil(values.length / width));
  for (let i = 0; i < values.length; i++) sums[Math.floor(i / width)]! += values[i]! * scales[i]! ** power;
  return sums;
}

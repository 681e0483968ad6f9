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
  for (let i = 0; i < values.length; i++) moments[i % columns]! += values[i]! * values[i]!;
  return moments.map(sum => (sum * columns) / values.length);
}

interface WeightStatistics {
  /** [rows]: the inverse of each row's expected mean square, so that all rows count alike. */
  readonly importance: readonly number[];
  /** [columns]: the largest weight of each column, rows counting alike. */
  readonly largest: Float64Array;
  /** [columns]: the sum of the squared weights of each column, rows counting alike. */
  readonly energy: Float64Array;
}

export async function weightStatistics(
  readers: () => AsyncGenerator<Float32Array>,
  columns: number,
  moments: Float64Array,
): Promise<WeightStatistics> {
  const importance: number[] = [];
  const largest = new Float64Array(columns);
  const energy = new Float64Array(columns);
  for await (const piece of readers()) {
    for (let start = 0; start < piece.length; start += columns) {
      let size = 0;
      for (let i = 0; i < columns; i++) size += piece[start + i]! ** 2 * moments[i]!;
      const inverse = size > 0 ? 1 / size : 0;
      importance.push(inverse);
      for (let i = 0; i < columns; i++) {
        const square = piece[start + i]! ** 2 * inverse;
        energy[i]! += square;
        if (square > largest[i]!) largest[i] = square;
      }
    }
  }
  return { importance, energy, largest: largest.map(Math.sqrt) };
}

/**
 * The expected square of the products' errors that come from rounded weights, for each candidate: the mean of some
 * rows.
 */
export async function weightErrors(
  readers: () => AsyncGenerator<Float32Array>,
  columns: number,
  moments: Float64Array,
  importance: readonly number[],
  candidates: readonly ColumnFactors[],
  { blockSize, weightLevels }: RoundingFormat,
): Promise<number[]> {
  const width = blockSize ?? columns;
  const sizes = candidates.map(({ divisors }) => blockSums(moments, divisors, width, -2));
  const errors = candidates.map(() => 0);
  const step = Math.ceil(importance.length / SAMPLED_ROWS);
  let row = 0;
  for await (const piece of readers()) {
    for (let start = 0; start < piece.length; start += columns, row++) {
      if (row % step !== 0) continue;
      candidates.forEach(({ multipliers }, candidate) => {
        let error = 0;
        for (let block = 0; block * width < columns; block++) {
          const end = Math.min(columns, (block + 1) * width);
          let largest = 0;
          for (let i = block * width; i < end; i++) {
            const value = Math.abs(piece[start + i]!) * multipliers[i]!;
            if (value > largest) largest = value;
          }
          error += largest * largest * sizes[candidate]![block]!;
        }
        errors[candidate]! += (error * importance[row]!) / weightLevels ** 2;
      });
    }
  }
  const rows = Math.ceil(importance.length / step);
  return errors.map(error => error / rows);
}

const SAMPLED_ROWS = 1024;

/** The sum over all rows for rounded activations, [positions, columns]: a step for each token and block. */
export function activationError(
  values: Float32Array,
  columns: number,
  energy: Float64Array,
  { divisors, multipliers }: ColumnFactors,
  { blockSize, activationLevels }: RoundingFormat,
): number {
  const width = blockSize ?? columns;
  const sizes = blockSums(energy, multipliers, width, 2);
  let error = 0;
  for (let start = 0; start < values.length; start += columns) {
    for (let block = 0; block * width < columns; block++) {
      const end = Math.min(columns, (block + 1) * width);
      let largest = 0;
      for (let i = block * width; i < end; i++) {
        const value = Math.abs(values[start + i]!) / divisors[i]!;
        if (value > largest) largest = value;
      }
      error += largest * largest * sizes[block]!;
    }
  }
  return (error * columns) / values.length / activationLevels ** 2;
}

/** For each block, the sum of values · scales ^ power. */
function blockSums(values: Float64Array, scales: Float32Array, width: number, power: 2 | -2): Float64Array {
  const sums = new Float64Array(Math.ceil(values.length / width));
  for (let i = 0; i < values.length; i++) sums[Math.floor(i / width)]! += values[i]! * scales[i]! ** power;
  return sums;
}

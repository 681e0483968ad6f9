/**
 * Quantises rows [n, columns] of a matrix to 8 bits, -127 to 127, with one scale per row: number ≈ code ·
 * scale, with an error of at most half a scale. Row i of the chunk becomes column `firstRow` + i of `codes`
 * [columns, rows], the layout that MatMulIntegerToFloat reads.
 */
export function quantizeChannels(
  piece: Float32Array,
  columns: number,
  firstRow: number,
  codes: Int8Array,
  scales: Float32Array,
): void {
  const count = piece.length / columns;
  const rows = scales.length;
  const inverses = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    let largest = 0;
    for (let i = row * columns; i < (row + 1) * columns; i++) {
      const size = Math.abs(piece[i]!);
      if (size > largest) largest = size;
    }
    const scale = Math.fround(largest / 127);
    scales[firstRow + row] = scale;
    inverses[row] = scale === 0 ? 0 : 1 / scale;
  }
  for (let column = 0; column < columns; column++) {
    const start = column * rows + firstRow;
    for (let row = 0; row < count; row++) {
      codes[start + row] = Math.round(piece[row * columns + column]! * inverses[row]!);
    }
  }
}

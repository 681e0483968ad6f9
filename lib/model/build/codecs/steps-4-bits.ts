/** The codes 0 to 15 of a block: number ≈ (code − zero) · scale. */
export interface Steps4 {
  readonly scale: number;
  readonly zero: number;
}

/**
 * The steps of one block, rows[start … end). Without importance, its codes span the whole range of the block,
 * which always includes zero. Otherwise narrower ranges and those of Q4_0 are tried as well, and the scale is fitted
 * to the codes; the steps with the smallest weighted square error are taken. `first`: the block's first column.
 */
export function searchSteps4(
  rows: Float32Array,
  start: number,
  end: number,
  importance: Float32Array | undefined,
  first: number,
): Steps4 {
  let low = 0;
  let high = 0;
  for (let i = start; i < end; i++) {
    const value = rows[i]!;
    if (value < low) low = value;
    else if (value > high) high = value;
  }
  let best = spanning(low, high);
  if (importance === undefined || best.scale === 0) return best;
  const block = { rows, start, end, importance, first };
  let smallest = Number.POSITIVE_INFINITY;
  const ranges = RANGES.map(([ofLow, ofHigh]) => spanning(low * ofLow, high * ofHigh));
  for (const tried of [centred(low, high), ...ranges]) {
    for (const steps of [tried, fitted(tried, block)]) {
      const error = weightedError(steps, block);
      if (error < smallest) [best, smallest] = [steps, error];
    }
  }
  return best;
}

/** Shares of a block's range, below and above zero. */
const SHARES = [1, 0.92, 0.84, 0.76];
const RANGES = SHARES.flatMap(low => SHARES.map(high => [low, high] as const));

/** Half a step is already added to `value`, so rounding down gives the nearest code. */
export function code4(value: number): number {
  const code = value | 0;
  return value < 0 ? 0 : Math.min(code, 15);
}

function spanning(low: number, high: number): Steps4 {
  const scale = Math.fround((high - low) / 15);
  return { scale, zero: scale === 0 ? 0 : Math.min(15, Math.round(-low / scale)) };
}

/**
 * The steps of Q4_0 in GGUF files, eight of which are the largest magnitude. Numbers that were read from such a
 * block keep their values.
 */
function centred(low: number, high: number): Steps4 {
  return high > -low ? { scale: Math.fround(high / 8), zero: 7 } : { scale: Math.fround(-low / 8), zero: 8 };
}

/** rows[start … end), with the importance of its columns, importance[first …]. */
interface Block {
  readonly rows: Float32Array;
  readonly start: number;
  readonly end: number;
  readonly importance: Float32Array;
  readonly first: number;
}

/** The scale with the smallest weighted square error for the codes that these steps give. */
function fitted({ scale, zero }: Steps4, { rows, start, end, importance, first }: Block): Steps4 {
  const [inverse, shift] = [1 / scale, zero + 0.5];
  let products = 0;
  let squares = 0;
  for (let i = start; i < end; i++) {
    const steps = code4(rows[i]! * inverse + shift) - zero;
    const weight = importance[first + i - start]!;
    products += weight * steps * rows[i]!;
    squares += weight * steps * steps;
  }
  return products > 0 ? { scale: Math.fround(products / squares), zero } : { scale, zero };
}

function weightedError({ scale, zero }: Steps4, { rows, start, end, importance, first }: Block): number {
  const [inverse, shift] = [1 / scale, zero + 0.5];
  let error = 0;
  for (let i = start; i < end; i++) {
    const off = rows[i]! - (code4(rows[i]! * inverse + shift) - zero) * scale;
    error += importance[first + i - start]! * off * off;
  }
  return error;
}

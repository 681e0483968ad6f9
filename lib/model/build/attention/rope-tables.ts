import type { RopeParameters } from './rope-parameters.ts';

/**
 * The cos and sin tables of rotary position embeddings, each float32 [positions, `headSize` / 2], in chunks of
 * whole rows.
 * Sources: RoFormer (arXiv 2104.09864), YaRN (arXiv 2309.00071), and for the type llama3 the release notes of
 * Llama 3.1.
 */
export function* ropeTable(
  of: 'cos' | 'sin',
  rope: RopeParameters,
  headSize: number,
  positions: number,
): Generator<Uint8Array> {
  const frequencies = ropeFrequencies(rope, headSize);
  const scale = 'attentionFactor' in rope ? rope.attentionFactor : 1;
  const wave = Math[of];
  const half = frequencies.length;
  for (let start = 0; start < positions; start += PIECE_ROWS) {
    const rows = Math.min(PIECE_ROWS, positions - start);
    const piece = new Float32Array(rows * half);
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < half; i++) {
        piece[row * half + i] = scale * wave(Math.fround((start + row) * frequencies[i]!));
      }
    }
    yield new Uint8Array(piece.buffer);
  }
}

const PIECE_ROWS = 4096;

/** Radians per position for each pair of dimensions; float32, as in training. */
function ropeFrequencies(rope: RopeParameters, headSize: number): Float32Array {
  const plain = Float32Array.from(
    { length: headSize / 2 },
    (_, i) => 1 / Math.fround(rope.theta ** ((2 * i) / headSize)),
  );
  if (rope.type === 'default') return plain;
  if (rope.type === 'linear') return plain.map(frequency => frequency / rope.factor);
  if (rope.type === 'divided') return plain.map((frequency, i) => frequency / rope.divisors[i]!);
  if (rope.type === 'llama3') return plain.map(frequency => llama3(frequency, rope));
  return yarn(plain, rope, headSize);
}

/** High frequencies are kept, low ones are scaled, those between are blended. */
function llama3(frequency: number, rope: Extract<RopeParameters, { type: 'llama3' }>): number {
  const waves = (rope.originalContext * frequency) / (2 * Math.PI);
  const { lowFrequencyFactor: low, highFrequencyFactor: high } = rope;
  const weight = Math.min(1, Math.max(0, (waves - low) / (high - low)));
  return weight * frequency + ((1 - weight) * frequency) / rope.factor;
}

function yarn(
  plain: Float32Array,
  rope: Extract<RopeParameters, { type: 'yarn' }>,
  headSize: number,
): Float32Array {
  /** The dimension that completes this many rotations within the original context. */
  const dimension = (turns: number): number =>
    (headSize * Math.log(rope.originalContext / (turns * 2 * Math.PI))) / (2 * Math.log(rope.theta));
  const exact = [dimension(rope.betaFast), dimension(rope.betaSlow)] as const;
  const low = Math.max(0, rope.truncates ? Math.floor(exact[0]) : exact[0]);
  const high = Math.min(headSize - 1, rope.truncates ? Math.ceil(exact[1]) : exact[1]);
  const width = Math.max(high - low, 0.001);
  return plain.map((frequency, i) => {
    const stretched = Math.min(1, Math.max(0, (i - low) / width));
    return (frequency / rope.factor) * stretched + frequency * (1 - stretched);
  });
}

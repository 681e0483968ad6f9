import { halfToFloat } from '../onnx/half.ts';

/** Converts stored numbers of one type to float32. */
export interface FloatReader {
  /** Bytes per stored number. */
  readonly width: number;
  /** Fills `target` from the start of `bytes`, little-endian. */
  read(bytes: Buffer, target: Float32Array): void;
}

/** Null for types that hefix cannot use as weights. */
export function floatReader(type: string): FloatReader | null {
  if (type === 'F32') return { width: 4, read: (bytes, target) => target.set(floats(bytes, target.length)) };
  if (type === 'BF16') return { width: 2, read: readBfloat16 };
  if (type === 'F16') return halfReader();
  return null;
}

/** bfloat16 is the upper half of a float32. */
function readBfloat16(bytes: Buffer, target: Float32Array): void {
  const stored = shorts(bytes, target.length);
  const bits = new Uint32Array(target.buffer, target.byteOffset, target.length);
  for (let i = 0; i < stored.length; i++) bits[i] = stored[i]! << 16;
}

/** For large tensors, a lookup table of all 65,536 half-precision numbers is faster than arithmetic. */
function halfReader(): FloatReader {
  const table = halfToFloat(
    Uint16Array.from({ length: 65_536 }, (_, bits) => bits),
    0,
  );
  const read = (bytes: Buffer, target: Float32Array): void => {
    const stored = shorts(bytes, target.length);
    for (let i = 0; i < stored.length; i++) target[i] = table[stored[i]!]!;
  };
  return { width: 2, read };
}

function shorts(bytes: Buffer, length: number): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, length);
}

function floats(bytes: Buffer, length: number): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, length);
}

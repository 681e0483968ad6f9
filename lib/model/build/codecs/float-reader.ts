import { halfToFloat } from '../../onnx/half.ts';
import type { NumberReader } from '../checkpoint/read-rows.ts';

/** Null for types that hefix cannot use as weights. */
export function floatReader(type: string): NumberReader | null {
  if (type === 'F32') return single(4, (bytes, target) => target.set(floats(bytes, target.length)));
  if (type === 'BF16') return single(2, readBfloat16);
  if (type === 'F16') return halfReader();
  return null;
}

function single(bytes: number, read: NumberReader['read']): NumberReader {
  return { numbers: 1, bytes, read };
}

/** bfloat16 is the upper half of a float32. */
function readBfloat16(bytes: Buffer, target: Float32Array): void {
  const stored = shorts(bytes, target.length);
  const bits = new Uint32Array(target.buffer, target.byteOffset, target.length);
  for (let i = 0; i < stored.length; i++) bits[i] = stored[i]! << 16;
}

function halfReader(): NumberReader {
  const table = halfTable();
  return single(2, (bytes, target) => {
    const stored = shorts(bytes, target.length);
    for (let i = 0; i < stored.length; i++) target[i] = table[stored[i]!]!;
  });
}

/** All 65,536 half-precision numbers: for large tensors, faster than arithmetic. */
export function halfTable(): Float32Array {
  return halfToFloat(
    Uint16Array.from({ length: 65_536 }, (_, bits) => bits),
    0,
  );
}

function shorts(bytes: Buffer, length: number): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, length);
}

function floats(bytes: Buffer, length: number): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, length);
}

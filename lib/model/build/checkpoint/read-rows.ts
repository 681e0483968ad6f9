import type { FileHandle } from 'node:fs/promises';
import { modelFileInvalid } from '../../errors.ts';

/** Converts stored numbers of one type to float32. */
export interface NumberReader {
  /** Numbers that are stored together; a row has a multiple of it. */
  readonly numbers: number;
  /** Bytes that these take. */
  readonly bytes: number;
  /** Fills `target` from the start of `bytes`, little-endian. */
  read(bytes: Buffer, target: Float32Array): void;
}

/** Where a tensor's rows are. */
export interface StoredRows {
  readonly name: string;
  readonly shape: readonly number[];
  /** Offset of its first byte in the file. */
  readonly offset: number;
  readonly bytes: number;
  readonly file: FileHandle;
  readonly path: string;
}

/**
 * A tensor as float32, in chunks of whole rows (the last dimension), at least `together` of them. A chunk is
 * valid until the next one is requested. Throws MODEL_FILE_INVALID.
 */
export async function* readRows(
  { name, shape, offset, bytes, file, path }: StoredRows,
  reader: NumberReader,
  together = 1,
): AsyncGenerator<Float32Array> {
  const columns = (shape.at(-1) ?? 1) * together;
  const unit = (columns / reader.numbers) * reader.bytes;
  const pieceBytes = Math.max(1, Math.floor(PIECE_NUMBERS / columns)) * unit;
  const buffer = Buffer.alloc(Math.min(pieceBytes, bytes));
  const count = (length: number) => (length / reader.bytes) * reader.numbers;
  const floats = new Float32Array(count(buffer.length));
  for (let done = 0; done < bytes; done += pieceBytes) {
    const length = Math.min(pieceBytes, bytes - done);
    await readWhole(file, buffer, length, offset + done, path);
    const piece = floats.subarray(0, count(length));
    reader.read(buffer, piece);
    if (!allFinite(piece)) throw modelFileInvalid(path, `${name} holds numbers that are not finite`);
    yield piece;
  }
}

/** Numbers per read; conversion holds a few times as much in memory. */
const PIECE_NUMBERS = 2 ** 20;

/** Numbers that are not finite have all bits of the exponent set. */
function allFinite(piece: Float32Array): boolean {
  const bits = new Uint32Array(piece.buffer, piece.byteOffset, piece.length);
  for (let i = 0; i < bits.length; i++) if ((bits[i]! & EXPONENT) === EXPONENT) return false;
  return true;
}

const EXPONENT = 0x7f80_0000;

async function readWhole(file: FileHandle, buffer: Buffer, length: number, position: number, path: string) {
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) throw modelFileInvalid(path, 'it became shorter while it was read');
    done += bytesRead;
  }
}

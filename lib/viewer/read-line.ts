import type { FileHandle } from 'node:fs/promises';

/** The byte range of a line in its file. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

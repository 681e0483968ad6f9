import { type FileHandle, open } from 'node:fs/promises';

/** Where the bytes of a weight lie in the file of external data. */
export interface Extent {
  readonly location: string;
  readonly offset: number;
  readonly length: number;
}

/** A file of weights beside a graph, written from front to back. */
export interface ExternalData {
  /** Writes one weight, piece by piece; it starts on a page, so that onnxruntime can map it into memory. */
  write(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Extent>;
  close(): Promise<void>;
}

/** `location` is the file's name as the graph will have it. */
export async function createExternalData(path: string, location: string): Promise<ExternalData> {
  const file = await open(path, 'w');
  let end = 0;
  return {
    async write(pieces) {
      const offset = Math.ceil(end / PAGE_BYTES) * PAGE_BYTES;
      end = offset;
      for await (const piece of pieces) {
        await writeFileAtomic(file, piece, end);
        end += piece.byteLength;
      }
      return { location, offset, length: end - offset };
    },
    close: () => file.close(),
  };
}

const PAGE_BYTES = 4096;

async function writeFileAtomic(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.byteLength) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}

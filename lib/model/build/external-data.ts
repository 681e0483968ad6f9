import { type FileHandle, open } from 'node:fs/promises';

/** The location of a weight's bytes in the external data file. */
interface Extent {
  readonly location: string;
  readonly offset: number;
  readonly length: number;
}

/** A graph's external data file, written from front to back. */
export interface ExternalData {
  /** Writes one weight chunk by chunk, aligned to a page so that onnxruntime can memory-map it. */
  write(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Extent>;
  close(): Promise<void>;
}

/** `location` is the file name that the graph will contain. */
export async function createExternalData(path: string, location: string): Promise<ExternalData> {
  const file = await open(path, 'w');
  let end = 0;
  return {
    async write(pieces) {
      const offset = Math.ceil(end / PAGE_BYTES) * PAGE_BYTES;
      end = offset;
      for await (const piece of pieces) {
        await writeAll(file, piece, end);
        end += piece.byteLength;
      }
      return { location, offset, length: end - offset };
    },
    close: () => file.close(),
  };
}

const PAGE_BYTES = 4096;

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.byteLength) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}

import type { SourceFile } from '../patch/source-file.ts';

/** Files as a runner takes them. */
export function bytesOf(files: ReadonlyMap<string, SourceFile>): Map<string, Uint8Array> {
  return new Map([...files].map(([path, { bytes }]) => [path, bytes]));
}

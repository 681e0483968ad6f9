import { gunzipSync } from 'node:zlib';
import { shortened } from '../lib/core/printable.ts';
import type { RawRow } from './columns.ts';
import { datasetCorrupt, datasetJson, datasetTooLarge } from './errors.ts';

/** One JSON object per line, UTF-8; blank lines are counted but skipped. */
export function parseJsonl(path: string, bytes: Uint8Array): RawRow[] {
  return decodeUtf8(path, bytes)
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => ({ number, value: parseLine(path, line, number) }));
}

/** `maxBytes` limits the decompressed size. */
export function gunzip(path: string, bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (cause instanceof RangeError)
      throw datasetTooLarge(path, 'more to unpack', `${maxBytes / 2 ** 20} MiB`);
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const what =
      code === 'Z_BUF_ERROR' ? 'ends in the middle of its gzip stream' : 'is not a valid gzip file';
    throw datasetCorrupt(path, what, cause);
  }
}

function decodeUtf8(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw datasetCorrupt(path, 'is not UTF-8 text', cause);
  }
}

function parseLine(path: string, line: string, number: number): object {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw datasetJson(path, number, cause instanceof Error ? onOneLine(cause.message) : String(cause));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw datasetJson(path, number, `it is ${shortened(line, 40)}`);
}

function onOneLine(message: string): string {
  return message.replace(/\s+/g, ' ').replace(/\.$/, '');
}

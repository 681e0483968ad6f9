import type { ColumnMetaData, Compressors, FileMetaData, PageHeader } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { getMaxDefinitionLevel, getSchemaPath } from 'hyparquet/src/schema.js';
import { readVarInt } from 'hyparquet/src/thrift.js';

/**
 * Walks the pages of flat columns before they are decoded: an encoding may turn a few bytes into gigabytes, and a
 * decoder makes room for what a page promises. Throws a RangeError for pages that hold more values than their row
 * group has rows, and calls `grow` with the bytes that prefixes of DELTA_BYTE_ARRAY repeat.
 */
export function checkPages(
  file: ArrayBuffer,
  metadata: FileMetaData,
  names: readonly string[],
  compressors: Compressors,
  grow: (bytes: number) => void,
): void {
  for (const { columns, num_rows } of metadata.row_groups) {
    for (const { meta_data: chunk } of columns) {
      if (chunk?.path_in_schema.length !== 1 || !names.includes(chunk.path_in_schema[0] ?? '')) continue;
      checkChunk(file, chunk, {
        rows: Number(num_rows),
        isOptional: isOptional(metadata, chunk),
        compressors,
        grow,
      });
    }
  }
}

interface Checks {
  readonly rows: number;
  readonly isOptional: boolean;
  readonly compressors: Compressors;
  readonly grow: (bytes: number) => void;
}

interface Reader {
  view: DataView;
  offset: number;
}

function checkChunk(file: ArrayBuffer, chunk: ColumnMetaData, checks: Checks): void {
  const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
  const reader = { view: new DataView(file, start, Number(chunk.total_compressed_size)), offset: 0 };
  let values = 0;
  // As the decoder does: until all rows are there.
  while (values < checks.rows && reader.offset < reader.view.byteLength - 1) {
    const header = parquetHeader(reader);
    const length = header.compressed_page_size;
    const bytes = new Uint8Array(file, start + reader.offset, length);
    reader.offset += length;
    const data = header.data_page_header ?? header.data_page_header_v2;
    const count = data?.num_values ?? header.dictionary_page_header?.num_values ?? 0;
    if (!(count >= 0 && count <= checks.rows)) throw new RangeError(`page of ${count} values`);
    if (!data || header.type === 'DICTIONARY_PAGE') continue;
    values += count;
    checkPage(bytes, header, chunk, checks);
  }
}

function checkPage(bytes: Uint8Array, header: PageHeader, chunk: ColumnMetaData, checks: Checks): void {
  const v2 = header.data_page_header_v2;
  const data = header.data_page_header ?? v2;
  if (!data) return;
  const levels = v2 ? v2.repetition_levels_byte_length + v2.definition_levels_byte_length : 0;
  const body = bytes.subarray(levels);
  const page =
    v2?.is_compressed === false
      ? body
      : decompressPage(body, header.uncompressed_page_size - levels, chunk.codec, checks.compressors);
  const reader = { view: viewOf(page), offset: 0 };
  let values = data.num_values;
  if (checks.isOptional && v2) {
    checkRuns({ view: viewOf(bytes), offset: v2.repetition_levels_byte_length }, 1, values);
    values -= v2.num_nulls;
  } else if (checks.isOptional) {
    const length = reader.view.getUint32(0, true);
    reader.offset = 4;
    values = checkRuns(reader, 1, values);
    reader.offset = 4 + length;
  }
  if (/DICTIONARY/.test(data.encoding)) {
    const width = reader.view.getUint8(reader.offset++);
    if (width > 0 || v2) checkRuns(reader, width, values);
  } else if (data.encoding === 'DELTA_BYTE_ARRAY') {
    const prefixes = new Int32Array(values);
    deltaBinaryUnpack(reader, values, prefixes);
    checks.grow(prefixes.reduce((sum, length) => sum + Math.max(length, 0), 0));
  }
}

/** Walks the runs of an RLE and bit-packed mix; returns how many of `count` values are 1, where `width` is 1. */
function checkRuns(reader: Reader, width: number, count: number): number {
  let ones = 0;
  for (let seen = 0; seen < count; ) {
    const header = readVarInt(reader);
    const isPacked = (header & 1) === 1;
    const run = isPacked ? (header >>> 1) * 8 : header >>> 1;
    if (run > count - seen + (isPacked ? 7 : 0)) throw new RangeError(`run of ${run} values`);
    const bytes = isPacked ? (header >>> 1) * width : (width + 7) >> 3;
    for (let i = 0; width === 1 && i < bytes; i++) {
      const byte = reader.view.getUint8(reader.offset + i);
      for (let bit = 0; isPacked && bit < 8 && seen + 8 * i + bit < count; bit++) ones += (byte >> bit) & 1;
      if (!isPacked) ones += byte & 1 ? run : 0;
    }
    reader.offset += bytes;
    seen += run;
  }
  return ones;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isOptional(metadata: FileMetaData, chunk: ColumnMetaData): boolean {
  return getMaxDefinitionLevel(getSchemaPath(metadata.schema, chunk.path_in_schema)) > 0;
}

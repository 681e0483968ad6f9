import {
  type ColumnMetaData,
  type Compressors,
  type FileMetaData,
  type PageHeader,
  parquetMetadata,
  parquetReadObjects,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { getMaxDefinitionLevel, getSchemaPath } from 'hyparquet/src/schema.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { compressors as decompressors } from 'hyparquet-compressors';
import { HefixError } from '../lib/core/errors.ts';
import { columns, type RawRow } from './columns.ts';
import { datasetCorrupt, datasetTooLarge } from './errors.ts';

/**
 * Rows of a Parquet file in memory, with the columns that hefix knows; pages may be compressed with snappy,
 * gzip, zstd, brotli or lz4. Sizes in the file are checked before they are used: a few bytes may claim
 * billions of rows.
 */
export async function parseParquet(
  path: string,
  bytes: Uint8Array,
  limits: ParquetLimits,
): Promise<RawRow[]> {
  checkMagic(path, bytes);
  const file = new Uint8Array(bytes).buffer;
  try {
    const metadata = parquetMetadata(file);
    checkMetadata(path, bytes, metadata, limits);
    const readColumns = knownColumns(metadata);
    const spend = spender(path, limits);
    checkPages(file, metadata, readColumns, capped(limits, spender(path, limits)), spend);
    const values = await parquetReadObjects({
      file,
      metadata,
      columns: readColumns,
      compressors: capped(limits, spender(path, limits)),
      parsers: { stringFromBytes: textReader(spender(path, limits)) },
    });
    if (values.some(value => Object.values(value).includes(undefined))) {
      throw datasetCorrupt(path, `is damaged: it holds fewer than the ${metadata.num_rows} rows it promises`);
    }
    return values.map((value, index) => ({ number: index + 1, value }));
  } catch (cause) {
    if (cause instanceof HefixError) throw cause;
    throw datasetCorrupt(path, 'is damaged: its parquet pages cannot be read', cause);
  }
}

export interface ParquetLimits {
  readonly maxBytes: number;
  readonly maxRows: number;
}

/** A Parquet file starts and ends with these four bytes. */
const MAGIC = 'PAR1';

function checkMagic(path: string, bytes: Uint8Array): void {
  const ascii = (start: number, end?: number) => new TextDecoder('latin1').decode(bytes.subarray(start, end));
  if (ascii(0, 4) !== MAGIC) throw datasetCorrupt(path, 'is not a parquet file');
  if (bytes.length < 12 || ascii(-4) !== MAGIC)
    throw datasetCorrupt(path, 'is a parquet file that was cut off');
}

function checkMetadata(path: string, bytes: Uint8Array, metadata: FileMetaData, limits: ParquetLimits): void {
  const { maxRows } = limits;
  let rows = 0n;
  for (const group of metadata.row_groups) {
    rows += group.num_rows;
    for (const { meta_data: chunk } of group.columns) {
      if (!chunk || chunk.path_in_schema.length > 1) continue;
      const start = chunk.dictionary_page_offset ?? chunk.data_page_offset;
      const end = start + chunk.total_compressed_size;
      if (start < 4n || chunk.total_compressed_size < 0n || end > BigInt(bytes.length)) {
        throw datasetCorrupt(path, 'is damaged: it names columns beyond its end');
      }
      if (chunk.num_values !== group.num_rows) {
        throw datasetCorrupt(
          path,
          `is damaged: it promises ${group.num_rows} rows and holds ${chunk.num_values}`,
        );
      }
    }
  }
  if (rows !== metadata.num_rows) {
    throw datasetCorrupt(path, `is damaged: it promises ${metadata.num_rows} rows and holds ${rows}`);
  }
  if (rows > BigInt(maxRows)) throw datasetTooLarge(path, `${rows} rows`, `${maxRows}`);
}

function knownColumns(metadata: FileMetaData): string[] {
  const present = metadata.schema.map(element => element.name);
  return columns.filter(column => present.includes(column));
}

/** Counts bytes of one kind and throws once they are more than the cap. */
function spender(path: string, { maxBytes }: ParquetLimits): (bytes: number) => void {
  let total = 0;
  return bytes => {
    total += bytes;
    if (total > maxBytes) throw datasetTooLarge(path, 'more to unpack', mebibytes(maxBytes));
  };
}

/** The decompressors allocate what a page's header asks for. All pages together may ask for no more than the cap. */
function capped({ maxBytes }: ParquetLimits, spend: (bytes: number) => void): Compressors {
  return Object.fromEntries(
    Object.entries(decompressors).map(([codec, decompress]) => [
      codec,
      (input: Uint8Array, length: number) => {
        if (!(length >= 0 && length <= maxBytes)) throw new RangeError(`page of ${length} bytes`);
        spend(length);
        return decompress(input, length);
      },
    ]),
  );
}

/** Values are views of a page, and may overlap; their texts are copies. */
function textReader(spend: (bytes: number) => void): (bytes: Uint8Array | undefined) => string | undefined {
  const decoder = new TextDecoder();
  return bytes => {
    spend(bytes?.length ?? 0);
    return bytes && decoder.decode(bytes);
  };
}

function mebibytes(bytes: number): string {
  return `${bytes / 2 ** 20} MiB`;
}

/**
 * Walks the pages of flat columns before they are decoded: an encoding may turn a few bytes into gigabytes, and a
 * decoder makes room for what a page promises. Throws a RangeError for pages that hold more values than their row
 * group has rows, and calls `grow` with the bytes that prefixes of DELTA_BYTE_ARRAY repeat.
 */
function checkPages(
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

import { type Compressors, type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors as decompressors } from 'hyparquet-compressors';
import { HefixError } from '../lib/core/errors.ts';
import { columns, type RawRow } from './columns.ts';
import { datasetCorrupt, datasetTooLarge } from './errors.ts';
import { checkPages } from './parquet-pages.ts';

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
    const known = knownColumns(metadata);
    const spend = spender(path, limits);
    checkPages(file, metadata, known, capped(limits, spender(path, limits)), spend);
    const values = await parquetReadObjects({
      file,
      metadata,
      columns: known,
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

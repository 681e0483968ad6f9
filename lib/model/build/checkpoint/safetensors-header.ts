import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { modelFileInvalid } from '../../errors.ts';

/** A tensor in a safetensors file. */
export interface StoredTensor {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly number[];
  /** Offset of its first byte in the file. */
  readonly offset: number;
  readonly bytes: number;
}

/**
 * Reads and checks the header of a safetensors file: 8 bytes of length, JSON, then the tensors without gaps.
 * The header is untrusted: throws MODEL_FILE_INVALID unless every tensor lies inside the file, has the size
 * that its shape implies and overlaps no other.
 * Source: https://github.com/huggingface/safetensors#format
 */
export async function readSafetensorsHeader(file: FileHandle, path: string): Promise<StoredTensor[]> {
  const { size } = await file.stat();
  const fail = (problem: string): never => {
    throw modelFileInvalid(path, problem);
  };
  if (size < LENGTH_BYTES) return fail('it is shorter than a safetensors header');
  const length = (await readAt(file, 0, LENGTH_BYTES)).readBigUInt64LE();
  if (length > BigInt(size - LENGTH_BYTES))
    return fail('its header is longer than the file, so it is cut short');
  if (length > LONGEST_HEADER) return fail(`its header has ${length} bytes, more than ${LONGEST_HEADER}`);
  const text = (await readAt(file, LENGTH_BYTES, Number(length))).toString('utf8');

  const json = parsed(text, fail);
  if (Object.keys(Object(json)).some(name => !TENSOR_NAME.test(name))) return fail('it names a tensor oddly');
  const header = headerSchema.safeParse(json);
  if (!header.success) {
    const [issue] = header.error.issues;
    return fail(`its header has ${issue?.path.join('.') || 'no object'}: ${issue?.message ?? 'unexpected'}`);
  }
  const twice = repeatedName(text);
  if (twice !== null) return fail(`its header names ${twice} twice`);

  const start = LENGTH_BYTES + Number(length);
  const tensors = Object.entries(header.data)
    .filter(([name]) => name !== '__metadata__')
    .map(([name, entry]) => storedTensor(name, entry, start, fail))
    .sort((a, b) => a.offset - b.offset || a.bytes - b.bytes);
  let end = start;
  for (const tensor of tensors) {
    if (tensor.offset < end) return fail(`${tensor.name} overlaps another tensor`);
    if (tensor.offset > end) return fail(`there is a gap before ${tensor.name}`);
    end += tensor.bytes;
  }
  if (end > size) return fail(`its tensors end at byte ${end}, but the file has ${size}, so it is cut short`);
  if (end < size) return fail(`it has ${size - end} bytes after its last tensor`);
  return tensors;
}

const LENGTH_BYTES = 8;
/** Far above any real model; the largest headers on the hub are about one MiB. */
const LONGEST_HEADER = 2 ** 25;

/** Names as frameworks produce them, and safe to print in an error message. */
const TENSOR_NAME = /^[\w.:/-]{1,200}$/;

const typeBytes: Readonly<Record<string, number>> = {
  BOOL: 1,
  U8: 1,
  I8: 1,
  F8_E4M3: 1,
  F8_E5M2: 1,
  F16: 2,
  BF16: 2,
  I16: 2,
  U16: 2,
  F32: 4,
  I32: 4,
  U32: 4,
  F64: 8,
  I64: 8,
  U64: 8,
};

const count = z.number().int().nonnegative();
const tensorSchema = z.object({
  dtype: z.string().regex(/^\w{1,16}$/),
  shape: z.array(count).max(8),
  data_offsets: z.tuple([count, count]),
});
const headerSchema = z.object({ __metadata__: z.unknown().optional() }).catchall(tensorSchema);

function parsed(text: string, fail: (problem: string) => never): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail('its header is not JSON');
  }
}

function storedTensor(
  name: string,
  entry: unknown,
  start: number,
  fail: (problem: string) => never,
): StoredTensor {
  const { dtype, shape, data_offsets: range } = tensorSchema.parse(entry);
  const [begin, end] = range;
  const width = typeBytes[dtype];
  if (width === undefined) return fail(`${name} has the unknown type ${dtype}`);
  const bytes = shape.reduce((product, dimension) => product * dimension, width);
  if (bytes !== end - begin) {
    return fail(`${name} of shape [${shape}] and type ${dtype} cannot lie in bytes ${begin} to ${end}`);
  }
  return { name, type: dtype, shape, offset: start + begin, bytes };
}

/** JSON.parse keeps the last of two entries with the same name; here duplicates indicate a forged file. */
function repeatedName(text: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  let expectsName = false;
  for (const [token] of text.matchAll(/(?<!\\)"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token !== ',' && expectsName && depth === 1) {
      const name: string = JSON.parse(token);
      if (seen.has(name)) return name;
      seen.add(name);
    }
    expectsName = token === '{' || token === ',';
  }
  return null;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  await file.read(buffer, 0, length, position);
  return buffer;
}

import { resolve } from 'node:path';
import type { GGMLQuantizationType } from '@huggingface/gguf';
import { z } from 'zod';
import { fileNotReadable } from '../../files/errors.ts';
import { openRegular } from '../../files/untrusted-file.ts';
import type { NumberReader } from '../build/checkpoint/read-rows.ts';
import { modelFileInvalid } from '../errors.ts';
import { ggufType } from './gguf-types.ts';

/** A GGUF file's header. */
export interface GgufFile {
  readonly path: string;
  /** Values by name: `general.architecture`, `llama.block_count`, `tokenizer.chat_template`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tensors: ReadonlyMap<string, GgufTensor>;
}

export interface GgufTensor {
  readonly name: string;
  /** Rows before columns, as in safetensors files. */
  readonly shape: readonly number[];
  /** Offset of its first byte in the file. */
  readonly offset: number;
  readonly bytes: number;
  readonly reader: NumberReader;
}

/**
 * Reads and checks the header of a GGUF file. It is untrusted: throws MODEL_FILE_INVALID unless every tensor
 * has a type that hefix reads, lies inside the file and overlaps no other; also for parts of split models.
 * Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export async function readGguf(file: string): Promise<GgufFile> {
  const path = resolve(file);
  const fail = (problem: string): never => {
    throw modelFileInvalid(path, problem);
  };
  const size = await sizeOfGguf(path, fail);
  const { gguf, GGMLQuantizationType: typeNames } = await import('@huggingface/gguf');
  const header = await gguf(path, { allowLocalFile: true }).catch(cause => {
    throw modelFileInvalid(path, `its header is damaged or cut short (${plain(cause)})`, cause);
  });
  const metadata: Record<string, unknown> = Object.fromEntries(
    Object.entries(header.metadata).map(([key, value]) => [key, numbersOf(value)]),
  );
  const parts = Number(metadata['split.count'] ?? 0);
  if (parts > 1) {
    fail(`it is one of ${parts} parts of a model; join them with llama-gguf-split --merge`);
  }
  const start = Number(header.tensorDataOffset);
  // The library reads zeros where a header is cut short.
  if (start > size) fail(`its header ends after byte ${size}, where the file ends, so it is cut short`);
  const tensors = new Map<string, GgufTensor>();
  for (const info of header.tensorInfos) {
    const tensor = storedTensor({ ...info, typeName: typeNames[info.dtype] }, start, fail);
    if (tensors.has(tensor.name)) fail(`it has two tensors ${tensor.name}`);
    tensors.set(tensor.name, tensor);
  }
  let end = start;
  for (const tensor of [...tensors.values()].sort((a, b) => a.offset - b.offset)) {
    if (tensor.offset < end) fail(`${tensor.name} overlaps another tensor`);
    end = tensor.offset + tensor.bytes;
  }
  if (end > size) fail(`its tensors end at byte ${end}, but the file has ${size}, so it is cut short`);
  return { path, metadata, tensors };
}

/** Bytes; fails unless the file starts as a GGUF file of a version that hefix reads. */
async function sizeOfGguf(path: string, fail: (problem: string) => never): Promise<number> {
  const file = await openRegular(path).catch(cause => {
    throw fileNotReadable('--model', path, cause);
  });
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(8);
    await file.read(head, 0, head.length, 0);
    if (head.toString('latin1', 0, 4) !== 'GGUF') fail('it does not start with GGUF, so it is no GGUF file');
    const version = head.readUInt32LE(4);
    if (version < 1 || version > 3) fail(`it has version ${version} of GGUF, where 1, 2 or 3 is expected`);
    return size;
  } finally {
    await file.close();
  }
}

function plain(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** 64-bit integers as numbers; the checks of the values refuse those that a number cannot hold. */
function numbersOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return Array.isArray(value) && typeof value[0] === 'bigint' ? value.map(Number) : value;
}

interface TensorInfo {
  readonly name: string;
  readonly shape: readonly bigint[];
  readonly dtype: GGMLQuantizationType;
  readonly offset: bigint;
}

function storedTensor(
  { name, shape, dtype, typeName, offset }: TensorInfo & { readonly typeName: string | undefined },
  start: number,
  fail: (problem: string) => never,
): GgufTensor {
  if (!TENSOR_NAME.test(name)) return fail('it names a tensor oddly');
  const type = ggufType(dtype);
  if (type === null) {
    return fail(`${name} has the type ${typeName ?? dtype}, which hefix cannot read`);
  }
  const { numbers, bytes } = type.reader;
  const dims = shape.map(Number).reverse();
  if ((dims.at(-1) ?? 0) % numbers !== 0) {
    return fail(`${name} of shape [${dims}] has rows that are no multiple of the ${numbers} of ${type.name}`);
  }
  const count = dims.reduce((product, dim) => product * dim, 1);
  const size = (count / numbers) * bytes;
  if (!Number.isSafeInteger(size) || count === 0) return fail(`${name} has the shape [${dims}]`);
  return { name, shape: dims, offset: start + Number(offset), bytes: size, reader: type.reader };
}

/** Names as llama.cpp writes them, and safe to print in an error message. */
const TENSOR_NAME = /^[\w.-]{1,64}$/;

/** A name that is safe to print. */
export const word = z.string().regex(/^[\w.-]{1,80}$/);

/** The values of a file's metadata whose keys start with a prefix, by the rest of their keys. */
export function metadataBelow({ metadata }: GgufFile, prefix: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(metadata)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );
}

/** The values of `metadataBelow`, checked. Throws MODEL_FILE_INVALID, which names the first that is wrong. */
export function checkedMetadata<Schema extends z.ZodType>(
  { path }: GgufFile,
  prefix: string,
  values: Readonly<Record<string, unknown>>,
  schema: Schema,
): z.infer<Schema> {
  const checked = schema.safeParse(values);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw modelFileInvalid(
    path,
    `${prefix}${issue?.path.join('.')}: ${issue?.message ?? 'unexpected content'}`,
  );
}

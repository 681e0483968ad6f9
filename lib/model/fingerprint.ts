import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openRegular } from '../files/untrusted-file.ts';
import type { ModelFolder } from './model-folder.ts';

/**
 * `sha256:…` over the names and contents of all files that determine the model's answers: the graph, its
 * external data, tokenizer, template and configuration. Files are streamed.
 */
export async function fingerprint(folder: ModelFolder): Promise<string> {
  const total = createHash('sha256');
  const add = async (path: string, onChunk?: (chunk: Buffer) => void): Promise<void> => {
    const hash = createHash('sha256');
    for await (const chunk of (await openRegular(path)).createReadStream({ highWaterMark: CHUNK_BYTES })) {
      hash.update(chunk);
      onChunk?.(chunk);
    }
    total.update(`${basename(path)} ${hash.digest('hex')}\n`);
  };

  for (const file of folder.textFiles) await add(join(folder.path, file));
  const external = externalDataFinder();
  await add(folder.onnxFile, external.scan);
  for (const name of [...external.found].sort()) {
    const path = join(dirname(folder.onnxFile), name);
    // If the data is missing or elsewhere, onnxruntime rejects the graph with its own message.
    if (name === basename(name) && existsSync(path)) await add(path);
  }
  return `sha256:${total.digest('hex')}`;
}

const CHUNK_BYTES = 2 ** 22;

/**
 * Finds the names of external data files in the bytes of an ONNX file without parsing it: each weight names
 * its file in a StringStringEntryProto {1: "location", 2: name} (onnx.proto), and these bytes are searched
 * for. A name that is split between two chunks is found with the second one.
 */
function externalDataFinder() {
  const key = Buffer.from('\x0a\x08location\x12', 'latin1');
  const locations = new Set<string>();
  let tail = Buffer.alloc(0);
  const scan = (chunk: Buffer): void => {
    const bytes = Buffer.concat([tail, chunk]);
    for (let offset = bytes.indexOf(key); offset !== -1; offset = bytes.indexOf(key, offset + 1)) {
      const start = offset + key.length + 1;
      const end = start + (bytes[start - 1] ?? 0);
      if (end <= bytes.length) locations.add(bytes.toString('utf8', start, end));
    }
    tail = bytes.subarray(Math.max(0, bytes.length - key.length - LONGEST_NAME));
  };
  return { found: locations, scan };
}

/** Protobuf encodes lengths up to 127 in one byte. */
const LONGEST_NAME = 128;

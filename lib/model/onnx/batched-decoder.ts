import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { type Batching, batchingSchema, isWorthBatching } from '../../core/measurements.ts';
import { parseJson } from '../../files/parse-json.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { SEQUENCES } from '../build/attention/attention-sequences.ts';
import { batchedPasses } from './batched-passes.ts';
import { appendedKvCache } from './cache/kv-cache-appended.ts';
import type { Decoder } from './decoder.ts';
import { sequencesFile } from './onnx-file.ts';
import { createSequencesPass, sequenceSlots } from './sequences-pass.ts';
import { openSession, type SessionOptions } from './session.ts';

/**
 * Opens the graph for several sequences next to a built one. Null if there is none, or one pass after another
 * was faster on this machine. If that is not known, the first passes measure it, and the result is stored next
 * to the graph. `onMeasured` gets the result as soon as it is known.
 */
export async function openBatchedDecoder(
  graph: string,
  options: SessionOptions,
  onMeasured: (batching: Batching) => void = () => {},
): Promise<Decoder | null> {
  const file = sequencesFile(graph);
  if (options.device !== 'cpu' || file === graph || !existsSync(file)) return null;
  const here = { processor: cpus()[0]?.model ?? '', threads: options.threads };
  const known = await readBatching(graph);
  const isKnown = known?.processor === here.processor && known.threads === here.threads;
  if (isKnown) onMeasured(known);
  if (isKnown && !isWorthBatching(known)) return null;
  const session = await openSession(file, options);
  const slots = sequenceSlots(session, file);
  const pass = batchedPasses(createSequencesPass(session, slots, file), {
    batches: isKnown ? true : null,
    decide(comparison) {
      const batching = { weightType: weightTypeOf(graph), ...here, ...comparison };
      onMeasured(batching);
      // Where the folder cannot be written to, the next run measures again.
      writeFileAtomic(batchingFile(graph), `${JSON.stringify(batching, null, 2)}\n`).catch(() => {});
      return isWorthBatching(batching);
    },
  });
  return { empty: appendedKvCache(pass, slots), concurrency: SEQUENCES, release: () => session.release() };
}

/** What was measured for a built graph; null if nothing was. */
export async function readBatching(graph: string): Promise<Batching | null> {
  const text = await readFile(batchingFile(graph), 'utf8').catch(() => '');
  return batchingSchema.safeParse(parseJson(text)).data ?? null;
}

function batchingFile(graph: string): string {
  return sequencesFile(graph).replace(/\.onnx$/, '.json');
}

function weightTypeOf(graph: string): string {
  return /^model_?(.*)\.onnx$/.exec(basename(graph))?.[1] || 'fp32';
}

import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Batching, batchingSchema, isWorthBatching } from '../../core/measurements.ts';
import { median } from '../../core/numbers.ts';
import { parseJson, readRegularText } from '../../files/untrusted-file.ts';
import { writeFileAtomic } from '../../files/write-file-atomic.ts';
import { SEQUENCES } from '../build/attention/attention-sequences.ts';
import { cacheNumbers } from './cache/cache-tensor.ts';
import { appendedKvCache } from './cache/kv-cache-appended.ts';
import type { Decoder } from './decoder.ts';
import {
  createSequencesPass,
  type ForwardPass,
  type PassInput,
  type PassOutput,
  type SequencesPass,
  sequenceSlots,
} from './forward-pass.ts';
import { openSession, type SessionOptions, sequencesFile } from './session.ts';

/** What a comparison of batched passes with single ones gave. */
export interface BatchComparison {
  /** How many times as fast batched passes are. */
  readonly speedUp: number;
  /** Whether all outputs were the same, bit for bit. */
  readonly identical: boolean;
}

export interface BatchedPassesOptions {
  /** Whether to batch; null if the first passes decide. */
  readonly batches: boolean | null;
  /** Decides by the comparison. */
  readonly decide: (comparison: BatchComparison) => boolean;
  /** In milliseconds. */
  readonly now?: () => number;
}

/**
 * Joins passes of a token or a draft that are requested while another one runs: the next pass extends all sequences
 * that wait, up to the number that the graph takes. A piece of a prompt fills a pass on its own. If it is not known
 * whether joining is faster, the first few passes are computed both ways; each request gets what it would have got
 * alone.
 */
export function batchedPasses(
  pass: SequencesPass,
  { batches, decide, now = () => performance.now() }: BatchedPassesOptions,
): ForwardPass {
  const waiting: Waiting[] = [];
  const ratios: number[] = [];
  let decided = batches;
  let areIdentical = true;
  let isRunning = false;

  const apart = async (inputs: readonly PassInput[]): Promise<PassOutput[]> => {
    const outputs: PassOutput[] = [];
    for (const input of inputs) outputs.push(...(await pass([input])));
    return outputs;
  };
  const timed = async (work: () => Promise<PassOutput[]>) => {
    const started = now();
    const outputs = await work();
    return { outputs, ms: now() - started };
  };
  const compare = async (inputs: readonly PassInput[]): Promise<PassOutput[]> => {
    const single = await timed(() => apart(inputs));
    const batch = await timed(() => pass(inputs));
    areIdentical &&= single.outputs.every((output, index) => isSame(output, batch.outputs[index]));
    ratios.push(single.ms / batch.ms);
    if (ratios.length === COMPARISONS) {
      // The first one warms up; of the others, the median counts.
      decided = decide({ speedUp: median(ratios.slice(1)) ?? 0, identical: areIdentical });
    }
    return single.outputs;
  };
  const run = async (inputs: readonly PassInput[]): Promise<PassOutput[]> => {
    if (decided === null && inputs.length > 1) return await compare(inputs);
    return decided === false ? await apart(inputs) : await pass(inputs);
  };
  const work = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const taken = takeNext(waiting);
      try {
        const outputs = await run(taken.map(({ input }) => input));
        taken.forEach(({ resolve }, index) => {
          resolve(outputs[index] as PassOutput);
        });
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
      // Sequences that got logits ask for their next pass first.
      await setImmediate();
    }
    isRunning = false;
  };

  return input =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!isRunning) void work();
    });
}

interface Waiting {
  readonly input: PassInput;
  readonly resolve: (output: PassOutput) => void;
  readonly reject: (reason: unknown) => void;
}

const COMPARISONS = 4;

/** Removes the first request, with others that can share its pass. */
function takeNext(waiting: Waiting[]): Waiting[] {
  const first = waiting[0];
  const short = waiting.filter(({ input }) => input.ids.length <= LONGEST_JOINED);
  const taken = first && !short.includes(first) ? [first] : short.slice(0, SEQUENCES);
  for (const one of taken) waiting.splice(waiting.indexOf(one), 1);
  return taken;
}

/** In tokens: a chosen one and the longest draft after it. */
const LONGEST_JOINED = 17;

function isSame(one: PassOutput, other: PassOutput | undefined): boolean {
  const numbers = ({ logits, present }: PassOutput) => [
    ...Array.from({ length: logits.rows }, (_, row) => logits.row(row)),
    ...present.map(cacheNumbers),
  ];
  const others = other ? numbers(other) : [];
  return numbers(one).every((values, index) => sameBytes(values, others[index]));
}

function sameBytes(one: ArrayBufferView, other: ArrayBufferView | undefined): boolean {
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
    Buffer.from(buffer, byteOffset, byteLength);
  return other !== undefined && bytes(one).equals(bytes(other));
}

/**
 * Opens the graph for several sequences next to a built one. Null if there is none, if the device is not the CPU, or
 * if batching was not worth it on this machine. If that is not known, the first passes measure it, and the result is
 * stored next to the graph. `onMeasured` gets the result as soon as it is known.
 */
export async function openBatchedDecoder(
  graph: string,
  options: SessionOptions,
  onMeasured: (batching: Batching) => void = () => {},
): Promise<Decoder | null> {
  const file = sequencesFile(graph);
  if (options.device !== 'cpu' || file === graph || !existsSync(file)) return null;
  const here = { processor: cpus()[0]?.model ?? '', threads: options.threads };
  const measured = await readBatching(graph);
  const isKnown = measured?.processor === here.processor && measured.threads === here.threads;
  if (isKnown) onMeasured(measured);
  if (isKnown && !isWorthBatching(measured)) return null;
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
  const text = await readRegularText(batchingFile(graph), 2 ** 20).catch(() => '');
  return batchingSchema.safeParse(parseJson(text)).data ?? null;
}

function batchingFile(graph: string): string {
  return sequencesFile(graph).replace(/\.onnx$/, '.json');
}

function weightTypeOf(graph: string): string {
  return /^model_?(.*)\.onnx$/.exec(basename(graph))?.[1] || 'fp32';
}

import { setImmediate } from 'node:timers/promises';
import { median } from '../../core/numbers.ts';
import { SEQUENCES } from '../build/attention/attention-sequences.ts';
import { cacheNumbers } from './cache/cache-tensor.ts';
import type { ForwardPass, PassInput, PassOutput } from './forward-pass.ts';
import type { SequencesPass } from './sequences-pass.ts';

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

import { z } from 'zod';

/** Whether passes of several requests to a local model are faster as one pass, measured once on a machine. */
export const batchingSchema = z.object({
  weightType: z.string(),
  processor: z.string(),
  /** Inference threads. */
  threads: z.number().int().positive(),
  /** How many times as fast a pass over several sequences is as a pass over each. */
  speedUp: z.number().positive(),
  /** Whether all numbers that the passes gave were the same, bit for bit. */
  identical: z.boolean(),
});
export type Batching = z.infer<typeof batchingSchema>;

/** Whether requests are answered together: never at the price of other answers or of time. */
export function isWorthBatching({ speedUp, identical }: Batching): boolean {
  return identical && speedUp > SMALLEST_GAIN;
}

/** Less may be noise. */
const SMALLEST_GAIN = 1.05;

/** `w8a8: passes of several tasks are batched, 2.1 times as fast with 2 threads` */
export function batchingText(batching: Batching): string {
  const { weightType, threads, speedUp } = batching;
  const times = `${speedUp.toFixed(1)} times as fast with ${threads} thread${threads === 1 ? '' : 's'}`;
  return `${weightType}: passes of several tasks are ${isWorthBatching(batching) ? '' : 'not '}batched, ${times}`;
}

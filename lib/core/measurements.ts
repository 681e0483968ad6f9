import { z } from 'zod';

/** How closely a built graph predicts what the float weights predict, on a text of hefix's own. */
export const exactnessSchema = z.object({
  weightType: z.enum(['fp32', 'q8', 'q4', 'q4-128', 'w8a8']),
  /** Number of next-token predictions compared. */
  positions: z.number().int().positive(),
  /** The share of them with the same likeliest token, 0 to 1. */
  sameToken: z.number().min(0).max(1),
  /** Mean Kullback-Leibler divergence from the float weights' predictions, in nats. */
  divergence: z.number().nonnegative(),
});
export type Exactness = z.infer<typeof exactnessSchema>;

/** The largest divergence of a weight type that `auto` chooses, in nats. */
export const DIVERGENCE_LIMIT = 0.005;

/** `w8a8: same next token as fp32 in 99.2% of 512 positions, KL 0.004` */
export function exactnessText({ weightType, positions, sameToken, divergence }: Exactness): string {
  const share = `${(100 * sameToken).toFixed(1)}% of ${positions} positions`;
  return `${weightType}: same next token as fp32 in ${share}, KL ${roundedUp(divergence)}`;
}

/** Two significant digits, rounded up, so that a figure never looks below a limit that it exceeds. */
function roundedUp(value: number): string {
  if (value < 0.0001) return value === 0 ? '0' : 'below 0.0001';
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return String(Number((Math.ceil(value / step - 1e-9) * step).toPrecision(2)));
}

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

import { createHash } from 'node:crypto';

/**
 * 32 bits that depend only on the arguments (run seed, task, sample, iteration), so that neither the order of
 * tasks nor resuming a run changes the samples.
 */
export function derivedSeed(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32LE(0);
}

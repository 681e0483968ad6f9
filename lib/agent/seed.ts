import { createHash } from 'node:crypto';

/**
 * 32 bits that depend on nothing but what is given (run seed, task, sample, iteration), so that
 * neither the order of tasks nor taking up a run again changes what is drawn.
 */
export function derivedSeed(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32LE(0);
}

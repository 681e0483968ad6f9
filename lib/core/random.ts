import { createHash } from 'node:crypto';

/**
 * A seeded generator of uniform numbers in [0, 1): the same seed gives the same numbers on every system.
 * Uses sfc32 from Chris Doty-Humphrey's PractRand (128 bits of state), seeded by splitmix32 and mixed for
 * twelve rounds as PractRand does.
 */
export function seededRandom(seed: number): () => number {
  const fill = splitmix32(seed);
  let a = fill();
  let b = fill();
  let c = fill();
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** Seeds above 32 bits are supported: their upper bits are folded in. */
function splitmix32(seed: number): () => number {
  let state = (seed ^ Math.imul(Math.floor(seed / 2 ** 32), 0x9e3779b1)) | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}

/**
 * 32 bits that depend only on the arguments (run seed, task, sample, iteration), so that neither the order of
 * tasks nor resuming a run changes the samples.
 */
export function derivedSeed(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32LE(0);
}

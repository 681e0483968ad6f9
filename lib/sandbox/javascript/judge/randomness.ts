import { createRequire } from 'node:module';

/**
 * Random numbers for the tests: the same in each execution of a candidate with the same tests and seed, and unknown
 * to the candidate. `seed` has 64 hexadecimal digits. `crypto` is replaced too where the tests use it.
 */
export function installRandomness(seed: string, usesCrypto: boolean): void {
  const next = chacha20(Array.from({ length: 8 }, (_, i) => Number(`0x${seed.slice(8 * i, 8 * i + 8)}`)));
  const number = (): number => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
  Math.random = number;
  if (!usesCrypto) return;

  const fill = <T extends ArrayBufferView>(view: T, start = 0, size = view.byteLength - start): T => {
    const target = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = start; i < start + size; i++) target[i] = next();
    return view;
  };
  /** As Node does: a callback, if there is one, gets the value later. */
  const give = <T>(value: T, back: unknown): T | undefined => {
    if (typeof back !== 'function') return value;
    setImmediate(() => back(null, value));
    return undefined;
  };
  const randomInt = (...args: unknown[]): unknown => {
    const numbers = args.filter(arg => typeof arg === 'number');
    const [low, high] = numbers.length > 1 ? [numbers[0] ?? 0, numbers[1] ?? 0] : [0, numbers[0] ?? 0];
    return give(low + Math.floor(number() * (high - low)), args.at(-1));
  };
  const randomUUID = (): string => {
    const bytes = fill(Buffer.alloc(16));
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
  };
  const randomBytes = (size: number, back?: unknown): unknown => give(fill(Buffer.alloc(size)), back);
  const web = { getRandomValues: (view: ArrayBufferView) => fill(view), randomUUID };
  const module = createRequire(import.meta.url)('crypto');
  const node = {
    ...{ ...web, randomInt, randomBytes, pseudoRandomBytes: randomBytes, randomFillSync: fill },
    randomFill: (view: ArrayBufferView, ...rest: unknown[]) => give(fill(view), rest.at(-1)),
  };
  const replace = (object: object, all: object): void => {
    // Some names of the module are getters for those of `webcrypto`.
    for (const [name, value] of Object.entries(all)) Reflect.defineProperty(object, name, { value });
  };
  replace(module, node);
  replace(module.webcrypto, web);
}

/** The words of the ChaCha20 stream for a key (RFC 8439), with a zero nonce. */
function chacha20(key: readonly number[]): () => number {
  const state = Uint32Array.from([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...key, 0, 0, 0, 0]);
  const block = new Uint32Array(16);
  let used = block.length;
  const quarter = (a: number, b: number, c: number, d: number): void => {
    for (const [x, y, z, bits] of [
      [a, b, d, 16],
      [c, d, b, 12],
      [a, b, d, 8],
      [c, d, b, 7],
    ] as const) {
      block[x]! += block[y]!;
      const mixed = block[z]! ^ block[x]!;
      block[z] = (mixed << bits) | (mixed >>> (32 - bits));
    }
  };
  return () => {
    if (used === block.length) {
      block.set(state);
      for (let round = 0; round < 10; round++) {
        for (let i = 0; i < 4; i++) quarter(i, i + 4, i + 8, i + 12);
        for (let i = 0; i < 4; i++) quarter(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
      }
      for (let i = 0; i < block.length; i++) block[i]! += state[i]!;
      state[12]!++;
      used = 0;
    }
    return block[used++]!;
  };
}

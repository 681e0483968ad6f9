import pLimit from 'p-limit';

/** How many requests are in flight at once: as many as the server takes, up to a maximum. */
export interface Concurrency {
  run<T>(send: () => Promise<T>): Promise<T>;
  /** The number allowed now. */
  allowed(): number;
  /** How many requests were answered so far. */
  answered(): number;
}

/**
 * Additive increase, multiplicative decrease, as TCP does: when the server says that it has too much to do, half
 * as many requests are sent at once, and one more after each round of answers. Requests that were sent before
 * the last decrease do not decrease it again.
 * V. Jacobson, Congestion avoidance and control (1988).
 * @param isOverload whether an error means that the server has too much to do
 */
export function createConcurrency(max: number, isOverload: (error: unknown) => boolean): Concurrency {
  const limit = pLimit(max);
  /** A fraction counts towards the next request. */
  let allowed = max;
  let [answered, round] = [0, 0];
  const allow = (next: number) => {
    allowed = Math.min(max, Math.max(1, next));
    if (limit.concurrency !== Math.floor(allowed)) limit.concurrency = Math.floor(allowed);
  };
  return {
    run: send =>
      limit(async () => {
        const sentIn = round;
        try {
          const result = await send();
          answered++;
          allow(allowed + 1 / allowed);
          return result;
        } catch (error) {
          if (isOverload(error) && sentIn === round) {
            round++;
            allow(allowed / 2);
          }
          throw error;
        }
      }),
    allowed: () => Math.floor(allowed),
    answered: () => answered,
  };
}

/**
 * Holds a repair in reserve that adds a guard on which the tests do not decide, while candidates are tried that are not
 * much less likely: many guards pass such tests.
 */
export interface Reserve {
  /** Announces a candidate that is being tried; the function that it returns tells that this has ended. */
  trying(): () => void;
  /**
   * Holds the repair that is being tried. Resolves with true once enough others were tried, or none is left, and with
   * false as soon as a repair was found that the tests decide on.
   */
  hold(): Promise<boolean>;
  /** Tells that such a repair was found. */
  decide(): void;
}

/** A repair is in reserve until this many times as many candidates were tried as before it, and at least 20 more. */
const LESS_LIKELY = 3;
const MIN_MORE = 20;

export function createReserve(): Reserve {
  let tried = 0;
  let running = 0;
  let isDecided = false;
  const held = new Set<{ readonly until: number; readonly settle: (isTaken: boolean) => void }>();
  const settle = (isTaken: boolean, upTo = Number.POSITIVE_INFINITY): void => {
    for (const each of held) {
      if (each.until > upTo) continue;
      held.delete(each);
      running++;
      each.settle(isTaken);
    }
  };
  /** A worker takes its next candidate first. */
  const settleIfIdle = (): void => {
    setImmediate(() => running === 0 && settle(true));
  };
  return {
    trying() {
      running++;
      return () => {
        running--;
        tried++;
        settle(true, tried);
        settleIfIdle();
      };
    },
    async hold() {
      if (isDecided) return false;
      running--;
      settleIfIdle();
      return await new Promise(resolve => {
        held.add({ until: Math.max(tried * LESS_LIKELY, tried + MIN_MORE), settle: resolve });
      });
    },
    decide() {
      isDecided = true;
      settle(false);
    },
  };
}

/**
 * Holds back a repair that adds a guard whose condition the tests do not check, since many guards would pass them.
 * Candidates that are nearly as likely are tried first. Counts candidates in the order in which they start, so that the result
 * does not depend on which of them ends first.
 */
export interface Reserve {
  /** Announces the next candidate. */
  trying(): Turn;
}

/** A candidate that is being tried. */
export interface Turn {
  /**
   * Holds it as a repair. Resolves with true once enough others were tried, or none is left, and with false as soon as
   * one of these is a repair that the tests decide on.
   */
  hold(): Promise<boolean>;
  /** Tells that it is a repair that the tests decide on. */
  decide(): void;
  end(): void;
}

/** A repair is in reserve until this many times as many candidates were tried as before it, and at least 20 more. */
const LESS_LIKELY = 3;
const MIN_MORE = 20;

interface Held {
  /** Candidates with lower numbers are tried before it is taken. */
  readonly until: number;
  readonly settle: (isTaken: boolean) => void;
}

export function createReserve(): Reserve {
  let started = 0;
  let firstDecided = Number.POSITIVE_INFINITY;
  const running = new Set<number>();
  const held = new Set<Held>();
  const review = (isIdle = false): void => {
    const firstRunning = Math.min(started, ...running);
    for (const each of held) {
      const isBeaten = firstDecided < each.until;
      if (!isBeaten && !isIdle && firstRunning < each.until) continue;
      held.delete(each);
      each.settle(!isBeaten);
    }
  };
  /** A worker takes its next candidate first. */
  const reviewIfIdle = (): void => {
    setImmediate(() => running.size === 0 && review(true));
  };
  return {
    trying() {
      const number = started++;
      running.add(number);
      return {
        async hold() {
          running.delete(number);
          const until = Math.max((number + 1) * LESS_LIKELY, number + 1 + MIN_MORE);
          const isTaken = await new Promise<boolean>(settle => {
            held.add({ until, settle });
            review();
            reviewIfIdle();
          });
          running.add(number);
          return isTaken;
        },
        decide() {
          firstDecided = Math.min(firstDecided, number);
          review();
        },
        end() {
          running.delete(number);
          review();
          reviewIfIdle();
        },
      };
    },
  };
}

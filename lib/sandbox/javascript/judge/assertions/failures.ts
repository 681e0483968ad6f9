import { AssertionError } from 'node:assert';

/**
 * Assertions that began and did not complete. Their exception may pass through the candidate, if the tests called it
 * with a callback that asserts, but only on the way to the tests: from the call in which it was thrown. If the
 * candidate keeps it, or throws it again where the tests expect an error, the assertion has failed.
 */
export interface Failures {
  readonly recorder: {
    /** An exception that ended a statement with an assertion. */
    failed<T>(thrown: T): T;
    /** An exception that ended a function with an assertion. */
    aborted<T>(thrown: T): T;
    /** An exception that the tests throw themselves. */
    thrown<T>(thrown: T): T;
  };
  includes(thrown: unknown): boolean;
  /** A question to the candidate. Call the result with what the answer throws, if anything. */
  asked(): (outcome: { readonly thrown: unknown } | undefined) => void;
  /** A promise of the candidate. Call the result when it is rejected. */
  promised(): (reason: unknown) => void;
  /** A function of the tests, or a promise, threw into the candidate. */
  served(thrown: unknown, source: string): void;
  /** The tests caught an exception with `assert.throws` or `assert.rejects`. */
  caught(thrown: unknown, expected: unknown): void;
  /** Those that have not come back. */
  pending(): Iterable<unknown>;
}

export interface FailuresOptions {
  /** Marks functions of the tests that assert, in their source. */
  readonly marker: string;
  isTheirs(thrown: unknown): boolean;
  /** Ends the run. */
  fail(thrown: unknown): never;
}

export function createFailures({ marker, isTheirs, fail }: FailuresOptions): Failures {
  const interrupted = new Set<unknown>();
  const deliberate = new Set<unknown>();
  const frames: { readonly failures: Set<unknown>; promises: number }[] = [];
  /** When they were thrown into the candidate. */
  const servedAt = new Map<unknown, number>();
  const pending = new Set<unknown>();
  const travelled = new Set<unknown>();
  let time = 0;

  const includes = (thrown: unknown): boolean =>
    interrupted.has(thrown) || (thrown instanceof AssertionError && !isTheirs(thrown));
  const isAccident = (thrown: unknown): boolean =>
    accidents.some(type => thrown instanceof type) && !deliberate.has(thrown) && !isTheirs(thrown);
  const cameBack = (thrown: unknown): void => {
    pending.delete(thrown);
    frames.at(-1)?.failures.delete(thrown);
    travelled.add(thrown);
  };

  return {
    recorder: {
      failed(thrown) {
        interrupted.add(thrown);
        return thrown;
      },
      aborted(thrown) {
        if (isAccident(thrown)) interrupted.add(thrown);
        return thrown;
      },
      thrown(thrown) {
        deliberate.add(thrown);
        return thrown;
      },
    },
    includes,
    asked() {
      time++;
      const frame = { failures: new Set<unknown>(), promises: 0 };
      frames.push(frame);
      return outcome => {
        frames.pop();
        for (const failure of frame.failures) {
          if (outcome && Object.is(outcome.thrown, failure)) cameBack(failure);
          else if (!outcome && frame.promises > 0) pending.add(failure);
          else fail(failure);
        }
        if (outcome && includes(outcome.thrown) && !frame.failures.has(outcome.thrown)) fail(outcome.thrown);
      };
    },
    promised() {
      const born = time;
      const frame = frames.at(-1);
      if (frame) frame.promises++;
      return reason => {
        if (!servedAt.has(reason)) return;
        if (born <= (servedAt.get(reason) ?? 0)) cameBack(reason);
        else fail(reason);
      };
    },
    served(thrown, source) {
      if (source.includes(marker) && isAccident(thrown)) interrupted.add(thrown);
      if (!includes(thrown)) return;
      servedAt.set(thrown, time);
      const frame = frames.at(-1);
      if (frame) frame.failures.add(thrown);
      else pending.add(thrown);
    },
    caught(thrown, expected) {
      if (travelled.has(thrown) && !isAboutAssertions(expected)) fail(thrown);
    },
    pending: () => pending,
  };
}

/** What the language throws by itself. */
const accidents = [TypeError, RangeError, ReferenceError, SyntaxError, URIError] as const;

/** Whether tests that expect such an error mean a failed assertion. */
function isAboutAssertions(expected: unknown): boolean {
  if (typeof expected === 'function') return expected === AssertionError || /assert/i.test(String(expected));
  if (expected instanceof RegExp) return /assert/i.test(expected.source);
  if (typeof expected !== 'object' || expected === null) return false;
  return (
    Reflect.get(expected, 'code') === 'ERR_ASSERTION' || Reflect.get(expected, 'name') === 'AssertionError'
  );
}

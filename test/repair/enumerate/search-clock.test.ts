import { describe, expect, test } from 'vitest';
import { collected, createSearchClock } from '../../../lib/repair/enumerate/search-clock.ts';

/** Computes for a millisecond per step on an injected clock, and yields its progress. */
function computation() {
  let milliseconds = 0;
  function* steps() {
    for (;;) {
      milliseconds++;
      yield milliseconds;
    }
  }
  return {
    steps,
    clock: (seconds: number) =>
      createSearchClock(
        seconds,
        () => milliseconds,
        () => milliseconds * 1000,
      ),
    /** Milliseconds so far. */
    spent: () => milliseconds,
  };
}

describe('a computation that never ends', () => {
  test('lets other work run, and stops within 100 ms of an abort', async () => {
    const { steps, clock, spent } = computation();
    const controller = new AbortController();
    let abortedAt = 0;
    const abortLater = () => {
      if (spent() < 50) return setImmediate(abortLater);
      abortedAt = spent();
      controller.abort(new Error('interrupted'));
    };
    setImmediate(abortLater);
    await expect(collected(steps(), clock(3600), controller.signal)).rejects.toThrow('interrupted');
    expect(abortedAt).toBeGreaterThan(0);
    expect(spent() - abortedAt).toBeLessThanOrEqual(100);
  });

  test('returns its results so far when the time is up', async () => {
    const { steps, clock } = computation();
    const watch = clock(0.2);
    const found = await collected(steps(), watch);
    expect(watch.isUp()).toBe(true);
    expect(found.length).toBeGreaterThanOrEqual(200);
    expect(found.length).toBeLessThan(300);
  });
});

test('counts the processor time of other threads, at most the time they took', async () => {
  const takes = async (milliseconds: number, processorMilliseconds: number) => {
    let [now, processor] = [0, 0];
    const clock = createSearchClock(
      10,
      () => now,
      () => processor * 1000,
    );
    const work = async () => {
      now += milliseconds;
      processor += processorMilliseconds;
    };
    await clock.during(work);
    return clock.left();
  };
  expect(await takes(4000, 1000)).toBe(9);
  expect(await takes(4000, 7000)).toBe(6);
});

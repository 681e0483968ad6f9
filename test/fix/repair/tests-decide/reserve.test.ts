import { describe, expect, test } from 'vitest';
import { createReserve } from '../../../../lib/fix/repair/tests-decide.ts';

/** Starts and ends the trial of other candidates. */
function tryOthers(reserve: ReturnType<typeof createReserve>, count: number): void {
  for (let at = 0; at < count; at++) reserve.trying().end();
}

async function isHeld(repair: Promise<boolean>): Promise<boolean> {
  await new Promise(setImmediate);
  return (await Promise.race([repair, 'held'])) === 'held';
}

describe('a repair in reserve', () => {
  test('is taken once enough other candidates were tried', async () => {
    const reserve = createReserve();
    tryOthers(reserve, 9);
    const held = reserve.trying().hold();
    const running = reserve.trying();
    tryOthers(reserve, 19);
    expect(await isHeld(held)).toBe(true);
    running.end();
    expect(await held).toBe(true);
  });

  test('is held longer, the later it was found', async () => {
    const reserve = createReserve();
    tryOthers(reserve, 29);
    const held = reserve.trying().hold();
    const running = reserve.trying();
    tryOthers(reserve, 58);
    running.end();
    // A worker takes the next one.
    const next = reserve.trying();
    expect(await isHeld(held)).toBe(true);
    next.end();
    expect(await held).toBe(true);
  });

  test('is taken if no other candidate is left', async () => {
    const reserve = createReserve();
    expect(await reserve.trying().hold()).toBe(true);
  });

  test('gives way to a repair on which the tests decide', async () => {
    const reserve = createReserve();
    const held = reserve.trying().hold();
    const other = reserve.trying();
    other.decide();
    other.end();
    expect(await held).toBe(false);
    expect(await reserve.trying().hold()).toBe(false);
  });

  test('is the same whichever candidate ends first', async () => {
    const results: boolean[] = [];
    for (const order of [
      [1, 2, 3],
      [3, 2, 1],
      [2, 3, 1],
    ]) {
      const reserve = createReserve();
      const held = reserve.trying().hold();
      const others = Array.from({ length: 40 }, () => reserve.trying());
      // The tests decide on one that is much less likely.
      const steps = [() => others[39]?.decide(), () => others[0]?.end(), () => others[39]?.end()];
      for (const step of order) steps[step - 1]?.();
      for (const other of others.slice(1, 39)) other.end();
      results.push(await held);
    }
    expect(results).toEqual([true, true, true]);
  });
});

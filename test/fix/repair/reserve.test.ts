import { describe, expect, test } from 'vitest';
import { createReserve } from '../../../lib/fix/repair/reserve.ts';

/** Starts and ends the trial of other candidates. */
function tryOthers(reserve: ReturnType<typeof createReserve>, count: number): void {
  for (let at = 0; at < count; at++) reserve.trying()();
}

describe('a repair in reserve', () => {
  test('is taken once enough other candidates were tried', async () => {
    const reserve = createReserve();
    tryOthers(reserve, 10);
    reserve.trying();
    const running = reserve.trying();
    const held = reserve.hold();
    tryOthers(reserve, 19);
    await new Promise(setImmediate);
    expect(await Promise.race([held, 'held'])).toBe('held');
    running();
    expect(await held).toBe(true);
  });

  test('is held longer, the later it was found', async () => {
    const reserve = createReserve();
    tryOthers(reserve, 30);
    reserve.trying();
    reserve.trying();
    const held = reserve.hold();
    tryOthers(reserve, 59);
    await new Promise(setImmediate);
    expect(await Promise.race([held, 'held'])).toBe('held');
    tryOthers(reserve, 1);
    expect(await held).toBe(true);
  });

  test('is taken if no other candidate is left', async () => {
    const reserve = createReserve();
    reserve.trying();
    expect(await reserve.hold()).toBe(true);
  });

  test('gives way to a repair on which the tests decide', async () => {
    const reserve = createReserve();
    reserve.trying();
    const other = reserve.trying();
    const held = reserve.hold();
    reserve.decide();
    other();
    expect(await held).toBe(false);
    reserve.trying();
    expect(await reserve.hold()).toBe(false);
  });
});

import { expect, test } from 'vitest';
import { createRepairTime } from '../../lib/fix/repair-time.ts';

/** A clock that stands still until it is moved. */
function clockAt(start: number) {
  let time = start;
  const timers = new Set<{ readonly at: number; readonly act: () => void }>();
  return {
    now: () => time,
    startTimer(act: () => void, milliseconds: number) {
      const timer = { at: time + milliseconds, act };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    move(milliseconds: number) {
      time += milliseconds;
      for (const timer of timers)
        if (timer.at <= time) {
          timers.delete(timer);
          timer.act();
        }
    },
  };
}

function pending() {
  let resolve = (_: string): void => {};
  let reject = (_: Error): void => {};
  const promise = new Promise<string>((fulfil, fail) => {
    [resolve, reject] = [fulfil, fail];
  });
  return { promise, resolve, reject };
}

function timed(seconds: number) {
  const clock = clockAt(500);
  let ups = 0;
  const time = createRepairTime(seconds, () => ups++, clock);
  return { clock, time, ups: () => ups };
}

test('the time begins when it is started, once, and ends with the repair', () => {
  const { clock, time, ups } = timed(2);
  clock.move(5000);
  time.start();
  clock.move(1500);
  time.start();
  clock.move(499);
  expect(ups()).toBe(0);
  clock.move(1);
  expect(ups()).toBe(1);
  const other = timed(2);
  other.time.start();
  other.time.end();
  other.clock.move(3000);
  expect(other.ups()).toBe(0);
});

test('the time stands still while a model is prepared, also if that fails or was begun before', async () => {
  const { clock, time, ups } = timed(2);
  const first = pending();
  const second = pending();
  const works = [time.untimed(first.promise), time.untimed(second.promise)] as const;
  time.start();
  clock.move(60_000);
  first.resolve('a model');
  expect(await works[0]).toBe('a model');
  clock.move(60_000);
  second.reject(new Error('no model'));
  await expect(works[1]).rejects.toThrow('no model');
  clock.move(1200);
  const third = pending();
  const last = time.untimed(third.promise);
  clock.move(60_000);
  third.resolve('again');
  await last;
  clock.move(799);
  expect(ups()).toBe(0);
  clock.move(1);
  expect(ups()).toBe(1);
  await time.untimed(Promise.resolve());
  clock.move(1);
  expect(ups()).toBe(1);
});

test('a repair that has ended is not timed again', async () => {
  const { clock, time, ups } = timed(2);
  time.start();
  const model = pending();
  const work = time.untimed(model.promise);
  time.end();
  model.resolve('late');
  await work;
  clock.move(5000);
  expect(ups()).toBe(0);
});

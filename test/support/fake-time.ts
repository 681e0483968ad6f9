import { setImmediate } from 'node:timers/promises';
import type { StartTimer, Wait } from '../../lib/core/async.ts';

/** Time that passes only in waits, which are recorded in milliseconds, and when it is advanced. */
export function fakeTime() {
  const waits: number[] = [];
  const timers = new Map<() => void, number>();
  let ms = 0;
  const wait: Wait = async milliseconds => {
    waits.push(milliseconds);
    ms += milliseconds;
  };
  const startTimer: StartTimer = (act, milliseconds) => {
    // A function of its own, as the same one may be started twice.
    const due = () => act();
    timers.set(due, ms + milliseconds);
    return () => void timers.delete(due);
  };
  /** Returns how many timers were due. */
  const advance = (milliseconds: number): number => {
    ms += milliseconds;
    const due = [...timers].filter(([, at]) => at <= ms).map(([act]) => act);
    for (const act of due) if (timers.delete(act)) act();
    return due.length;
  };
  /** Advances until a timer is due, which may not be started yet. */
  const advanceToTimer = async (milliseconds: number): Promise<void> => {
    while (advance(milliseconds) === 0) await setImmediate();
  };
  return { waits, now: () => new Date(ms), wait, startTimer, advance, advanceToTimer };
}

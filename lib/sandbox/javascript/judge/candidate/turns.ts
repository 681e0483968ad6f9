import type { Answer } from '../../realm/messages.ts';
import type { Reach } from '../assertions/reach.ts';

/**
 * Keeps the candidate's side running between calls: runs its timers, and sends it news of promises that were
 * settled here. Called only from the event loop, never within a test.
 */
export interface Turns {
  answered(answer: Answer): void;
  news(): void;
}

export function createTurns(ask: (op: 'turn' | 'news') => void, reach: Reach): Turns {
  let waiting = false;
  let timers = 0;
  const schedule = (): void => {
    if (waiting) return;
    waiting = true;
    reach.outside(() =>
      setImmediate(() => {
        waiting = false;
        ask(timers > 0 ? 'turn' : 'news');
      }),
    );
  };
  return {
    answered(answer) {
      timers = answer.op === 'answer' ? (answer.timers ?? 0) : 0;
      if (timers > 0) schedule();
    },
    news: schedule,
  };
}

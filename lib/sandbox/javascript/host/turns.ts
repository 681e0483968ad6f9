import type { Answer } from '../realm/peer.ts';

/**
 * Keeps the candidate's side going between calls: runs its timers while it has any, and brings it the news of
 * promises that were settled here. Never from within a test, only from the event loop.
 */
export interface Turns {
  answered(answer: Answer): void;
  news(): void;
}

export function createTurns(ask: (op: 'turn' | 'news') => void): Turns {
  let waiting = false;
  let timers = 0;
  const schedule = (): void => {
    if (waiting) return;
    waiting = true;
    setImmediate(() => {
      waiting = false;
      ask(timers > 0 ? 'turn' : 'news');
    });
  };
  return {
    answered(answer) {
      timers = answer.op === 'answer' ? (answer.timers ?? 0) : 0;
      if (timers > 0) schedule();
    },
    news: schedule,
  };
}

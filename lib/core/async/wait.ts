import { setTimeout as pause } from 'node:timers/promises';

/** Waits so many milliseconds; rejects with the signal's reason if aborted. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;

export const wait: Wait = async (milliseconds, signal) => {
  signal?.throwIfAborted();
  try {
    await pause(milliseconds, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.reason ?? error;
  }
};

/** Calls `act` after so many milliseconds, unless the returned function is called before. */
export type StartTimer = (act: () => void, milliseconds: number) => () => void;

export const startTimer: StartTimer = (act, milliseconds) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

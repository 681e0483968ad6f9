import { setTimeout } from 'node:timers/promises';

/** Waits so many milliseconds; rejects with the signal's reason if aborted. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;

export const wait: Wait = async (milliseconds, signal) => {
  signal?.throwIfAborted();
  try {
    await setTimeout(milliseconds, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.reason ?? error;
  }
};

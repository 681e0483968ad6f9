import { setTimeout as pause, setImmediate } from 'node:timers/promises';

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

/** Lets other work run, such as Ctrl-C, between two steps of a long computation; rejects with the signal's reason. */
export async function takeTurns(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

/** Calls `act` after so many milliseconds, unless the returned function is called before. */
export type StartTimer = (act: () => void, milliseconds: number) => () => void;

export const startTimer: StartTimer = (act, milliseconds) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

/**
 * Repeats an attempt until it resolves with other than null, with pauses from 0.2 to 10 seconds. Rejects with what an
 * attempt throws, or with the signal's reason.
 */
export async function keepTrying<Result>(
  attempt: () => Promise<{ readonly result: Result } | null>,
  signal: AbortSignal,
): Promise<Result> {
  for (let pause = 200; ; pause = Math.min(2 * pause, 10_000)) {
    signal.throwIfAborted();
    const ended = await attempt();
    if (ended !== null) return ended.result;
    await wait(pause, signal);
  }
}

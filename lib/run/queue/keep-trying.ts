import { wait } from '../../core/async/wait.ts';

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

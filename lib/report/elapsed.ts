import { sumOf } from '../core/numbers.ts';

/** Start and end of a session, ISO 8601; the end of a killed session is null. */
interface Session {
  readonly started: string;
  readonly ended: string | null;
}

/** Wall-clock seconds of all sessions of a run, excluding killed ones; null if there is no other. */
export function elapsedIn(sessions: readonly Session[]): number | null {
  const whole = sessions.flatMap(({ started, ended }) =>
    ended === null ? [] : [(Date.parse(ended) - Date.parse(started)) / 1000],
  );
  return whole.length === 0 ? null : sumOf(whole, seconds => seconds);
}

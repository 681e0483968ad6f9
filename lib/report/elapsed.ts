/** Start and end of a session, ISO 8601; the end of one that was killed is null. */
interface Session {
  readonly started: string;
  readonly ended: string | null;
}

/** Seconds by the clock in all sessions of a run, without those that were killed; null if there is no other. */
export function elapsedIn(sessions: readonly Session[]): number | null {
  const whole = sessions.flatMap(({ started, ended }) =>
    ended === null ? [] : [(Date.parse(ended) - Date.parse(started)) / 1000],
  );
  return whole.length === 0 ? null : whole.reduce((sum, seconds) => sum + seconds, 0);
}

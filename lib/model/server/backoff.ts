/** Half a second, doubled with each failure up to `longestMs`, with up to 50% jitter. */
export function backoffMs(failures: number, random: () => number, longestMs = 30_000): number {
  const whole = Math.min(FIRST_MS * 2 ** (failures - 1), longestMs);
  return whole * (1 - random() / 2);
}

const FIRST_MS = 500;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The wait that the server requests, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as an
 * HTTP date (RFC 9110, 10.2.3). Null if it is missing or invalid.
 */
export function retryAfterMs(headers: Headers, now: Date): number | null {
  const exact = Number(first(headers['retry-after-ms']));
  if (exact > 0) return exact;
  const after = first(headers['retry-after'])?.trim();
  if (after === undefined || after === '') return null;
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

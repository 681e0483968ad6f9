/** Half a second, doubled with each failure up to `longestMs`; jitter takes up to half of it away. */
export function backoffMs(failures: number, random: () => number, longestMs = 30_000): number {
  const whole = Math.min(FIRST_MS * 2 ** (failures - 1), longestMs);
  return whole * (1 - random() / 2);
}

const FIRST_MS = 500;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * How long the server asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as
 * an HTTP date (RFC 9110, 10.2.3). Null if it does not say, or nothing that can be read.
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

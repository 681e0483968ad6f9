/**
 * Python's strftime for the codes that chat templates use, in UTC and English; other codes are left
 * unchanged.
 */
export function strftime(date: Date, format: string): string {
  return format.replace(/%([a-zA-Z%])/g, (written, code: string) => codes[code]?.(date) ?? written);
}

const codes: Readonly<Record<string, (date: Date) => string>> = {
  Y: date => String(date.getUTCFullYear()),
  y: date => twoDigits(date.getUTCFullYear() % 100),
  m: date => twoDigits(date.getUTCMonth() + 1),
  d: date => twoDigits(date.getUTCDate()),
  H: date => twoDigits(date.getUTCHours()),
  M: date => twoDigits(date.getUTCMinutes()),
  S: date => twoDigits(date.getUTCSeconds()),
  B: date => named(date, { month: 'long' }),
  b: date => named(date, { month: 'short' }),
  A: date => named(date, { weekday: 'long' }),
  a: date => named(date, { weekday: 'short' }),
  '%': () => '%',
};

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function named(date: Date, part: Intl.DateTimeFormatOptions): string {
  return date.toLocaleDateString('en-US', { ...part, timeZone: 'UTC' });
}

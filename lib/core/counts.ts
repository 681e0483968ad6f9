import type { AssertionCounts } from './verdict.ts';

/** `2 of 7 assertions pass` */
export function countsText({ passed, failed, partial, unit }: AssertionCounts): string {
  return `${passed} of ${passed + failed}${partial ? ' reached' : ''} ${unit ?? 'assertions'} pass`;
}

interface Counts {
  /** Inputs that both were called with. */
  readonly tried: number;
  readonly different: number;
}

/** Whether the candidate behaves like the reference; null if they could not be compared. */
export function behavesLikeReference({ tried, different }: Counts): boolean | null {
  return tried === 0 ? null : different === 0;
}

/** Whether it differs on most inputs, as a program does that special-cases the inputs of the tests. */
export function differsOnMost({ tried, different }: Counts): boolean {
  return different > tried / 2;
}

import type { AssertionCounts } from './verdict.ts';

/** `2 of 7 assertions pass` */
export function countsText({ passed, failed, partial, unit }: AssertionCounts): string {
  return `${passed} of ${passed + failed}${partial ? ' reached' : ''} ${unit ?? 'assertions'} pass`;
}

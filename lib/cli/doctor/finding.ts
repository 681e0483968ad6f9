import { createColors } from 'picocolors';
import { HefixError } from '../../core/errors.ts';
import { printable } from '../../core/text.ts';

/** Something that hefix can use, and whether this system has it. */
export interface Finding {
  /** Display name: `bubblewrap`. */
  readonly name: string;
  /** `missing`: hefix works without it, possibly with less. `unusable`: hefix cannot work at all. */
  readonly state: 'good' | 'missing' | 'unusable';
  /** What was found, or why it is not available: `0.8.0 at /usr/bin/bwrap`. */
  readonly detail: string;
  /** How to get it; null if there is nothing to do. */
  readonly advice: string | null;
}

export function good(name: string, detail: string): Finding {
  return { name, state: 'good', detail, advice: null };
}

export function missing(name: string, detail: string, advice: string): Finding {
  return { name, state: 'missing', detail, advice };
}

export function unusable(name: string, detail: string, advice: string): Finding {
  return { name, state: 'unusable', detail, advice };
}

/** A text table with a line for each finding and each piece of advice. */
export function formatFindings(findings: readonly Finding[], colours: boolean): string {
  const paint = createColors(colours);
  const marks = { good: paint.green('✓'), missing: paint.yellow('–'), unusable: paint.red('✗') };
  const width = Math.max(...findings.map(({ name }) => name.length));
  const indent = ' '.repeat(width + 4);
  return findings
    .flatMap(({ name, state, detail, advice }) => [
      `${marks[state]} ${name.padEnd(width)}  ${printable(detail)}`,
      ...(advice === null ? [] : advice.split('\n').map(line => `${indent}${paint.dim(line)}`)),
    ])
    .join('\n');
}

/** An unexpected error is a finding too. */
export function toHefixError(error: unknown): HefixError {
  return error instanceof HefixError
    ? error
    : new HefixError('UNKNOWN', String(error), 'Look at --debug.', error);
}

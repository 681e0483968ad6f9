import { createColors } from 'picocolors';
import { printable } from '../core/printable.ts';
import type { Finding } from './finding.ts';

/** A text table with a line for each finding and each piece of advice. */
export function formatFindings(findings: readonly Finding[], colours: boolean): string {
  const paint = createColors(colours);
  const marks = { good: paint.green('✓'), missing: paint.yellow('–'), broken: paint.red('✗') };
  const width = Math.max(...findings.map(({ name }) => name.length));
  const indent = ' '.repeat(width + 4);
  return findings
    .flatMap(({ name, state, detail, advice }) => [
      `${marks[state]} ${name.padEnd(width)}  ${printable(detail)}`,
      ...(advice === null ? [] : advice.split('\n').map(line => `${indent}${paint.dim(line)}`)),
    ])
    .join('\n');
}

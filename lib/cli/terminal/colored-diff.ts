import { printable } from '../../core/printable.ts';
import type { Terminal } from './terminal.ts';

/** A unified diff in git's colours. */
export function coloredDiff(diff: string, colors: Terminal['colors']): string {
  return diff
    .split('\n')
    .map(line => {
      const shown = printable(line.replace(/\r$/, ''));
      if (/^(?:diff|---|\+\+\+) /.test(line)) return colors.bold(shown);
      if (line.startsWith('@@')) return colors.cyan(shown);
      if (line.startsWith('+')) return colors.green(shown);
      return line.startsWith('-') ? colors.red(shown) : shown;
    })
    .join('\n');
}

import type { ProgressBar } from './progress-bar.ts';
import type { Terminal } from './terminal.ts';

/**
 * Shows how far a count is: redrawn on a terminal; elsewhere one line for each tenth of the work.
 * `share` is the part that is done, from 0 to 1.
 */
export function createCounter(terminal: Terminal, bar: ProgressBar): (line: string, share: number) => void {
  let tenths = 0;
  return (line, share) => {
    if (terminal.width() !== null) return bar.draw(line);
    const reached = Math.floor(10 * share);
    if (reached > tenths) terminal.write(`${line}\n`);
    tenths = Math.max(tenths, reached);
  };
}

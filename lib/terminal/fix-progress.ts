import { printable } from '../core/printable.ts';
import type { FixEvent, FixReport } from '../fix/report.ts';
import { plural } from '../report/numbers.ts';
import { suspectLines } from './fix-text.ts';
import { createProgressBar, type ProgressBar } from './progress-bar.ts';
import type { Terminal } from './terminal.ts';

export interface FixProgress {
  onEvent(event: FixEvent): void;
  readonly bar: ProgressBar;
  clear(): void;
}

/**
 * Reports the failing tests and the suspects and, on a terminal, counts the candidates; if verbose, also each step when
 * it ends. @param now milliseconds
 */
export function createFixProgress(
  terminal: Terminal,
  { quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean },
  now: () => number = () => performance.now(),
): FixProgress {
  let [step, started, tried] = ['', 0, 0];

  const bar = createProgressBar(terminal);
  const { colors } = terminal;
  const tell = (text: string): void => {
    if (!quiet) bar.above(`${text}\n`);
  };
  const draw = (text: string): void => {
    if (!quiet && terminal.width() !== null) bar.draw(printable(text));
  };
  return {
    bar,
    clear: bar.clear,
    onEvent(event) {
      switch (event.kind) {
        case 'state':
          if (verbose && step !== '')
            tell(colors.dim(`${step}${triedText(tried)}  ${((now() - started) / 1000).toFixed(2)} s`));
          [step, started, tried] = [`${event.state} ${event.about}`.trim(), now(), 0];
          break;
        case 'preparing':
          draw(`${event.what}…`);
          break;
        case 'tests': {
          const { passed, failed } = event.before;
          tell(`${failed} of ${passed + failed} tests fail`);
          for (const { id, message } of event.failing.slice(0, MAX_TESTS))
            tell(
              `  ${colors.red('✗')} ${printable(id)}  ${colors.dim(printable(message.split('\n')[0] ?? ''))}`,
            );
          if (event.failing.length > MAX_TESTS) tell(`  and ${event.failing.length - MAX_TESTS} more`);
          break;
        }
        case 'suspects':
          for (const line of suspectLines(event.suspects.slice(0, MAX_SUSPECTS))) tell(printable(line));
          break;
        case 'tried':
          tried++;
          draw(`${event.function}: ${plural(event.tried, 'candidate')} tried${bestSoFar(event.best)}`);
          break;
        case 'repaired':
          tell(`${colors.green('✓')} ${printable(event.repair.function)} in ${printable(event.repair.file)}`);
      }
    },
  };
}

function triedText(tried: number): string {
  return tried === 0 ? '' : `, ${plural(tried, 'candidate')}`;
}

const MAX_TESTS = 5;
const MAX_SUSPECTS = 3;

function bestSoFar(best: FixReport['best']): string {
  if (!best || best.passed === 0) return '';
  return `, the best passes ${best.passed} of ${best.of} failing tests`;
}

import { type StartTimer, startTimer } from '../../core/async.ts';
import { printable, printableLines } from '../../core/text.ts';
import { type FixEvent, type FixReport, titleOf } from '../../fix/report.ts';
import { plural } from '../../report/numbers.ts';
import { suspectLines } from './fix-text.ts';
import { createProgressBar, duration, type ProgressBar } from './progress-bar.ts';
import type { Terminal } from './terminal.ts';

export interface FixProgress {
  onEvent(event: FixEvent): void;
  readonly bar: ProgressBar;
  clear(): void;
}

/** Time between two lines in a pipe, and between two updates of the line on a terminal. */
const LINE_MS = 5_000;
const REDRAW_MS = 1_000;

/**
 * Reports the failing tests and the suspects, and what is done now: on a terminal in a line that is redrawn, in a pipe
 * in a line every few seconds. If verbose, also each step when it ends.
 */
export function createFixProgress(
  terminal: Terminal,
  { quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean },
  clock: { readonly now: () => number; readonly startTimer: StartTimer } = {
    now: () => performance.now(),
    startTimer,
  },
): FixProgress {
  const { now } = clock;
  const begun = now();
  let [step, started, tried] = ['', begun, 0];
  let doing = '';
  let bestText = '';

  const bar = createProgressBar(terminal);
  const { colors } = terminal;
  const isTerminal = terminal.width() !== null;
  const tell = (text: string): void => {
    if (!quiet) bar.writeAbove(`${text}\n`);
  };
  const line = (): string => printable(`${duration((now() - begun) / 1000)}  ${doing}${bestText}`);
  const show = (text: string): void => {
    doing = text;
    if (!quiet && isTerminal) bar.draw(line());
  };
  let stopTimer = () => {};
  const repeat = (): void => {
    stopTimer = clock.startTimer(
      () => {
        if (doing !== '') isTerminal ? bar.draw(line()) : tell(line());
        repeat();
      },
      isTerminal ? REDRAW_MS : LINE_MS,
    );
  };
  if (!quiet) repeat();
  return {
    bar,
    clear() {
      stopTimer();
      bar.clear();
    },
    onEvent(event) {
      switch (event.kind) {
        case 'state':
          if (verbose && step !== '')
            tell(colors.dim(`${step}${triedText(tried)}  ${((now() - started) / 1000).toFixed(2)} s`));
          [step, started, tried] = [`${event.state} ${event.about}`.trim(), now(), 0];
          bestText = '';
          if (states[event.state] !== undefined) show(`${about(event.about)}${states[event.state]}`);
          break;
        case 'preparing':
          show(event.what);
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
          for (const each of suspectLines(event.suspects.slice(0, MAX_SUSPECTS))) tell(printable(each));
          break;
        case 'step':
          if (steps[event.step] !== undefined) show(`${about(event.function)}${steps[event.step]}`);
          break;
        case 'tried': {
          tried++;
          bestText = bestSoFar(event.best);
          show(`${about(event.function)}${plural(event.tried, 'candidate')} tried${leftText(event.left)}`);
          break;
        }
        case 'prompt':
          if (verbose) tell(colors.dim(`request ${event.request}\n${printableLines(event.text)}`));
          break;
        case 'answer':
          if (verbose) tell(colors.dim(`answer\n${printableLines(event.text)}`));
          break;
        case 'call':
          if (verbose) tell(colors.dim(`the model calls ${printable(`${event.name} ${event.arguments}`)}`));
          break;
        case 'repaired':
          tell(`${colors.green('✓')} ${printable(titleOf(event.repair))} in ${printable(event.repair.file)}`);
      }
    },
  };
}

/** What a state does while it lasts. */
const states: Readonly<Record<string, string>> = {
  repeat: 'running the failing tests again',
  locate: 'ranking the suspects',
  search: 'searching',
  wait: 'waiting for the model',
  confirm: 'running all tests with the repair',
  judge: 'judging the repair with two processes',
};

/** The same for the machines that search in a function, and that converse with a model. */
const steps: Readonly<Record<string, string>> = {
  enumerate: 'listing edits',
  screen: 'trying candidates',
  draft: 'waiting for the model',
  reflect: 'waiting for the model, which sees what failed',
  repeat: 'waiting for the model, which has repeated itself',
  syntax: 'waiting for the model, whose edits could not be applied',
  try: "running the tests with the model's edits",
  reduce: 'taking out what is not needed',
  combine: 'pairing edits',
};

function about(name: string): string {
  return name === '' ? '' : `${name}: `;
}

function triedText(tried: number): string {
  return tried === 0 ? '' : `, ${plural(tried, 'candidate')}`;
}

/** A model that is slower than the tests answers after all candidates were tried. */
function leftText(left: number | null): string {
  if (left === null) return '';
  return left === 0 ? ', waiting for the model' : `, ${left} left`;
}

const MAX_TESTS = 5;
const MAX_SUSPECTS = 3;

function bestSoFar(best: FixReport['best']): string {
  if (!best || best.passed === 0) return '';
  return `, the best passes ${best.passed} of ${best.of} failing tests`;
}

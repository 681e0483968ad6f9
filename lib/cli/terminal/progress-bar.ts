import { exactnessText } from '../../core/measurements.ts';
import { printable } from '../../core/text.ts';
import type { TransferProgress } from '../../files/hub/transfer-progress.ts';
import type { Preparation } from '../../run/run-events.ts';
import type { Terminal } from './terminal.ts';

/** A line at the bottom of a terminal that is redrawn in place; other lines scroll by above it. */
export interface ProgressBar {
  draw(line: string): void;
  /** Writes whole lines above the bar. */
  writeAbove(text: string): void;
  clear(): void;
}

/** The package log-update would add a dozen packages for this. */
export function createProgressBar(terminal: Terminal): ProgressBar {
  let drawn = 0;
  const clear = () => {
    if (drawn === 0) return;
    // A terminal that became narrower has wrapped the line over several rows.
    const rows = Math.ceil(drawn / columns(terminal));
    terminal.write(`${rows > 1 ? `\u001b[${rows - 1}A` : ''}\r\u001b[J`);
    drawn = 0;
  };
  return {
    clear,
    draw(line) {
      clear();
      // The last column stays empty: some terminals wrap as soon as it is filled.
      const shown = line.slice(0, columns(terminal) - 1);
      terminal.write(shown);
      drawn = shown.length;
    },
    writeAbove(text) {
      clear();
      terminal.write(text);
    },
  };
}

export interface BarState {
  readonly done: number;
  readonly total: number;
  readonly solved: number;
  readonly judged: number;
  readonly tokensPerSecond: number | null;
  readonly secondsLeft: number | null;
  /** The current task and the agent's state. */
  readonly current: string;
}

/** As much as fits, most important part first; plain text of at most `width` characters. */
export function barLine(state: BarState, width: number): string {
  const rate = state.judged === 0 ? '' : `, ${Math.round((100 * state.solved) / state.judged)}%`;
  const parts = [
    { rank: 3, text: shareBar(state.done / Math.max(1, state.total), 20) },
    { rank: 0, text: `${state.done}/${state.total}` },
    { rank: 1, text: `solved ${state.solved}${rate}` },
    { rank: 4, text: state.tokensPerSecond === null ? '' : `${state.tokensPerSecond.toFixed(1)} tokens/s` },
    { rank: 2, text: state.secondsLeft === null ? '' : `${duration(state.secondsLeft)} left` },
    { rank: 5, text: state.current },
  ].filter(part => part.text !== '');
  for (let maxRank = 5; maxRank > 0; maxRank--) {
    const line = parts
      .filter(part => part.rank <= maxRank)
      .map(part => part.text)
      .join('  ');
    if (line.length <= width) return line;
  }
  return `${state.done}/${state.total}`.slice(0, Math.max(0, width));
}

/** `0:05`, `12:30`, `3:04:05`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** `███░░░` */
export function shareBar(share: number, length: number): string {
  const filled = Math.round(share * length);
  return '█'.repeat(filled) + '░'.repeat(length - filled);
}

function columns(terminal: Terminal): number {
  return terminal.width() ?? 80;
}

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

/** Prints a sentence when a preparation starts and, on a terminal, shows a bar until it ends. */
export function createPreparationDisplay(terminal: Terminal, bar: ProgressBar): (step: Preparation) => void {
  let last = '';
  return step => {
    const sentence = beginning(step);
    if (sentence !== last) bar.writeAbove(`${printable(sentence)}\n`);
    last = sentence;
    const width = terminal.width();
    if (width === null || isEnd(step)) return;
    if (share(step) === 1) bar.clear();
    else bar.draw(printable(preparationLine(step, width - 1)));
  };
}

/** A preparation that goes on for a while. */
type LongPreparation = Extract<Preparation, { readonly progress: unknown }>;

function isEnd(step: Preparation): step is Exclude<Preparation, LongPreparation> {
  return step.kind === 'built' || step.kind === 'refused';
}

function beginning(step: Preparation): string {
  const { name } = step;
  switch (step.kind) {
    case 'fetching':
      return `Fetching ${name}: ${mebibytes(step.progress.totalBytes)} MiB, once.`;
    case 'building':
      return `Building a graph for ${name} in ${step.progress.weightType}, once: ${buildSteps[step.progress.step]}.`;
    case 'built':
      return `Built ${name} in ${exactnessText(step.exactness)}.`;
    case 'refused':
      return `Not close enough to the float weights, so another type is built: ${exactnessText(step.exactness)}.`;
  }
}

type BuildStep = Extract<Preparation, { readonly kind: 'building' }>['progress']['step'];

const buildSteps: Readonly<Record<BuildStep, string>> = {
  reading: 'reading its texts',
  rounding: 'choosing how its weights are rounded',
  writing: 'writing its weights',
  comparing: 'comparing it with the float weights',
};

/** As much as fits, most important part first; plain text of at most `width` characters. */
export function preparationLine(step: LongPreparation, width: number): string {
  const { secondsLeft } = step.progress;
  const parts = [
    shareBar(share(step), 20),
    `${Math.floor(100 * share(step))}%`,
    ...(step.kind === 'fetching' ? amounts(step.progress) : []),
    secondsLeft === null ? '' : `${duration(secondsLeft)} left`,
    step.kind === 'fetching' ? step.progress.file : '',
  ].filter(part => part !== '');
  while (parts.length > 1 && parts.join('  ').length > width) parts.pop();
  return parts.join('  ').slice(0, Math.max(0, width));
}

function amounts({ doneBytes, totalBytes, bytesPerSecond }: TransferProgress): string[] {
  const speed = bytesPerSecond === null ? '' : `${(bytesPerSecond / 2 ** 20).toFixed(1)} MiB/s`;
  return [`${mebibytes(doneBytes)} of ${mebibytes(totalBytes)} MiB`, speed];
}

function share({ kind, progress }: LongPreparation): number {
  const [done, total] =
    kind === 'fetching'
      ? [progress.doneBytes, progress.totalBytes]
      : [progress.doneWeights, progress.totalWeights];
  return total === 0 ? 1 : done / total;
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}

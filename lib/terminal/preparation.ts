import { printable } from '../core/printable.ts';
import type { TransferProgress } from '../hub/transfer-progress.ts';
import type { Preparation } from '../run/run-events.ts';
import { duration, type ProgressBar, shareBar } from './progress-bar.ts';
import type { Terminal } from './terminal.ts';

/** Prints a sentence when a preparation starts and, on a terminal, shows a bar until it ends. */
export function createPreparationDisplay(terminal: Terminal, bar: ProgressBar): (step: Preparation) => void {
  let last = '';
  return step => {
    const sentence = beginning(step);
    if (sentence !== last) bar.writeAbove(`${printable(sentence)}\n`);
    last = sentence;
    const width = terminal.width();
    if (width === null) return;
    if (share(step) === 1) bar.clear();
    else bar.draw(printable(preparationLine(step, width - 1)));
  };
}

function beginning({ kind, name, progress }: Preparation): string {
  return kind === 'fetching'
    ? `Fetching ${name}: ${mebibytes(progress.totalBytes)} MiB, once.`
    : `Building a graph for ${name}, once.`;
}

/** As much as fits, most important part first; plain text of at most `width` characters. */
export function preparationLine(step: Preparation, width: number): string {
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

function share({ kind, progress }: Preparation): number {
  const [done, total] =
    kind === 'fetching'
      ? [progress.doneBytes, progress.totalBytes]
      : [progress.doneWeights, progress.totalWeights];
  return total === 0 ? 1 : done / total;
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}

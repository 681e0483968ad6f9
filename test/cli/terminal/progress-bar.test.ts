import pc from 'picocolors';
import { expect, test } from 'vitest';
import { createCounter, createProgressBar } from '../../../lib/cli/terminal/progress-bar.ts';

function linesOf(width: number | null): string[] {
  const written: string[] = [];
  const terminal = {
    write: (text: string) => void written.push(text),
    width: () => width,
    colors: pc.createColors(false),
  };
  const count = createCounter(terminal, createProgressBar(terminal));
  for (let done = 1; done <= 40; done++) count(`${done}/40`, done / 40);
  return written;
}

test('a pipe gets one line for each tenth of the work', () => {
  expect(linesOf(null)).toEqual(Array.from({ length: 10 }, (_, index) => `${4 * (index + 1)}/40\n`));
});

test('a terminal shows every count', () => {
  expect(linesOf(80).filter(text => text.endsWith('/40'))).toHaveLength(40);
});

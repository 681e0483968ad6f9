import pc from 'picocolors';
import { expect, test } from 'vitest';
import type { FixReport } from '../../lib/fix/report.ts';
import { createFixProgress } from '../../lib/terminal/fix-progress.ts';
import { fixText } from '../../lib/terminal/fix-text.ts';

const colors = pc.createColors(true);
const counts = { passed: 1, failed: 1, skipped: 0 };
const report: FixReport = {
  outcome: 'nothing-to-repair',
  project: '/p',
  runner: 'pytest',
  isolation: 'bubblewrap',
  judge: null,
  before: counts,
  after: counts,
  flaky: [],
  failing: [],
  suspects: [],
  repairs: [],
  tried: 0,
  best: null,
  timeUp: false,
  seconds: 1,
  notes: ['A note with \u001b[2J in it.'],
  changes: [],
};

test('the result of a repair has colours of its own and none from notes', () => {
  expect(fixText(report, colors, '')).toBe(
    `${colors.green('Nothing to repair: 1 test passes')}\nA note with \\x1b[2J in it.\n`,
  );
});

test('failing tests are shown in colours, their names and messages without control characters', () => {
  const written: string[] = [];
  const terminal = { write: (text: string) => written.push(text), width: () => null, colors };
  createFixProgress(terminal, { quiet: false, verbose: false }).onEvent({
    kind: 'tests',
    before: counts,
    failing: [{ id: 'test_\u0007a', message: 'expected 2\nand more' }],
  });
  expect(written.join('')).toBe(
    `1 of 2 tests fail\n  ${colors.red('✗')} test_\\x07a  ${colors.dim('expected 2')}\n`,
  );
});

import pc from 'picocolors';
import { expect, test } from 'vitest';
import {
  createPreparationDisplay,
  createProgressBar,
  preparationLine,
} from '../../../lib/cli/terminal/progress-bar.ts';
import type { BuildStep } from '../../../lib/model/build/build-model.ts';
import type { Preparation } from '../../../lib/run/run-events.ts';

const MIB = 2 ** 20;

function fetching(doneBytes: number) {
  const progress = {
    file: 'model.safetensors',
    doneBytes,
    totalBytes: 942 * MIB,
    bytesPerSecond: 23.44 * MIB,
    secondsLeft: 22.4,
  };
  return { kind: 'fetching', name: 'org/model', progress } as const;
}

function building(doneWeights: number, secondsLeft: number | null, step: BuildStep = 'writing') {
  const progress = { step, weightType: 'w8a8', doneWeights, totalWeights: 1000, secondsLeft } as const;
  return { kind: 'building', name: 'org/model', progress } as const;
}

function recording(width: number | null) {
  const written: string[] = [];
  const colors = pc.createColors(false);
  const terminal = { write: (text: string) => written.push(text), width: () => width, colors };
  return { written, show: createPreparationDisplay(terminal, createProgressBar(terminal)) };
}

test('a download’s bar has its share, amount, speed, time left and file', () => {
  expect(preparationLine(fetching(412.3 * MIB), 120)).toBe(
    '█████████░░░░░░░░░░░  43%  413 of 942 MiB  23.4 MiB/s  0:22 left  model.safetensors',
  );
});

test('a build’s bar has its share and, once known, the time left', () => {
  expect(preparationLine(building(250, null), 120)).toBe('█████░░░░░░░░░░░░░░░  25%');
  expect(preparationLine(building(999, 1.2), 120)).toBe('████████████████████  99%  0:01 left');
});

test('a narrow terminal shows as much as fits', () => {
  for (let width = 0; width < 120; width++) {
    expect(preparationLine(fetching(412.3 * MIB), width).length).toBeLessThanOrEqual(width);
  }
  expect(preparationLine(fetching(412.3 * MIB), 45)).toBe('█████████░░░░░░░░░░░  43%  413 of 942 MiB');
});

test('a pipe gets one line as each step begins', () => {
  const { written, show } = recording(null);
  const exactness = { weightType: 'w8a8', positions: 512, sameToken: 0.9, divergence: 0.02 } as const;
  const steps: Preparation[] = [
    fetching(0),
    fetching(942 * MIB),
    building(1, null, 'rounding'),
    building(1, null),
    building(1000, 0),
    building(500, null, 'comparing'),
    { kind: 'refused', name: 'org/model', exactness },
    { kind: 'built', name: 'org/model', exactness: { ...exactness, weightType: 'q8', divergence: 0.001 } },
  ];
  steps.forEach(show);
  expect(written).toEqual([
    'Fetching org/model: 942 MiB, once.\n',
    'Building a graph for org/model in w8a8, once: choosing how its weights are rounded.\n',
    'Building a graph for org/model in w8a8, once: writing its weights.\n',
    'Building a graph for org/model in w8a8, once: comparing it with the float weights.\n',
    'Not close enough to the float weights, so another type is built: w8a8: same next token as fp32 in 90.0% of 512 positions, KL 0.02.\n',
    'Built org/model in q8: same next token as fp32 in 90.0% of 512 positions, KL 0.001.\n',
  ]);
});

test('a terminal shows the bar until everything is ready', () => {
  const { written, show } = recording(80);
  show(fetching(MIB));
  expect(written.at(-1)).toContain('1 of 942 MiB');
  show(fetching(942 * MIB));
  expect(written.at(-1)).toBe('\r\u001b[J');
});

test('a model’s name cannot control the terminal', () => {
  const { written, show } = recording(null);
  show({ ...fetching(0), name: 'org/\u001b[2Jmodel' });
  expect(written.join('')).not.toContain('\u001b');
});

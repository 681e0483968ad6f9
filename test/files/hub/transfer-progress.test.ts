import { expect, test } from 'vitest';
import { type TransferProgress, transferProgress } from '../../../lib/files/hub/transfer-progress.ts';

test('computes speed and time left from the last seconds', () => {
  let now = 0;
  const seen: TransferProgress[] = [];
  const update = transferProgress(
    10_000,
    progress => seen.push(progress),
    () => now,
  );
  for (let second = 0; second <= 4; second++) {
    now = second * 1000;
    update('a', 2000 + second * 500);
  }
  expect(seen.at(0)).toMatchObject({ doneBytes: 2000, bytesPerSecond: null, secondsLeft: null });
  expect(seen.at(-1)).toEqual({
    file: 'a',
    doneBytes: 4000,
    totalBytes: 10_000,
    bytesPerSecond: 500,
    secondsLeft: 12,
  });
});

test('shows within seconds that a connection has slowed down', () => {
  let now = 0;
  const seen: TransferProgress[] = [];
  const update = transferProgress(
    1e9,
    progress => seen.push(progress),
    () => now,
  );
  for (let second = 0; second <= 60; second++) {
    now = second * 1000;
    update('a', second <= 50 ? second * 1e6 : 50e6 + (second - 50) * 1e3);
  }
  expect(seen.at(-1)?.bytesPerSecond).toBeCloseTo(1e3);
});

test('does not count bytes that were present towards the speed', () => {
  let now = 0;
  const seen: TransferProgress[] = [];
  const update = transferProgress(
    1e9,
    progress => seen.push(progress),
    () => now,
  );
  update('a', 0);
  now = 2000;
  update('b', 500e6);
  now = 4000;
  update('b', 500e6 + 2000);
  expect(seen.at(-1)?.bytesPerSecond).toBe(1000);
});

test('reports at most ten times a second, and always the last chunk', () => {
  let now = 0;
  let reports = 0;
  const update = transferProgress(
    1000,
    () => reports++,
    () => now,
  );
  for (let bytes = 1; bytes <= 1000; bytes++) {
    now = bytes;
    update('a', bytes);
  }
  expect(reports).toBeGreaterThanOrEqual(10);
  expect(reports).toBeLessThanOrEqual(12);
});

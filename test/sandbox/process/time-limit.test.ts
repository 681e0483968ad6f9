import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { pidBelow, processorWait, timeLimit } from '../../../lib/sandbox/process/started-process.ts';
import { linux, needs } from '../../support/needs.ts';

const { signal } = new AbortController();

test('is granted again while the processes waited for a processor', async () => {
  const asked: number[] = [];
  const waits = [70, 100, 100];
  await timeLimit(
    60,
    () => {
      asked.push(asked.length);
      return waits[asked.length - 1] ?? 0;
    },
    signal,
  );
  // 70 ms more, then 30 ms more, then nothing new.
  expect(asked).toHaveLength(3);
});

test('is requested once if the processes never waited', async () => {
  let asked = 0;
  await timeLimit(
    30,
    () => {
      asked += 1;
      return 0;
    },
    signal,
  );
  expect(asked).toBe(1);
});

test('ends even if the processes always wait', async () => {
  let wait = 0;
  await timeLimit(
    30,
    () => {
      wait += 1000;
      return wait;
    },
    signal,
  );
  expect(wait).toBeLessThan(20_000);
});

test('rejects when aborted', async () => {
  const over = new AbortController();
  const limit = timeLimit(60_000, () => 0, over.signal);
  over.abort();
  await expect(limit).rejects.toThrow('aborted');
});

test('a missing process has not waited', () => {
  expect(processorWait(undefined)).toBe(0);
  expect(processorWait(2 ** 30)).toBe(0);
  expect(processorWait(process.pid)).toBeGreaterThanOrEqual(0);
});

test('finds a process below the one that started it', needs(linux), async () => {
  const shell = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true });
  try {
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    const inner = Number(line.toString());
    expect(pidBelow(shell.pid ?? 0, inner)).toBe(inner);
    expect(pidBelow(shell.pid ?? 0, 1)).toBeUndefined();
  } finally {
    process.kill(-(shell.pid ?? 0), 'SIGKILL');
  }
});

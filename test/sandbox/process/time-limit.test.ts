import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { pidBelow, processorWait, timeLimit } from '../../../lib/sandbox/process/time-limit.ts';

const { signal } = new AbortController();

test('a limit is granted again for as long as the processes waited for a processor', async () => {
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

test('a limit of processes that never waited is asked for once', async () => {
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

test('a limit ends even where processes wait for ever', async () => {
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

test('a limit that nobody needs any more is rejected', async () => {
  const over = new AbortController();
  const limit = timeLimit(60_000, () => 0, over.signal);
  over.abort();
  await expect(limit).rejects.toThrow('aborted');
});

test('a process that is not there has not waited', () => {
  expect(processorWait(undefined)).toBe(0);
  expect(processorWait(2 ** 30)).toBe(0);
  expect(processorWait(process.pid)).toBeGreaterThanOrEqual(0);
});

test.runIf(process.platform === 'linux')('a process is found below the one that started it', async () => {
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

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { preparePython } from '../../lib/sandbox/python/host/python-programs.ts';
import { createPythonSandbox } from '../../lib/sandbox/python/host/python-sandbox.ts';

/**
 * What one call of the entry point costs in Python's proven judge, for a small value and for a grid of 10,000 numbers
 * that all calls share: the time of a verdict on many calls, less that of one call. The same loop in one bare
 * interpreter, and one byte sent to and fro between two, alternate with it, so that other load affects all three.
 */
const calls = 10_000;
const rounds = 5;
const goal = 20;

const benches = [
  { name: 'f(1)', candidate: 'def f(x):\n    return x\n', argument: '1', expected: '1' },
  {
    name: 'f(grid), 100 by 100',
    candidate: 'def f(grid):\n    return grid[0][1]\n',
    argument: 'grid',
    expected: '1',
  },
];

const exchange = (times: number): string => `
import os, socket
here, there = socket.socketpair()
if os.fork():
    for _ in range(${times}):
        here.send(b'1')
        here.recv(1)
else:
    for _ in range(${times}):
        there.send(there.recv(1))
`;

const loop = (times: number, argument: string, expected: string): string =>
  `grid = [list(range(100)) for _ in range(100)]\nfor _ in range(${times}):\n    assert f(${argument}) == ${expected}\n`;

test.each(benches)('$name', async ({ name, candidate, argument, expected }) => {
  const { executable } = await preparePython();
  const sandbox = await createPythonSandbox();
  const judged = async (times: number): Promise<number> => {
    const tests = loop(times, argument, expected);
    const request = { language: 'python', candidate, tests, entryPoint: 'f' } as const;
    const start = performance.now();
    const { verdict, judge } = await sandbox.execute(request);
    if (verdict.kind !== 'passed' || judge !== 'proven') throw new Error(`${judge}: ${verdict.message}`);
    return performance.now() - start;
  };
  const bare = async (program: string): Promise<number> => {
    const start = performance.now();
    await promisify(execFile)(executable, ['-I', '-c', program]);
    return performance.now() - start;
  };
  const plain = (times: number) => bare(candidate + loop(times, argument, expected));
  try {
    const found: number[][] = [];
    for (let round = 0; round < rounds; round++)
      found.push([
        ...[await judged(calls), await judged(1)],
        ...[await plain(calls), await plain(1)],
        ...[await bare(exchange(calls)), await bare(exchange(1))],
      ]);
    // The quickest of all rounds, which other load has slowed least.
    const quickest = (kind: number) => Math.min(...found.map(round => round[kind] ?? 0));
    const [each = 0, base = 0, bytes = 0] = [0, 2, 4].map(
      kind => ((quickest(kind) - quickest(kind + 1)) * 1000) / (calls - 1),
    );
    console.log(
      `${name}: ${each.toFixed(1)} µs a call (goal ${goal} for small values); in one bare process ${base.toFixed(1)} µs, ` +
        `a byte to and fro ${bytes.toFixed(1)} µs`,
    );
  } finally {
    await sandbox.close();
  }
});

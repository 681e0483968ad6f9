import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';

test.each([1, 2, 3])(
  'plain data survives a round trip, and damaged messages are refused or plain (seed %i)',
  async seed => {
    const script = packageFile('test/sandbox/python/wire_fuzz.py');
    const { stdout } = await promisify(execFile)('python3', [
      '-B',
      script,
      packageFile('lib/sandbox/python/programs'),
      String(seed),
    ]);
    expect(stdout).toBe('3000 round trips, 20000 damages, True\n');
  },
);

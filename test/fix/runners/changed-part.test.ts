import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';

test('a changed function has the same code alone as in its file', () => {
  const program = packageFile('test/fix/runners/changed_part.py');
  const output = execFileSync('python3', ['-I', program, packageFile('lib/fix/python')], {
    encoding: 'utf8',
  });
  expect(Number(output)).toBeGreaterThan(100);
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';

test('a class that newer Pythons renamed is found by both names', async () => {
  const program = `import re, sys
sys.path.insert(0, sys.argv[1])
from library_errors import found_error
print(found_error('re', 'PatternError') is found_error('re', 'error') is re.error)`;
  const programs = packageFile('lib/sandbox/python/programs/plain');
  const { stdout } = await promisify(execFile)('python3', ['-B', '-c', program, programs]);
  expect(stdout).toBe('True\n');
});

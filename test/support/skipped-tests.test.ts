import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { skippedLine } from './skipped-tests.ts';

test('one line says how many tests were skipped and what they need', () => {
  const redis = 'Redis (apt-get install redis-server)';
  expect(skippedLine(['Linux', redis, redis])).toBe(
    '3 skipped: 2 need Redis (apt-get install redis-server), 1 needs Linux',
  );
  expect(skippedLine([null])).toBe('1 skipped: 1 without a reason');
});

test('every skipped test says what it needs', async () => {
  const pattern = '\\.(skipIf|runIf|skip|todo)\\(';
  const files = ['-rnE', pattern, 'test', '--include=*.test.ts', '--include=*.chaos.ts'];
  const { stdout } = await execa('grep', files, { cwd: packageFile('.'), reject: false });
  // Projects and programs that tests write have their own skipped tests.
  const own = stdout
    .split('\n')
    .filter(line => !/"[^"]*(?:test|it|t)\.skip\(|'t\.skip\(|skipped-tests\.test\.ts/.test(line));
  expect(own.filter(Boolean)).toEqual([]);
});

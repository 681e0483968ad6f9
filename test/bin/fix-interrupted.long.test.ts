import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { hefixHere } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** One of two failing tests can be made to pass by an edit. */
async function halfRepairable(): Promise<string> {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'shop.py'), 'def price(count):\n    return count * 3 + 1\n');
  const expected = ['price(0) == 0', "price(2) == ['any', 'thing']"];
  const tests = expected.map((each, at) => `def test_${at}():\n    assert ${each}\n`);
  await writeFile(join(cwd, 'test_shop.py'), `from shop import price\n\n\n${tests.join('\n\n')}`);
  return cwd;
}

test('Ctrl-C prints the best candidate so far, marked as no repair', async () => {
  const cwd = await halfRepairable();
  const abort = new AbortController();
  const { exitCode, stdout, stderr } = await hefixHere(['fix', '--no-rank', '--verbose', '--time', '600'], {
    cwd,
    signal: abort.signal,
    // The first round is over then.
    onWrite: text => text.includes('search price') && abort.abort(),
  });
  expect([exitCode, stdout]).toEqual([130, '']);
  expect(stderr).toMatch(/^Interrupted after \d+ candidates\.$/m);
  expect(stderr).toContain(
    'The best so far, in price, makes 1 of 2 failing tests pass.\nThis diff is not a repair',
  );
  const diff = stderr.slice(stderr.indexOf('--- a/shop.py'), stderr.indexOf('Interrupted.'));
  await execa('git', ['apply', '-'], { cwd, input: diff });
  const { exitCode: code, stdout: said } = await execa(
    'python3',
    ['-c', 'from shop import price; print(price(0))'],
    { cwd, reject: false },
  );
  expect([code, said]).toEqual([0, '0']);
});

test('a repair that fails ends with the suspicious lines and the test to look at', async () => {
  const cwd = await halfRepairable();
  await writeFile(
    join(cwd, 'test_shop.py'),
    'from shop import price\n\n\ndef test_it():\n    total = price(2)\n    assert total == [5]\n',
  );
  const { exitCode, stdout, stderr } = await hefixHere(['fix', '.', '--no-rank', '--json', '--time', '20'], {
    cwd,
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`Most suspicious:
  1.00  price  shop.py:1
        line 2: return count * 3 + 1
Look first at the test test_shop.py::test_it (test_shop.py:6):
  assert total == [5]
  expected [5], got 7
`);
  expect(JSON.parse(stdout)).toMatchObject({
    failing: [{ place: { file: 'test_shop.py', line: 6 }, expected: '[5]', actual: '7', isTelling: true }],
    suspects: [{ function: 'price', lines: [{ line: 2, source: 'return count * 3 + 1' }] }],
  });
});

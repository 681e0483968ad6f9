import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';

const program = `
import sys
import frameworks
frameworks.pytest = None
print(*frameworks.kinds_of(sys.argv[1]))
`;

/** How the tests of a file are run where pytest is not installed. */
async function kindsOf(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hefix-frameworks-'));
  try {
    const path = join(folder, 'test_it.py');
    await writeFile(path, source);
    const env = { PYTHONPATH: packageFile('lib/fix/python'), PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await execa('python3', ['-c', program, path], { env });
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each([
  ['class TestIt:\n    def test_one(self):\n        assert True\n', 'unittest'],
  ['class TestMore(Base):\n    size = 3\n', 'unittest'],
  ['cases = read()\nTestCases = cases.to_class(name="TestCases")\n', 'unittest'],
  ['def test_one():\n    assert True\n', 'functions'],
  ['def check(candidate):\n    assert candidate(1)\n', 'check'],
  ['tests = read()\nfor test in tests:\n    assert test\n', 'script'],
])('the framework of %j is %s', async (source, kind) => {
  expect(await kindsOf(source)).toBe(kind);
});

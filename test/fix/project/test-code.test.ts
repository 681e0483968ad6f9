import { expect, test } from 'vitest';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import {
  isTestFile,
  keepsExamples,
  keepsExampleTexts,
  withoutTests,
} from '../../../lib/fix/project/test-code.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

test.each([
  ['python', 'test_a.py tests/helpers.py src/shop/tests/data.py conftest.py src/conftest.py named.py', true],
  ['python', 'a.py src/shop/latest.py contests/a.py testing.py', false],
  ['js', 'a.test.ts test/support/open.js src/__tests__/deep/x.ts', true],
  ['js', 'src/a.ts latest/a.js src/test.d.ts', false],
] as const)('in %s: %s', (language, paths, expected) => {
  for (const path of paths.split(' '))
    expect([path, isTestFile(path, language, { tests: ['named.py'] })]).toEqual([path, expected]);
});

const code = `def half(n):
    return n / 3


def test_half():
    assert half(4) == 2


class Checks:
    def verify(self):
        return half
`;

const leftOf = async (
  ids: readonly string[],
  { path = 'a.py', text = code, targetFile = null as string | null, doctest = [] as string[] } = {},
) => {
  const language = path.endsWith('.py') ? 'python' : 'js';
  const all = functionsIn(await openParser(language), readSource(path, Buffer.from(text)));
  const tests = ids.map(id => ({ id, outcome: 'failed' as const }));
  return withoutTests(all, tests, { targetFile, plan: { doctest } }).map(({ qualified }) => qualified);
};

test('no function remains of a file that holds tests, and only the others of the file to repair', async () => {
  expect(await leftOf(['b.py::test_half'])).toEqual(['half', 'test_half', 'Checks.verify']);
  expect(await leftOf(['a.py::test_half[1-2]'])).toEqual([]);
  expect(await leftOf(['a.py::Checks::verify'], { targetFile: 'a.py' })).toEqual(['half', 'test_half']);
  expect(await leftOf(['a.Checks.verify'])).toEqual([]);
  expect(await leftOf(['a.py::half'], { doctest: ['a.py'] })).toContain('half');
  expect(await leftOf(['a.py::a.half'])).toContain('half');
});

test("without vitest's tests inside a source file, the functions above remain", async () => {
  const text = `export const half = n => n / 3;
if (import.meta.vitest) {
  const close = (a, b) => a - b < 1;
  import.meta.vitest.test('half', () => close(half(4), 2));
}
`;
  expect(await leftOf(['a.js > half'], { path: 'a.js', text })).toEqual(['half']);
  expect(await leftOf(['a.js > half'], { path: 'a.js', text: text.replaceAll('.vitest', '.jest') })).toEqual(
    [],
  );
});

test('examples of docstrings may move, and not change', () => {
  const before = 'def f(n):\n    """Adds.\n\n    >>> f(1)\n    2\n    """\n    return n\n';
  expect(keepsExamples(before, before.replace('return n', 'return n + 1'))).toBe(true);
  expect(keepsExamples(before, `import os\n${before}`)).toBe(true);
  for (const changed of [
    before.replace('    2\n', '    1\n'),
    before.replace('>>> f(1)', '>>> f(2)'),
    before.replace('    >>> f(1)\n    2\n', ''),
    before.replace('    2\n    """', '    1"""'),
  ])
    expect(keepsExamples(before, changed)).toBe(false);
  const tight = before.replace('    2\n    """', '    2"""');
  expect(keepsExamples(tight, tight.replace('return n', 'return n + 1'))).toBe(true);
  expect(keepsExamples(tight, tight.replace('2"""', '1"""'))).toBe(false);
});

test('a new function may have examples, but none are added to a docstring', async () => {
  const parser = await openParser('python');
  const before = 'def f(n):\n    """Adds.\n\n    >>> f(1)\n    2\n    """\n    return n\n';
  const other = 'def g(n):\n    """Subtracts.\n\n    >>> g(1)\n    0\n    """\n    return n - 1\n';
  const keeps = (after: string, from = before) => keepsExampleTexts(parser, from, after);
  expect([keeps(before + other), keeps(other + before), keeps(other, 'x = 1\n')]).toEqual([true, true, true]);
  for (const changed of [
    before.replace('    >>> f(1)', '    >>> f = abs\n    >>> f(1)') + other,
    before.replace('"""Adds', '""">>> f = abs\n    """ """Adds') + other,
    before.replace('    2\n', '    1\n') + other,
    other,
  ])
    expect(keeps(changed)).toBe(false);
  expect(keeps(other + before, before + other)).toBe(false);
});

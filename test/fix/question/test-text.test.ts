import { expect, test } from 'vitest';
import { type TestStyle, testText } from '../../../lib/fix/question/test-text.ts';
import type { Outcome } from '../../../lib/repair/behaviour/outcome.ts';

const empty: Outcome = { value: 0, steps: 1 };
const raised: Outcome = { raised: 'TypeError', steps: 1 };
const written = (style: TestStyle, outcome: Outcome, input = [['list', []]] as const) => {
  const given = { style, register: 'test', called: 'median', input: [...input], quote: "'" } as const;
  return testText({ ...given, input: given.input as never }, { outcome, does: '', programs: [0] });
};

test.each<[TestStyle, string, string]>([
  [
    'pytest',
    'def test_median_empty():\n    assert median([]) == 0\n',
    'def test_median_empty():\n    with pytest.raises(TypeError):\n        median([])\n',
  ],
  [
    'unittest',
    'def test_median_empty(self):\n    self.assertEqual(median([]), 0)\n',
    'def test_median_empty(self):\n    with self.assertRaises(TypeError):\n        median([])\n',
  ],
  [
    'doctest',
    '>>> median([])\n0\n',
    '>>> median([])  # doctest: +IGNORE_EXCEPTION_DETAIL\nTraceback (most recent call last):\n    ...\nTypeError: ...\n',
  ],
  [
    'expect',
    "test('median([]) returns 0', () => {\n  expect(median([])).toBe(0);\n});\n",
    "test('median([]) throws TypeError', () => {\n  expect(() => median([])).toThrow(TypeError);\n});\n",
  ],
  [
    'assert',
    "test('median([]) returns 0', () => {\n  assert.strictEqual(median([]), 0);\n});\n",
    "test('median([]) throws TypeError', () => {\n  assert.throws(() => median([]), TypeError);\n});\n",
  ],
  [
    'chai',
    "test('median([]) returns 0', () => {\n  expect(median([])).to.equal(0);\n});\n",
    "test('median([]) throws TypeError', () => {\n  expect(() => median([])).to.throw(TypeError);\n});\n",
  ],
])('%s', (style, value, exception) => {
  expect(written(style, empty)).toBe(value);
  expect(written(style, raised)).toBe(exception);
});

test('None and lists are compared as the framework does', () => {
  expect(written('pytest', { value: null, steps: 1 })).toContain('assert median([]) is None');
  expect(written('unittest', { value: null, steps: 1 })).toContain('self.assertIsNone(median([]))');
  expect(written('doctest', { value: null, steps: 1 })).toBe('>>> median([]) == None\nTrue\n');
  expect(written('expect', { value: ['list', [1]], steps: 1 })).toContain('.toEqual([1])');
  expect(written('assert', { value: ['list', [1]], steps: 1 })).toContain('assert.deepStrictEqual(');
});

test('there is no test of changed arguments, of NaN, or of a call that does not end', () => {
  expect(written('pytest', { ...empty, changed: [['list', []]] })).toBeNull();
  expect(written('pytest', { value: ['list', [['float', 'nan']]], steps: 1 })).toBeNull();
  expect(written('pytest', { raised: 'did not end', steps: 1 })).toBeNull();
});

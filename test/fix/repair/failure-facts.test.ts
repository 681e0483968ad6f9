import { expect, test } from 'vitest';
import type { TestResult } from '../../../lib/core/project-tests.ts';
import { failureFacts } from '../../../lib/fix/repair/failure-facts.ts';

const tests = `import pytest

def test_empty():
    with pytest.raises(errors.Bad, match="is empty"):
        parse("")

def test_type(self):
    self.assertRaises(TypeError, parse, 1)
`;

function factsOf(failure: Partial<TestResult>, source = 'from errors import Bad\n') {
  const read = (path: string) => (path === 'test_a.py' ? tests : null);
  return failureFacts([{ id: 'a', outcome: 'failed', ...failure }], source, read);
}

test('a test that waits for an exception names it, and what its message says', () => {
  const missed = { type: 'Failed', message: "DID NOT RAISE <class 'errors.Bad'>" };
  expect(factsOf({ ...missed, frames: [['test_a.py', 4]] }).awaited).toEqual([
    { type: 'Bad', message: 'is empty' },
  ]);
  expect(factsOf(missed).awaited).toEqual([{ type: 'Bad', message: null }]);
  expect(factsOf({ type: 'AssertionError', message: 'TypeError not raised' }).awaited).toEqual([
    { type: 'TypeError', message: null },
  ]);
});

test('another exception than the awaited one names both', () => {
  const { raised, awaited } = factsOf({
    type: 'IndexError',
    frames: [
      ['test_a.py', 5],
      ['a.py', 3],
    ],
  });
  expect(raised).toEqual(['IndexError']);
  expect(awaited).toEqual([{ type: 'Bad', message: 'is empty' }]);
});

test('names are those of the file, which knows built-in ones', () => {
  const missed = { type: 'Failed', message: "DID NOT RAISE <class 'errors.Bad'>" };
  expect(factsOf(missed, 'import errors\nx = errors.Bad\n').awaited).toEqual([
    { type: 'errors.Bad', message: null },
  ]);
  expect(factsOf(missed, 'import errors\n').awaited).toEqual([]);
  expect(factsOf({ type: 'Strange' }).raised).toEqual([]);
  expect(factsOf({ type: 'AssertionError' }).raised).toEqual([]);
});

test('values are those of the assertion, or those of a message that does not match', () => {
  expect(factsOf({ type: 'AssertionError', actual: "'a'", expected: "'b'" }).values).toEqual([
    { actual: "'a'", expected: "'b'" },
  ]);
  const message = 'Regex pattern did not match.';
  const compared = { actual: "'you did not (yet)'", expected: "'^you have not \\\\(yet\\\\)$'" };
  expect(factsOf({ type: 'AssertionError', message, ...compared }).values).toEqual([
    { actual: "'you did not (yet)'", expected: "'you have not (yet)'" },
  ]);
});

test('texts stand in quotes in the failing statement, its message and its values', () => {
  const failure = {
    message: 'isSlug("f") failed',
    test: { line: 3, source: "assert parse('a\\'b', \"c d\") == 1" },
    expected: "['x']",
  };
  expect(factsOf(failure).texts).toEqual(["a'b", 'c d', 'f', 'x']);
  expect(factsOf({ message: `"${'a'.repeat(300)}" and ""` }).texts).toEqual([]);
});

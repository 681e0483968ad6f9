import { beforeAll, expect, test } from 'vitest';
import type { Language } from '../../../../lib/core/task.ts';
import { noFacts } from '../../../../lib/repair/operators/facts.ts';
import { viewOf } from '../../../../lib/repair/operators/function-view.ts';
import { expectedValues } from '../../../../lib/repair/operators/general/expected-values.ts';
import { openParser, type SyntaxParser } from '../../../../lib/syntax/parser.ts';

const parsers = new Map<Language, SyntaxParser>();
beforeAll(async () => {
  for (const language of ['python', 'js'] as const) parsers.set(language, await openParser(language));
});

/** What becomes of the expression that a function returns, if a test got one value and expects another. */
function becomes(language: Language, expression: string, actual: string, expected: string): string[] {
  const code =
    language === 'python'
      ? `def f(a, b):\n    return ${expression}\n`
      : `function f(a, b) {\n  return ${expression};\n}\n`;
  const failures = { ...noFacts, values: [{ actual, expected }] };
  return (
    parsers.get(language)?.read(code, root => {
      const view = viewOf(root, code, 'f', language, null, failures);
      return (view ? expectedValues(view) : []).map(
        ({ start, end, text }) => code.slice(0, start) + text + code.slice(end),
      );
    }) ?? []
  ).map(program => /return (.*?);?\n/.exec(program)?.[1] ?? '');
}

test.each<[language: Language, actual: string, expected: string, changed: readonly string[]]>([
  ['python', "' x'", "'x'", ['(a + b).strip()', '(a + b).lstrip()', '(a + b)[1:]']],
  ['python', '2.5', '2', ['int(a + b)']],
  ['python', '3.14159', '3.14', ['round(a + b, 2)']],
  ['python', '3', '-3', ['-(a + b)']],
  ['python', 'True', 'False', ['not (a + b)']],
  ['python', "'12'", '12', ['int(a + b)']],
  ['python', "['b', 'a', 'b']", "['a', 'b', 'b']", ['sorted(a + b)']],
  ['python', '[1, 2, 1]', '[1, 2]', ['(a + b)[:-1]', 'list(dict.fromkeys(a + b))']],
  ['python', '[1, 2]', '(1, 2)', ['tuple(a + b)']],
  ['python', '(1, 2)', '[1, 2]', ['list(a + b)']],
  ['python', 'None', '[]', ['(a + b) or []']],
  ['js', '6.7', '6', ['Math.floor(a + b)', 'Math.trunc(a + b)']],
  ['js', '12', "'12'", ['String(a + b)']],
  ['js', '[ 10, 9 ]', '[ 9, 10 ]', ['(a + b).sort((a, b) => a - b)', '(a + b).reverse()']],
  ['js', 'Set(2) { 1, 2 }', '[ 1, 2 ]', ['[...a + b]']],
  ['js', 'undefined', "''", ["(a + b) ?? ''"]],
  ['js', 'Some Text', 'some text', ['(a + b).toLowerCase()']],
])('in %s, %s instead of %s', (language, actual, expected, changed) => {
  expect(becomes(language, 'a + b', actual, expected)).toEqual(changed);
});

test('a whole number is expected: quotients are rounded', () => {
  expect(becomes('python', 'a / b + 1', '2.75', '2')).toContain('a // b + 1');
  expect(becomes('js', 'a / b + 1', '2.75', '2')).toContain('Math.floor(a / b) + 1');
});

test.each([
  ['values that no change turns into each other', '1', '5'],
  ['a value that cannot be read', '<object at 0x7f>', '5'],
  ['equal values', '5', '5'],
])('nothing for %s', (_, actual, expected) => {
  expect(becomes('python', 'a / b', actual, expected)).toEqual([]);
});

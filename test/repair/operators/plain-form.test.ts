import { expect, test } from 'vitest';
import type { Language } from '../../../lib/core/task.ts';
import { enumerateEdits, mayBePlainer, plainerPart } from '../../../lib/repair/operators/enumerate.ts';
import { noFacts, noNames } from '../../../lib/repair/operators/facts.ts';
import { projectEdits } from '../../../lib/repair/operators/operators.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

/** The plainer form of a line that an edit has made as a whole; undefined if it is plain. */
async function plainLine(line: string, language: Language): Promise<string | null | undefined> {
  const parser = await openParser(language);
  const tree = parser.open(`${line}\n`);
  try {
    const part = mayBePlainer(line) ? plainerPart(tree.root, 0, line.length) : null;
    return part && (part.text === null ? null : line.slice(0, part.start) + part.text + line.slice(part.end));
  } finally {
    tree.close();
  }
}

test.each([
  ['n = len(x) // 2 + 0', 'n = len(x) // 2'],
  ['n = x * 1', 'n = x'],
  ['n = 1 * (a + b)', 'n = (a + b)'],
  ['n = x ** 1', 'n = x'],
  ['n = total // 1', 'n = total'],
  ['n = x - -2', 'n = x + 2'],
  ['n = x + 1 - 1', 'n = x'],
  ['x -= -1', 'x += 1'],
  ['y = not (a < b)', 'y = a >= b'],
  ['y = not a in b', 'y = a not in b'],
  ['y = c and not (a is b)', 'y = c and a is not b'],
])('Python: %s is %s', async (line, plain) => {
  expect(await plainLine(line, 'python')).toBe(plain);
});

test.each([
  ['n = x * 1', 'n = x'],
  ['x -= -1', 'x += 1'],
  ['y = c && !(a < b)', 'y = c && a >= b'],
  ['y = !(a === b) + c', 'y = (a !== b) + c'],
])('JavaScript: %s is %s', async (line, plain) => {
  expect(await plainLine(line, 'js')).toBe(plain);
});

test('a statement that does nothing has no plain form', async () => {
  for (const line of ['x += 0', 'x *= 1', 'x = x']) expect(await plainLine(line, 'python')).toBeNull();
});

test('what does something stays', async () => {
  const lines = [
    'n = 0 - x',
    'n = x + 10',
    'n = 1 / x',
    'x += 1',
    'y = not (a < b < c)',
    'y = not (a and b)',
  ];
  for (const line of lines) expect(await plainLine(line, 'python')).toBeNull();
});

test('edits of a project are plain and each is one candidate; the rest of the code stays as it is', async () => {
  const parser = await openParser('python');
  const code = 'def f(a, b):\n    c = a * 1\n    if a > b:\n        return c - 1\n    return b + 2\n';
  const hints = {
    kind: 'function',
    names: noNames,
    failures: noFacts,
    weightOf: () => 1,
    edits: await projectEdits('python'),
  } as const;
  const programs = [...enumerateEdits(parser, code, 'f', 2000, hints)].flatMap(found => found?.code ?? []);
  const having = (text: string) => programs.filter(program => program.includes(text));
  expect(having(code.replace('c - 1', 'c'))).toHaveLength(1);
  for (const odd of [
    'n c - 0',
    'n c * 1',
    'n c ** 1',
    'n c // 1',
    'n c - 1 + 1',
    'not (a > b)',
    '- -',
    'b + 0',
  ])
    expect(having(odd)).toEqual([]);
  expect(having('c = a * 1').length).toBeGreaterThan(50);
});

import { beforeAll, describe, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import type { Language, Task } from '../../../lib/core/task.ts';
import { readEdits } from '../../../lib/edits/edit-answer.ts';
import { applyEdits } from '../../../lib/edits/edit-apply.ts';
import { shownCode } from '../../../lib/prompt/fence.ts';
import { enumerateEdits } from '../../../lib/repair/operators/enumerate.ts';
import { editPairs, singleEdits } from '../../../lib/repair/single-edits.ts';
import { openParser, type SyntaxParser } from '../../../lib/syntax/parser.ts';

const parsers: Partial<Record<Language, SyntaxParser>> = {};
beforeAll(async () => {
  parsers.python = await openParser('python');
  parsers.js = await openParser('js');
});

function edited(code: string, language: Language = 'python', limit = 5000): string[] {
  const parser = parsers[language];
  return parser ? found(enumerateEdits(parser, code, 'f', limit)).map(mutant => mutant.code) : [];
}

function isSameCode(right: string, language: Language): (code: string) => boolean {
  const parser = parsers[language];
  const wanted = parser?.fingerprint(right);
  return code => parser?.fingerprint(code) === wanted;
}

function found<T>(yielded: Iterable<T | null>): T[] {
  return [...yielded].filter(value => value !== null);
}

describe('one edit of Python', () => {
  const f = (...lines: string[]) => `def f(a, b):\n${lines.map(line => `    ${line}\n`).join('')}`;
  const repairs: [about: string, buggy: string, right: string][] = [
    ['swaps a comparison', f('return a < b'), f('return a <= b')],
    ['swaps an operator', f('return a - b'), f('return a + b')],
    ['swaps a connective', f('return a and b'), f('return a or b')],
    ['swaps an assignment', f('a += b', 'return a'), f('a -= b', 'return a')],
    ['changes a number by one', f('return a[0]'), f('return a[1]')],
    ['takes another number of the function', f('return a * 60 + b * 6'), f('return a * 60 + b * 60')],
    ['takes another variable', f('return a - a'), f('return a - b')],
    ['swaps arguments', f('return max(a, b)', 'x = 1'), f('return max(b, a)', 'x = 1')],
    ['takes another function', f('return min(a, b)'), f('return max(a, b)')],
    ['takes another method', f('return a.upper()'), f('return a.lower()')],
    [
      'negates a condition',
      f('if a:', '    return b', 'return a'),
      f('if not (a):', '    return b', 'return a'),
    ],
    ['drops a not', f('return not a'), f('return a')],
    ['drops a term', f('return a + b + 1'), f('return a + b')],
    ['drops a condition', f('return a > 0 and b'), f('return a > 0')],
    ['drops a statement', f('a.sort()', 'return a'), f('return a')],
    ['returns another variable', f('return b'), f('return a')],
    ['moves an index', f('return a[b]'), f('return a[b + 1]')],
    ['moves a slice', f('return a[1:]'), f('return a[:]')],
    ['adds one', f('return range(a)'), f('return range(a + 1)')],
    ['wraps a value', f('return a - b'), f('return abs(a - b)')],
    ['sorts', f('return a'), f('return sorted(a)')],
    ['flips a truth', f('return True'), f('return False')],
    ['changes a text', f("return ' '.join(a)"), f("return ''.join(a)")],
    ['adds a condition', f('if a > b:', '    return a'), f('if a > b and a != b:', '    return a')],
    ['adds an update', f('while a < b:', '    b = b'), f('while a < b:', '    b = b', '    a += 1')],
    ['adds a guard', f('return a[0]'), f('if not a: return None', 'return a[0]')],
    ['adds a term', f('return a'), f('return a + b')],
    ['adds a subscript', f('x = b[0]', 'return a'), f('x = b[0]', 'return a[0]')],
    ['swaps the second comparison of a chain', f('return 0 < a < b'), f('return 0 < a <= b')],
    ['negates a part of a condition', f('return a and b'), f('return a and not (b)')],
    ['puts texts the other way round', f('return a + b'), f('return b + a')],
    ['begins with another value', f('x = 0', 'return x'), f("x = float('-inf')", 'return x')],
    ['takes a variable for a text', f("return len('a')"), f('return len(a)')],
    ['adds a known argument', f('return sorted(a)'), f('return sorted(a, reverse=True)')],
    ['adds a first argument', f('return range(a)'), f('return range(1, a)')],
    ['adds a variable as argument', f('return round(a)'), f('return round(a, b)')],
    ['adds a return', f('if a:', '    b = 1'), f('if a:', '    b = 1', 'return b')],
    [
      'moves a return out of a loop',
      f('for x in a:', '    b += x', '    return b'),
      f('for x in a:', '    b += x', 'return b'),
    ],
    [
      'moves a statement into a loop',
      f('for x in a:', '    x += 1', 'b += x', 'return b'),
      f('for x in a:', '    x += 1', '    b += x', 'return b'),
    ],
    [
      'moves a statement out of a branch that is not the last',
      f('if a:', '    b = 1', '    a = 2', 'else:', '    b = 2', 'return b'),
      f('if a:', '    b = 1', 'else:', '    b = 2', 'a = 2', 'return b'),
    ],
    ['exchanges statements', f('a = b', 'b = a', 'return b'), f('b = a', 'a = b', 'return b')],
    ['swaps a jump', f('for x in a:', '    break'), f('for x in a:', '    continue')],
    [
      'parts branches',
      f('if a:', '    b = 1', 'elif b:', '    b = 2', 'return b'),
      f('if a:', '    b = 1', 'if b:', '    b = 2', 'return b'),
    ],
    [
      'joins branches',
      f('if a:', '    b = 1', 'if b:', '    b = 2', 'return b'),
      f('if a:', '    b = 1', 'elif b:', '    b = 2', 'return b'),
    ],
  ];
  test.each(repairs)('%s', (_, buggy, right) => {
    expect(edited(buggy).find(isSameCode(right, 'python'))).toBeDefined();
  });
});

describe('one edit of JavaScript', () => {
  const f = (...lines: string[]) => `const f = (a, b) => {\n${lines.map(line => `  ${line}\n`).join('')}}\n`;
  const repairs: [about: string, buggy: string, right: string][] = [
    ['swaps a comparison', f('return a < b;'), f('return a <= b;')],
    ['takes another variable', f('return a - a;'), f('return a - b;')],
    ['takes another method', f('return a.some(x => x);'), f('return a.every(x => x);')],
    [
      'moves a loop’s bound',
      f('for (let i = 0; i < a; i++) b += i;', 'return b;'),
      f('for (let i = 0; i <= a; i++) b += i;', 'return b;'),
    ],
    ['wraps a value', f('return a / b;'), f('return Math.floor(a / b);')],
    ['negates a condition', f('if (a) return b;', 'return a;'), f('if (!(a)) return b;', 'return a;')],
    ['sorts by number', f('return a.sort();'), f('return a.sort((a, b) => a - b);')],
    ['begins with another value', f('let x = 0;', 'return x;'), f('let x = Infinity;', 'return x;')],
    [
      'moves a return out of a loop',
      f('for (const x of a) {', '  b += x;', '  return b;', '}'),
      f('for (const x of a) {', '  b += x;', '}', 'return b;'),
    ],
    [
      'moves a statement into a loop',
      f('for (const x of a) {', '  x++;', '}', 'b += x;', 'return b;'),
      f('for (const x of a) {', '  x++;', '  b += x;', '}', 'return b;'),
    ],
    [
      'parts branches',
      f('if (a) {', '  b = 1;', '} else if (b) {', '  b = 2;', '}'),
      f('if (a) {', '  b = 1;', '} if (b) {', '  b = 2;', '}'),
    ],
    [
      'joins branches',
      f('if (a) {', '  b = 1;', '}', 'if (b) {', '  b = 2;', '}'),
      f('if (a) {', '  b = 1;', '}', 'else if (b) {', '  b = 2;', '}'),
    ],
  ];
  test.each(repairs)('%s', (_, buggy, right) => {
    expect(edited(buggy, 'js').find(isSameCode(right, 'js'))).toBeDefined();
  });
});

test('each syntax tree occurs once, in a fixed order, and never the original', () => {
  const code =
    'def f(a):\n    """Doc."""\n    if a > 1 and a < 9:\n        return [a, 1]\n    return a - 1\n';
  const found = edited(code);
  const prints = found.map(text => parsers.python?.fingerprint(text));
  expect(new Set(prints).size).toBe(prints.length);
  expect(prints).not.toContain(parsers.python?.fingerprint(code));
  expect(edited(code)).toEqual(found);
  expect(edited(code, 'python', 10)).toEqual(found.slice(0, 10));
  expect(found.every(text => parsers.python?.parses(text))).toBe(true);
});

test('a variable with the function’s name is not the function', () => {
  const code = 'const f = (n) => {\n  let f = 1;\n  return f - n;\n}\n';
  expect(edited(code, 'js')).toContain(code.replace('f - n', 'f + n'));
});

test('code without the function has no edits', () => {
  expect(edited('x = 1\n')).toEqual([]);
  expect(edited('def g():\n    return 1\n')).toEqual([]);
});

test('the first 300 edits repair ten of the first twelve tasks of mini, to the exact tree', async () => {
  const parser = parsers.python;
  if (!parser) return expect.unreachable();
  const { tasks } = await loadDataset('mini', { language: 'python' });
  const repaired = tasks.slice(0, 12).filter(({ buggy, canonical, entryPoint }) => {
    const right = parser.fingerprint(canonical);
    return found(enumerateEdits(parser, buggy, entryPoint, 300)).some(
      ({ code }) => parser.fingerprint(code) === right,
    );
  });
  expect(repaired.length).toBe(10);
});

describe('edits as answers', () => {
  const task: Task = {
    id: 't',
    language: 'python',
    entryPoint: 'f',
    declaration: 'def f(a, b):\n',
    docstring: '',
    buggy: 'def f(a, b):\n    c = a - b\n    return c * 2\n',
    canonical: '',
    tests: '',
    exampleTests: '',
    bugType: null,
  };

  test('all apply to the code', () => {
    const parser = parsers.python;
    if (!parser) return expect.unreachable();
    const edits = found(singleEdits(parser, task, 200));
    expect(edits.length).toBeGreaterThan(50);
    for (const edit of edits)
      expect(applyEdits(shownCode(task.buggy), readEdits(edit))).toHaveProperty('code');
  });

  test('pairs change different positions, in the order of passed assertions', () => {
    const parser = parsers.python;
    if (!parser) return expect.unreachable();
    const edits = ['@2\n--\n++', '@3\n-2\n+3', '@2\n-b\n+1'];
    expect(found(editPairs(parser, task, edits, [0, 1, 1], 5))).toEqual([
      '@2\n-b\n+1\n@3\n-2\n+3',
      '@2\n--\n++\n@3\n-2\n+3',
      '@2\n-- b\n++ 1',
    ]);
    expect(found(editPairs(parser, task, edits, [], 1))).toEqual(['@2\n--\n++\n@3\n-2\n+3']);
  });

  test('two changes at the same position are not a pair, nor is the result of a single edit', () => {
    const parser = parsers.python;
    if (!parser) return expect.unreachable();
    expect(found(editPairs(parser, task, ['@2\n--\n++', '@2\n--\n+*'], [], 5))).toEqual([]);
    const edits = ['@2\n--\n++', '@2\n-b\n+1', '@2\n-- b\n++ 1'];
    expect(found(editPairs(parser, task, edits, [], 9))).toEqual([]);
  });
});

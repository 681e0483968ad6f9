import { beforeAll, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import type { Language } from '../../../lib/core/task.ts';
import { enumerateEdits } from '../../../lib/repair/operators/enumerate.ts';
import { type FileNames, noFacts, noNames } from '../../../lib/repair/operators/facts.ts';
import { projectEdits } from '../../../lib/repair/operators/operators.ts';
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

function found<T>(yielded: Iterable<T | null>): T[] {
  return [...yielded].filter(value => value !== null);
}

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

test('operators of projects are tried only with the names of a file, and others of some languages only in these', async () => {
  const edits = await projectEdits('python');
  const names = (code: string, file: FileNames | null, language: Language = 'python') => {
    const parser = parsers[language];
    const hints =
      file && ({ kind: 'function', names: file, failures: noFacts, weightOf: () => 1, edits } as const);
    return new Set(
      parser ? found(enumerateEdits(parser, code, 'f', 5000, hints)).map(({ operator }) => operator) : [],
    );
  };
  const code = 'def f(a):\n    if a > 1:\n        return a\n';
  expect(names(code, null)).not.toContain('loop for branch');
  expect(names(code, noNames)).toContain('loop for branch');
  parsers.go = await openParser('go');
  const inGo = 'func f(a int) int {\n\tif a > 1 {\n\t\treturn a\n\t}\n\treturn 0\n}\n';
  expect(names(code, null)).toContain('statement added');
  expect(names(inGo, null, 'go')).toContain('operator swapped');
  expect(names(inGo, null, 'go')).not.toContain('statement added');
});

test('a project’s edits are those of a task and of its own operators, suspicious lines and short lists first', async () => {
  const parser = parsers.js;
  if (!parser) return expect.unreachable();
  const code =
    "function f(a, b, c) {\n  const d = a + b + c;\n  if (d > 1 && a) {\n    return d - c;\n  }\n  return 'x';\n}\n";
  const edits = await projectEdits('js');
  const editsOf = (weights: readonly number[]) =>
    found(
      enumerateEdits(parser, code, 'f', 9000, {
        kind: 'function',
        names: noNames,
        failures: noFacts,
        weightOf: row => weights[row] ?? 0,
        edits,
      }),
    );
  const even = editsOf([1, 1, 1, 1, 1, 1, 1]);
  const printsOf = (texts: readonly string[]) => new Set(texts.map(text => parser.fingerprint(text)));
  const programs = printsOf(even.map(edit => edit.code));
  // Those that do nothing, or say more than they do, have a plainer form in a project, or none.
  const odd = / \* 1\)| 1 \* | \+ 0\)| 0 \+ | - 0\)|! \(binary_expression d > 1\)| [-+] 1\) > 1/;
  const missing = [...printsOf(edited(code, 'js', 9000))].filter(print => !programs.has(print));
  expect(missing.filter(print => !odd.test(print))).toEqual([]);
  const uneven = editsOf([0, 0.1, 0.1, 1, 0, 0.1, 0]);
  expect(printsOf(uneven.map(edit => edit.code))).toEqual(programs);
  const lines = code.split('\n');
  const rowOf = (text: string) => text.split('\n').findIndex((line, row) => line !== lines[row]);
  expect(uneven.slice(0, 10).map(edit => rowOf(edit.code))).toEqual(Array(10).fill(3));
  // The first operator makes many edits, and others come between them.
  expect(new Set(even.slice(0, 40).map(({ operator }) => operator)).size).toBeGreaterThan(2);
});

test('a project’s odd edits come after plain ones, and texts are not compared by order', async () => {
  const parser = parsers.python;
  if (!parser) return expect.unreachable();
  const code = "def f(a, b):\n    if a == 'x':\n        return b // 2\n    return b + 2\n";
  const hints = {
    kind: 'function',
    names: noNames,
    failures: noFacts,
    weightOf: () => 1,
    edits: await projectEdits('python'),
  } as const;
  const programs = found(enumerateEdits(parser, code, 'f', 9000, hints)).map(edit => edit.code);
  const placeOf = (part: string) => programs.findIndex(text => text.includes(part));
  expect(placeOf('b // 3')).toBeGreaterThan(placeOf('b + 3'));
  expect(placeOf("a != 'x'")).toBeGreaterThan(-1);
  expect(placeOf("a < 'x'")).toBe(-1);
  expect(edited(code, 'python', 9000).some(text => text.includes("a < 'x'"))).toBe(true);
});

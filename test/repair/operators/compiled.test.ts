import { describe, expect, test } from 'vitest';
import { enumerateEdits } from '../../../lib/repair/operators/enumerate.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import type { CompiledLanguage } from '../../extra/compiled/toolchains.ts';

/** Functions with a bug that one edit repairs, by the kind of bug. */
const repairs: Readonly<Record<CompiledLanguage, readonly (readonly [string, string, string])[]>> = {
  go: [
    ['number', 'func F(a int) int { return a + 2 }', 'func F(a int) int { return a + 3 }'],
    ['operator', 'func F(a int) bool { if a < 2 { return true }; return false }', 'a <= 2'],
    ['variable', 'func F(a int, b int) int { c := a * 2; return b }', 'return c'],
    ['call', 'func F(a string) string { return strings.ToUpper(a) }', 'strings.ToLower(a)'],
    ['statement', 'func F(a int) int {\n\ta++\n\ta *= 2\n\treturn a\n}', '{\n\ta *= 2\n\treturn a\n}'],
  ],
  rust: [
    ['number', 'fn F(a: f64) -> f64 { a + 2.0 }', 'a + 3.0'],
    ['operator', 'fn F(a: i32) -> bool { if a < 2 && a > 0 { return true; } false }', 'a < 2 || a > 0'],
    ['variable', 'fn F(a: i32, b: i32) -> i32 { let c = a * 2; return b; }', 'return c;'],
    ['call', 'fn F(a: i32, b: i32) -> i32 { a.min(b) }', 'a.max(b)'],
    [
      'statement',
      'fn F(mut a: i32) -> i32 {\n    a += 1;\n    a *= 2;\n    a\n}',
      '{\n    a *= 2;\n    a\n}',
    ],
  ],
  cpp: [
    ['number', 'int F(int a) { return a + 2; }', 'a + 3'],
    ['operator', 'int F(vector<int> &a) { for (int x : a) if (x != 2) return x; return 0; }', 'x == 2'],
    ['variable', 'int F(int a, int b) { int c = a * 2; return b; }', 'return c;'],
    ['call', 'int F(int a, int b) { return min(a, b); }', 'max(a, b)'],
    [
      'statement',
      'int F(int a) {\n    a++;\n    a *= 2;\n    return a;\n}',
      '{\n    a *= 2;\n    return a;\n}',
    ],
  ],
  java: [
    ['number', 'class S { int F(int[] a) { return a[0] + 2; } }', 'a[0] + 3'],
    ['operator', 'class S { boolean F(int a) { while (a >= 2) { a--; } return true; } }', 'a > 2'],
    ['variable', 'class S { int F(int a, int b) { int c = a * 2; return b; } }', 'return c;'],
    ['call', 'class S { int F(int a, int b) { return Math.min(a, b); } }', 'Math.max(a, b)'],
    [
      'statement',
      'class S { int F(int a) {\n    a++;\n    a *= 2;\n    return a;\n} }',
      '{\n    a *= 2;\n    return a;\n}',
    ],
  ],
};

describe.each(Object.keys(repairs) as CompiledLanguage[])('edits of functions in %s', language => {
  test.each(repairs[language])('change a %s', async (_, code, wanted) => {
    const parser = await openParser(language);
    const edited = [...enumerateEdits(parser, code, 'F', 1000)].flatMap(mutant => mutant?.code ?? []);
    expect(edited.some(text => text.includes(wanted))).toBe(true);
    expect(new Set(edited).size).toBe(edited.length);
  });

  test('leave out what compilers refuse nearly always', async () => {
    const parser = await openParser(language);
    const operators = repairs[language].flatMap(([, code]) =>
      [...enumerateEdits(parser, code, 'F', 1000)].flatMap(mutant => mutant?.operator ?? []),
    );
    expect(operators).not.toContain('statement added');
  });
});

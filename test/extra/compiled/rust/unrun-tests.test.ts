import { expect, test } from 'vitest';
import { judgeSources } from '../../../../lib/extra/compiled/rust/sources.ts';
import { openParser } from '../../../../lib/syntax/parser.ts';

const parser = await openParser('rust');
const run = '#[test]\nfn runs() { assert_eq!(f(3), 9); }\n';

function build(tests: string): string {
  const task = { entryPoint: 'f', declaration: 'fn f(a: i32) -> i32 {\n', tests: run + tests };
  return judgeSources(parser, task)['tests.rs'] ?? '';
}

const unrun: Record<string, [tests: string, line: number]> = {
  'that a macro makes': [
    'macro_rules! case { ($n:ident, $a:expr) => {\n  #[test]\n  fn $n() { assert_eq!(f($a), $a * $a); }\n} }\ncase!(a, 2);',
    4,
  ],
  'whose attribute a macro gets': ['macro_rules! case { (#[$m:meta] $i:item) => { #[$m] $i } }', 3],
  'handed to a macro': ['same! { #[test] fn a() { assert_eq!(f(2), 4); } }', 3],
  'inside a function': ['fn a() {\n  #[test]\n  fn b() { assert_eq!(f(2), 4); }\n}', 4],
  'under a condition': ['#[cfg_attr(all(), test)]\nfn a() { assert_eq!(f(2), 4); }', 3],
  'in a module under a condition': ['#[cfg(any(test, unix))]\nmod a { fn b() {} }', 3],
  'that ask whether they are tested': ['fn a() { if cfg!(test) { assert_eq!(f(2), 4) } }', 3],
  'that are ignored': ['#[test]\n#[ignore]\nfn a() { assert_eq!(f(2), 4); }', 4],
  'that has to panic in an unknown way': ['#[test]\n#[should_panic(message = "a")]\nfn a() { f(2); }', 4],
  'in documentation': ['/// Squares.\n/// ```\n/// assert_eq!(f(2), 4);\n/// ```\nfn a() {}', 4],
  'in documentation of a block': ['/**\n * ```rust\n * assert_eq!(f(2), 4);\n * ```\n */\nfn a() {}', 4],
};

test.each(Object.entries(unrun))('tests %s are refused by name', (_, [tests, line]) => {
  expect(() => build(tests)).toThrow(
    expect.objectContaining({
      code: 'TESTS_INVALID',
      message: expect.stringMatching(`^The tests have a test that would not run on line ${line} `),
    }),
  );
});

test('accepts code that only looks like a test', () => {
  const documented = '/// ```text\n/// a\n/// ```\n/// and\n/// ```ignore\n/// b\n/// ```\nfn a() {}\n';
  const quoted = '// #[test]\nconst A: &str = "#[test]";\n#[allow(dead_code)]\nfn b() {}\n';
  const module = '#[cfg(test)]\nmod tests { use super::*; #[test] fn c() { f(1); } }';
  const judge = build(documented + quoted + module);
  expect(judge).toContain('(runs as fn()');
  expect(judge).toContain('(tests::c as fn()');
});

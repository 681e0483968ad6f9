import { describe, expect, test } from 'vitest';
import { loadDataset } from '../../../dataset/load.ts';
import type { Check } from '../../../lib/core/attempt.ts';
import type { ExecuteRequest, Execution } from '../../../lib/core/ports.ts';
import type { Task } from '../../../lib/core/task.ts';
import type { Verdict } from '../../../lib/core/verdict.ts';
import { createSearchClock } from '../../../lib/repair/enumerate/search-clock.ts';
import { docstringExamples, knownChecks } from '../../../lib/repair/examples/examples.ts';
import { judgePrograms, suitesOf } from '../../../lib/repair/screen/judge-programs.ts';
import { testsInvalid } from '../../../lib/sandbox/errors.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import type { CompiledLanguage } from '../../extra/compiled/toolchains.ts';

/** The header of a function f, an example of it, and the assertion; null if the example does not fit the types. */
const cases: Readonly<Record<CompiledLanguage, readonly (readonly [string, string, string | null])[]>> = {
  go: [
    ['func f(a []int, b int) int', 'f([]int{1, -2}, 3) -> 4', 'assert.Equal(4, f([]int{1, -2}, 3))'],
    ['func f(a, b string) bool', 'f(\'a\', "b") == true', 'assert.Equal(true, f("a", "b"))'],
    ['func f(a []int) [2]int', '>>> f([1, 2])\n(1, 2)', 'assert.Equal([2]int{1, 2}, f([]int{1, 2}))'],
    ['func f(a int64) float64', 'f(1) => 0.5', 'assert.InDelta(0.5, f(1), 1e-6)'],
    ['func f(a rune) uint8', "f('x') => 3", "assert.Equal(uint8(3), f('x'))"],
    ['func f(a []string) []string', 'f([]string{}) returns []', 'assert.Empty(f([]string{}))'],
    ['func f(a []any) any', 'f([]any{1, "x", nil}) returns nil', 'assert.Nil(f([]any{1, "x", nil}))'],
    ['func f(a map[string]int) int', 'f({"a": 1}) is 1', 'assert.Equal(1, f(map[string]int{"a": 1}))'],
    ['func f(a int) (int, error)', 'f(1) == 2', null],
    ['func f(a ...int) int', 'f(1) == 2', null],
    ['func f(a uint) int', 'f(-1) == 2', null],
    ['func f(a int) int', 'f("1") == 2', null],
    ['func f(a int) int', 'f(1, 2) == 2', null],
  ],
  rust: [
    ['fn f(a: &[i32], b: u8) -> i64', 'f(&[1, -2], 3) -> 4', 'assert_eq!(f(&[1, -2], 3), 4);'],
    ['fn f(a: &str) -> String', 'f("a") == "b".to_string()', 'assert_eq!(f("a"), String::from("b"));'],
    ["fn f<'a>(a: &'a Vec<&str>) -> char", 'f(&vec!["x"]) == \'y\'', 'assert_eq!(f(&vec!["x"]), \'y\');'],
    ['fn f(a: f32) -> f64', 'f(1) -> 0.5', 'assert!((f(1.0) - 0.5).abs() < 1e-6);'],
    ['fn f(a: Vec<f64>) -> Option<i32>', 'f(vec![]) returns None', 'assert_eq!(f(Vec::<f64>::new()), None);'],
    ['fn f(a: (i32, bool)) -> Option<i32>', 'f((1, true)) => Some(2)', 'assert_eq!(f((1, true)), Some(2));'],
    ['fn f(a: usize) -> Vec<i32>', 'f(0) -> []', 'assert_eq!(f(0), Vec::<i32>::new());'],
    ['fn f(a: Result<i32, String>) -> i32', 'f(1) == 2', null],
    ['fn f(a: u8) -> i32', 'f(-1) == 2', null],
  ],
  cpp: [
    ['int f(vector<int> a, int b)', 'f({1, -2}, 3) -> 4', 'assert(f(vector<int>{1, -2}, 3) == 4);'],
    ['bool f(const string &a)', 'f("a") => true', 'assert(f(std::string("a")) == true);'],
    ['float f(double a)', 'f(1) => 0.5', 'assert(std::fabs(f(1.0) - (0.5)) < 1e-4);'],
    [
      'int f(std::vector<int>& a)',
      'f({1}) = 1',
      '{ auto hefix_0 = std::vector<int>{1}; assert(f(hefix_0) == 1); }',
    ],
    ['pair<int, char> f(long long a)', "f(1) == {2, 'x'}", "assert(f(1) == pair<int, char>{2, 'x'});"],
    ['char *f(int a)', 'f(1) == "a"', null],
    ['int f(int a[])', 'f({1}) == 1', null],
    ['int f(int a)', 'f(1.5) == 1', null],
  ],
  java: [
    [
      'int f(int[] a, long b)',
      'f(new int[] {1, -2}, 3) -> 4',
      'assert new S().f(new int[] {1, -2}, 3L) == 4;',
    ],
    ['String f(char a)', 'f(\'a\') == "b"', 'assert Objects.equals(new S().f(\'a\'), "b");'],
    ['double f(double a)', 'f(1) => 0.5', 'assert Math.abs(new S().f(1.0) - 0.5) < 1e-6;'],
    [
      'int[][] f(int a)',
      'f(1) == [[1], [2]]',
      'assert Arrays.deepEquals(new S().f(1), new int[][] {new int[] {1}, new int[] {2}});',
    ],
    [
      'Optional<Integer> f(List<String> a)',
      'f(Arrays.asList("x")) returns Optional[3]',
      'assert Objects.equals(new S().f(new ArrayList<String>(Arrays.<String>asList("x"))), Optional.of(3));',
    ],
    ['int f(int... a)', 'f(1) == 2', null],
    ['int f(int a)', 'f(1.5) == 2', null],
  ],
};

const taskOf = (language: CompiledLanguage, header: string, docstring: string): Task => {
  const declaration = language === 'java' ? `class S { public ${header} {` : `${header} {`;
  const buggy = language === 'java' ? `${declaration} } }` : `${declaration} }`;
  const rest = { canonical: '', tests: '', exampleTests: '', bugType: null };
  return { id: 't', language, entryPoint: 'f', docstring, declaration, buggy, ...rest };
};

describe.each(Object.keys(cases) as CompiledLanguage[])('docstring examples in %s', language => {
  test.each(cases[language])('%s: %j', async (header, docstring, expected) => {
    const parser = await openParser(language);
    const found = await docstringExamples(parser, taskOf(language, header, docstring));
    expect(found).toEqual(expected === null ? [] : [expected]);
  });

  test('are read in nearly all tasks of the bundled set', async () => {
    const parser = await openParser(language);
    const { tasks } = await loadDataset(`mini-${language}`);
    const all = await Promise.all(tasks.map(task => docstringExamples(parser, task)));
    const read = all.filter(examples => examples.length > 0);
    expect(read.length).toBeGreaterThanOrEqual(tasks.length - 1);
  });
});

const add = taskOf('go', 'func f(a, b int) int', 'f(1, 2) -> 3\nf(0, 4) -> 4');

test('what a failure reveals joins the examples', async () => {
  const parser = await openParser('go');
  const message = 'f(2, 2) returned 0, but the tests want 4.';
  const failed: Verdict = { kind: 'failed', message, expected: '4', actual: '0' };
  const options = { feedback: 'tests', examples: true } as const;
  await expect(knownChecks(parser, add, [{ verdict: failed }], options)).resolves.toEqual([
    { source: 'docstring', code: 'assert.Equal(3, f(1, 2))' },
    { source: 'docstring', code: 'assert.Equal(4, f(0, 4))' },
    { source: 'revealed', code: 'assert.Equal(4, f(2, 2))' },
  ]);
});

test('a dataset’s example tests are used where the docstring has no examples', async () => {
  const parser = await openParser('go');
  const task = { ...add, docstring: 'Adds.', exampleTests: 'package main\n…' };
  await expect(knownChecks(parser, task, [], { feedback: 'tests', examples: true })).resolves.toEqual([
    { source: 'dataset', code: 'package main\n…' },
  ]);
});

describe('candidates of a compiled language', () => {
  const checks: Check[] = [
    { source: 'docstring', code: 'assert.Equal(3, f(1, 2))' },
    { source: 'docstring', code: 'assert.Equal(4, f(0, 4))' },
  ];
  const candidates = ['first check', 'second check', 'right', 'unused'];

  /** Fails on the check that the candidate names. */
  const executeIn = (asked: ExecuteRequest[]) => async (request: ExecuteRequest) => {
    asked.push(request);
    const failing = ['first check', 'second check'].indexOf(request.candidate);
    const test = { line: 1, source: checks[failing]?.code ?? '' };
    const kind = failing === -1 ? ('passed' as const) : ('failed' as const);
    return { verdict: { kind, message: '', test }, seconds: 0.1 } as Execution;
  };
  const screen = async (execute: (request: ExecuteRequest) => Promise<Execution>) => {
    const clock = createSearchClock(10);
    return await judgePrograms({ execute }, add, candidates, await suitesOf(add, checks), { clock });
  };

  test('are tried on all checks in one program, which tells how many they pass', async () => {
    const asked: ExecuteRequest[] = [];
    const trials = await screen(executeIn(asked));
    expect(trials.map(({ assertionsPassed }) => assertionsPassed)).toEqual([0, 1, 2]);
    expect(trials.map(({ firstFailing }) => firstFailing)).toEqual([0, 1, null]);
    expect(asked.map(({ candidate }) => candidate)).toEqual(['first check', 'second check', 'right']);
    for (const { code } of checks) expect(asked[0]?.tests).toContain(`\t${code}\n`);
  });

  test('are not rejected by examples that do not compile', async () => {
    const trials = await screen(async () => {
      throw testsInvalid('do not compile');
    });
    expect(trials.map(({ outcome }) => outcome)).toEqual(['passed']);
  });
});

import { expect, test } from 'vitest';
import { describeCompiled } from './toolchains.ts';

interface Sample {
  readonly declaration: string;
  /** Wrong for 1, and an exception for 3. */
  readonly wrong: string;
  /** Right from its second call on. */
  readonly later: string;
  readonly right: string;
  /** Assertions about these numbers, one a line. */
  readonly tests: (numbers: readonly number[]) => string;
  /** The line of the first. */
  readonly first: number;
}

const cpp = '#include <stdexcept>\nusing namespace std;\nint f(int n) {\n';
const rust = 'fn f(n: i32) -> i32 {\n';
const go = 'func F(n int) int {\n';
const java = 'import java.util.*;\n\nclass Solution {\n    public int f(int n) {\n';
const lines = (numbers: readonly number[], line: (n: number) => string, end = '\n') =>
  numbers.map(line).join(end);

const samples: Readonly<Record<'cpp' | 'go' | 'java' | 'rust', Sample>> = {
  cpp: {
    declaration: cpp,
    wrong: `${cpp}  if (n == 3) throw runtime_error("three");\n  return n < 5 ? n : 2 * n;\n}\n`,
    later: `${cpp}  static int calls = 0;\n  return calls++ > 0 ? 2 * n : -1;\n}\n`,
    right: `${cpp}  return 2 * n;\n}\n`,
    tests: numbers =>
      `#undef NDEBUG\n#include <assert.h>\nint main() {\n${lines(numbers, n => `  assert(f(${n}) == ${2 * n});`)}\n}\n`,
    first: 4,
  },
  go: {
    declaration: go,
    wrong: `${go}\tif n == 3 {\n\t\tpanic("three")\n\t}\n\tif n < 5 {\n\t\treturn n\n\t}\n\treturn 2 * n\n}\n`,
    later: `var calls = 0\n\n${go}\tcalls++\n\tif calls > 1 {\n\t\treturn 2 * n\n\t}\n\treturn -1\n}\n`,
    right: `${go}\treturn 2 * n\n}\n`,
    tests: numbers =>
      `package main\n\nimport (\n\t"testing"\n\t"github.com/stretchr/testify/assert"\n)\n\nfunc TestF(t *testing.T) {\n\tassert := assert.New(t)\n${lines(numbers, n => `\tassert.Equal(${2 * n}, F(${n}))`)}\n}\n`,
    first: 10,
  },
  java: {
    declaration: java,
    wrong: `${java}        if (n == 3) throw new IllegalStateException("three");\n        return n < 5 ? n : 2 * n;\n    }\n}\n`,
    later: `${java.replace('    public', '    static int calls = 0;\n    public')}        return calls++ > 0 ? 2 * n : -1;\n    }\n}\n`,
    right: `${java}        return 2 * n;\n    }\n}\n`,
    tests: numbers =>
      `public class Main {\n    public static void main(String[] args) {\n        Solution s = new Solution();\n        List<Boolean> correct = Arrays.asList(\n${lines(numbers, n => `            s.f(${n}) == ${2 * n}`, ',\n')}\n        );\n        if (correct.contains(false)) throw new AssertionError();\n    }\n}\n`,
    first: 5,
  },
  rust: {
    declaration: rust,
    wrong: `${rust}    if n == 3 { panic!("three") }\n    if n < 5 { n } else { 2 * n }\n}\n`,
    later: `use std::sync::atomic::{AtomicU32, Ordering};\nstatic CALLS: AtomicU32 = AtomicU32::new(0);\n${rust}    if CALLS.fetch_add(1, Ordering::SeqCst) > 0 { 2 * n } else { -1 }\n}\n`,
    right: `${rust}    2 * n\n}\n`,
    tests: numbers =>
      `#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn works() {\n${lines(numbers, n => `        assert_eq!(f(${n}), ${2 * n});`)}\n    }\n}\n`,
    first: 6,
  },
};

for (const language of ['cpp', 'go', 'java', 'rust'] as const)
  describeCompiled(language, `counting in ${language}`, judge => {
    const { declaration, wrong, later, right, tests, first } = samples[language];
    const entryPoint = language === 'go' ? 'F' : 'f';
    const run = (candidate: string, numbers: readonly number[], counts = true) =>
      judge({ candidate, tests: tests(numbers), entryPoint, declaration, counts });

    test('assertions are counted after the first failure', async () => {
      const { verdict, counts } = await run(wrong, [6, 1, 2, 5]);
      expect(verdict).toMatchObject({ kind: 'failed', test: { line: first + 1 } });
      expect(counts).toMatchObject({
        passed: 2,
        failed: 2,
        failing: [{ line: first + 1, source: verdict.test?.source }, { line: first + 2 }],
      });
      expect(counts?.partial).toBeUndefined();
    });

    test('assertions after an exception are not reached', async () => {
      const { verdict, counts } = await run(wrong, [6, 1, 3, 5]);
      // Java's comparisons are judged once all are made.
      expect(verdict.kind).toBe(language === 'java' ? 'raised' : 'failed');
      expect(counts).toMatchObject({ passed: 1, partial: true });
    });

    test('a candidate that passes, or that nobody wants counts of, has none', async () => {
      expect((await run(right, [6, 1])).counts).toBeUndefined();
      expect((await run(wrong, [6, 1], false)).counts).toBeUndefined();
    });

    test('a candidate that is right later has failed', async () => {
      const { verdict, judge: how } = await run(later, [6, 1]);
      expect([verdict.kind, how]).toEqual(['failed', 'proven']);
    });
  });

describeCompiled('rust', 'kinds of assertions in rust', judge => {
  const run = (lines: readonly string[]) =>
    judge({
      candidate: 'fn f(n: i32) -> i32 {\n    n\n}\n',
      tests: `#[test]\nfn first() -> Result<(), String> {\n${lines.map(line => `    ${line}\n`).join('')}    Ok(())\n}\n#[test]\nfn last() {\n    assert!(f(2) > 1, "{} is too small", 2);\n}\n`,
      entryPoint: 'f',
      declaration: rust,
      counts: true,
    });

  test('assertions of all forms are counted, in all tests', async () => {
    const { verdict, counts } = await run([
      'let left = vec![f(1)];',
      'assert!(left == vec![1], "{left:?} of {}", 1);',
      'assert_ne!(f(1), 1, "is {left:?}",);',
      'assert_eq!(left, [1]);',
      'assert!(f(3) == 4);',
      'assert_eq!(Ok::<i32, String>(f(4))?, 4);',
    ]);
    expect(verdict).toMatchObject({ kind: 'failed', test: { line: 5 } });
    expect(counts).toMatchObject({ passed: 4, failed: 2, failing: [{ line: 5 }, { line: 7 }] });
    expect(counts?.partial).toBeUndefined();
  });

  test('the message of an assertion is its own', async () => {
    const { verdict } = await run(['assert!(f(3)   == 4 && vec![1,2].len() == 2);']);
    expect(verdict.message).toBe('The assertion failed: f(3) == 4 && vec![1,2].len() == 2.');
  });

  test('assertions after a panic are not reached, but other tests are', async () => {
    const { counts } = await run(['assert_eq!(f(1), 2);', 'None::<i32>.unwrap();', 'assert_eq!(f(1), 1);']);
    expect(counts).toMatchObject({ passed: 1, failed: 1, failing: [{ line: 3 }], partial: true });
  });
});

import { expect, test } from 'vitest';
import { type CompiledLanguage, describeCompiled } from './toolchains.ts';

/** Without a declaration, the candidate's own header says which types cross; tests that mean others do not compile. */

interface Program {
  readonly entryPoint: string;
  /** Takes a text where the tests give a whole number. */
  readonly candidate: string;
  readonly broken: string;
  readonly right: string;
  readonly tests: string;
  /** As the tests write it. */
  readonly call: string;
}

const go = 'package main\n\nimport (\n\t"testing"\n\t"github.com/stretchr/testify/assert"\n)\n\n';
const programs: Readonly<Record<CompiledLanguage, Program>> = {
  go: {
    entryPoint: 'F',
    candidate: 'func F(x string) string { return x }',
    broken: 'func F(x string) string { return 1 }',
    right: 'func F(x int) int { return x + 1 }',
    call: 'F(2)',
    tests: `${go}func TestF(t *testing.T) {\n\tassert.Equal(t, 3, F(2))\n}\n`,
  },
  rust: {
    entryPoint: 'f',
    candidate: 'fn f(x: String) -> String { x }',
    broken: 'fn f(x: String) -> String { 1 }',
    right: 'fn f(x: i32) -> i32 { x + 1 }',
    call: 'f(2)',
    tests:
      '#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn test_f() {\n        assert_eq!(f(2), 3);\n    }\n}\n',
  },
  cpp: {
    entryPoint: 'f',
    candidate: '#include <string>\nstd::string f(std::string x) { return x; }',
    broken: '#include <string>\nstd::string f(std::string x) { return std::vector<int>(); }',
    right: 'int f(int x) { return x + 1; }',
    call: 'f(2)',
    tests: '#undef NDEBUG\n#include <assert.h>\nint main() {\n    assert(f(2) == 3);\n}\n',
  },
  java: {
    entryPoint: 'f',
    candidate: 'class Solution { String f(String x) { return x; } }',
    broken: 'class Solution { String f(String x) { return 1; } }',
    right: 'class Solution { int f(int x) { return x + 1; } }',
    call: 'new Solution().f(2)',
    tests: 'class Main { public static void main(String[] args) { assert new Solution().f(2) == 3; } }',
  },
};

for (const [language, program] of Object.entries(programs)) {
  const { entryPoint, candidate, broken, right, call, tests } = program;
  describeCompiled(
    language as CompiledLanguage,
    `a wrong type in ${language} without a declaration`,
    judge => {
      test('is a wrong signature', async () => {
        const { verdict } = await judge({ entryPoint, candidate, tests });
        expect(verdict).toMatchObject({
          kind: 'signature',
          message: expect.stringMatching(
            `^The tests do not compile with the types of ${entryPoint}: line \\d+: \\w`,
          ),
        });
      });

      test('is a syntax error where the candidate does not compile', async () => {
        const { verdict } = await judge({ entryPoint, candidate: broken, tests });
        expect(verdict).toMatchObject({ kind: 'syntax' });
      });

      test('is one with a reference too, whose types are those of the tests', async () => {
        const verdicts = [candidate, right].map(async each => {
          const { verdict } = await judge({ entryPoint, candidate: each, tests, reference: right });
          return verdict.kind;
        });
        expect(await Promise.all(verdicts)).toEqual(['signature', 'passed']);
      });

      test('does not excuse tests that use an undefined name, or do not fit the reference', async () => {
        const faulty = tests.replace(call, 'unknown(2)');
        await expect(judge({ entryPoint, candidate: right, tests: faulty })).rejects.toMatchObject({
          code: 'TESTS_INVALID',
        });
        const other = { entryPoint, candidate: right, tests, reference: candidate };
        await expect(judge(other)).rejects.toMatchObject({ code: 'TESTS_INVALID' });
      });

      test('does not excuse tests that are no program', async () => {
        const cut = tests.slice(0, tests.lastIndexOf('}'));
        await expect(judge({ entryPoint, candidate, tests: cut })).rejects.toMatchObject({
          code: 'TESTS_INVALID',
        });
      });
    },
  );
}

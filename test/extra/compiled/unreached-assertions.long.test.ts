import { expect, test } from 'vitest';
import { type CompiledLanguage, describeCompiled } from './toolchains.ts';

interface Sample {
  readonly declaration: string;
  readonly empty: string;
  readonly right: string;
  /** One that does not check the result if it is empty. */
  readonly tests: string;
  /** The same, and the tests can fail in another way. */
  readonly otherTests: string;
}

const cppTests = (end: string): string =>
  `#undef NDEBUG\n#include <assert.h>\nint main() {\n  for (int x : small({1, 5})) assert(x < 3);\n  ${end}\n}\n`;
const rustTests = (end: string): string =>
  `#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn test_small() {\n        for x in small(vec![1, 5]) {\n            assert!(x < 3, "{} is not small", x);\n        }\n        ${end}\n    }\n}\n`;
const javaTests = (end: string): string =>
  `public class Main {\n    public static void main(String[] args) {\n        for (int x : new Solution().small(List.of(1, 5))) assert x < 3 : "not small";\n        ${end}\n    }\n}\n`;
const goTests = (end: string): string =>
  `package main\n\nimport (\n    "testing"\n    "github.com/stretchr/testify/assert"\n)\n\nfunc TestSmall(t *testing.T) {\n    assert := assert.New(t)\n    for _, x := range Small([]int{1, 5}) {\n        assert.Equal(true, x < 3)\n    }\n    ${end}\n}\n`;

const cpp = '#include <vector>\nusing namespace std;\nvector<int> small(vector<int> xs) {\n';
const rust = 'fn small(xs: Vec<i32>) -> Vec<i32> {\n';
const java = 'import java.util.*;\n\nclass Solution {\n    public List<Integer> small(List<Integer> xs) {\n';
const go = 'func Small(xs []int) []int {\n';

const samples: Readonly<Record<CompiledLanguage, Sample>> = {
  cpp: {
    declaration: cpp,
    empty: `${cpp}  return {};\n}\n`,
    right: `${cpp}  return {xs[0]};\n}\n`,
    tests: cppTests('return 0;'),
    otherTests: cppTests('return small({9}).size();'),
  },
  rust: {
    declaration: rust,
    empty: `${rust}    Vec::new()\n}\n`,
    right: `${rust}    vec![xs[0]]\n}\n`,
    tests: rustTests(''),
    otherTests: rustTests('if small(vec![9]).len() > 0 { panic!("not small"); }'),
  },
  java: {
    declaration: java,
    empty: `${java}        return new ArrayList<>();\n    }\n}\n`,
    right: `${java}        return List.of(xs.get(0));\n    }\n}\n`,
    tests: javaTests(''),
    otherTests: javaTests('if (new Solution().small(List.of(9)).size() > 0) throw new AssertionError();'),
  },
  go: {
    declaration: go,
    empty: `${go}    return nil\n}\n`,
    right: `${go}    return xs[:1]\n}\n`,
    tests: goTests(''),
    otherTests: goTests('if len(Small([]int{9})) > 0 { t.Fatal("not small") }'),
  },
};

for (const language of ['cpp', 'rust', 'java', 'go'] as const)
  describeCompiled(language, language, judge => {
    const { declaration, empty, right, tests, otherTests } = samples[language];
    const entryPoint = language === 'go' ? 'Small' : 'small';
    const verdictOf = async (candidate: string, given: string) =>
      (await judge({ candidate, tests: given, entryPoint, declaration })).verdict;

    test('tests that reach none of their assertions fail, unless they can fail in another way', async () => {
      expect(await verdictOf(right, tests)).toMatchObject({ kind: 'passed' });
      expect(await verdictOf(empty, tests)).toMatchObject({
        kind: 'failed',
        message: 'The tests ended without reaching one of their assertions.',
      });
      expect(await verdictOf(empty, otherTests)).toMatchObject({ kind: 'passed' });
    });
  });

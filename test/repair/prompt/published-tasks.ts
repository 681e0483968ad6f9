import type { Language, Task } from '../../../lib/core/task.ts';

/** One small invented task per language, in HumanEvalPack's format. */
export const tasks: Readonly<Record<Language, Task>> = {
  python: task('python', 'span', {
    setup: '',
    prompt:
      'from typing import List\n\n\ndef span(numbers: List[int]) -> int:\n    """ Greatest less least.\n    """\n',
    declaration: 'from typing import List\n\n\ndef span(numbers: List[int]) -> int:\n',
    buggy: '    return max(numbers) + min(numbers)\n',
    canonical: '    return max(numbers) - min(numbers)\n',
    tests: '\n\ndef check(span):\n    assert span([4, 1, 9]) == 8\n\ncheck(span)',
  }),
  js: task('js', 'span', {
    setup: '',
    prompt: '/* Greatest less least.\n  */\nconst span = (numbers) => {\n',
    declaration: '\nconst span = (numbers) => {\n',
    buggy: '  return Math.max(...numbers) + Math.min(...numbers);\n}\n\n',
    canonical: '  return Math.max(...numbers) - Math.min(...numbers);\n}\n\n',
    tests: 'const testSpan = () => {\n  console.assert(span([4, 1, 9]) === 8)\n}\n\ntestSpan()\n',
  }),
  java: task('java', 'span', {
    setup: '',
    prompt:
      'import java.util.*;\n\nclass Solution {\n    /**\n    Greatest less least.\n     */\n    public int span(List<Integer> numbers) {\n',
    declaration: 'import java.util.*;\n\nclass Solution {\n    public int span(List<Integer> numbers) {\n',
    buggy: '        return Collections.max(numbers) + Collections.min(numbers);\n    }\n}',
    canonical: '        return Collections.max(numbers) - Collections.min(numbers);\n    }\n}',
    tests:
      'public class Main {\n    public static void main(String[] args) {\n        if (new Solution().span(Arrays.asList(4, 1, 9)) != 8) throw new AssertionError();\n    }\n}\n',
  }),
  go: task('go', 'Span', {
    setup: 'import (\n    "slices"\n)\n',
    prompt: 'import (\n    "slices"\n)\n\n// Greatest less least.\nfunc Span(numbers []int) int {\n',
    declaration: '\nfunc Span(numbers []int) int {\n',
    buggy: '    return slices.Max(numbers) + slices.Min(numbers)\n}\n\n',
    canonical: '    return slices.Max(numbers) - slices.Min(numbers)\n}\n\n',
    tests:
      'func TestSpan(t *testing.T) {\n    assert := assert.New(t)\n    assert.Equal(8, Span([]int{4, 1, 9}))\n}\n',
  }),
  cpp: task('cpp', 'span', {
    setup: '',
    prompt:
      '/*\nGreatest less least.\n*/\n#include<vector>\n#include<algorithm>\nusing namespace std;\nint span(vector<int> numbers){\n',
    declaration:
      '#include<vector>\n#include<algorithm>\nusing namespace std;\nint span(vector<int> numbers){\n',
    buggy:
      '    return *max_element(numbers.begin(),numbers.end()) + *min_element(numbers.begin(),numbers.end());\n}\n\n',
    canonical:
      '    return *max_element(numbers.begin(),numbers.end()) - *min_element(numbers.begin(),numbers.end());\n}\n\n',
    tests: '#undef NDEBUG\n#include<assert.h>\nint main(){\n    assert (span({4, 1, 9}) == 8);\n}\n',
  }),
  rust: task('rust', 'span', {
    setup: '',
    prompt: 'fn main(){}\n\n/*\n Greatest less least.\n*/\nfn span(numbers: Vec<i32>) -> i32{\n',
    declaration: '\nfn span(numbers: Vec<i32>) -> i32{\n',
    buggy: '    numbers.iter().max().unwrap() + numbers.iter().min().unwrap()\n}\n',
    canonical: '    numbers.iter().max().unwrap() - numbers.iter().min().unwrap()\n}\n',
    tests:
      '\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn test_span() {\n        assert_eq!(span(vec![4, 1, 9]), 8);\n    }\n}\n',
  }),
};

interface Columns {
  /** Go's column `import`, which is part of a task's declaration but not of the published one. */
  readonly setup: string;
  readonly prompt: string;
  readonly declaration: string;
  readonly buggy: string;
  readonly canonical: string;
  readonly tests: string;
}

function task(language: Language, entryPoint: string, columns: Columns): Task {
  const { setup, prompt, tests } = columns;
  const declaration = setup === '' ? columns.declaration : `${setup}\n${columns.declaration}`;
  return {
    id: `test/${language}`,
    language,
    entryPoint,
    declaration,
    docstring: 'Greatest less least.',
    buggy: declaration + columns.buggy,
    canonical: declaration + columns.canonical,
    tests,
    exampleTests: '',
    bugType: 'operator misuse',
    published: { prompt, declaration: columns.declaration, tests },
  };
}

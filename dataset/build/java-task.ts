import { applyBugMarks, parseExamples, parseKind, textOf, trimmed } from './bug-marks.ts';

/**
 * Reads one Java task from its source file: the bug type, imports, the class `Solution` with helpers, a comment with
 * the docstring and the entry point with its bug marks, and from `public class Main {` on the tests. Returns a row
 * with the columns of HumanEvalPack's Java file, in their order.
 */
export function javaTask(id: string, source: string): Record<string, string> {
  const lines = source.trimEnd().split('\n');
  const { bugType, symptoms } = parseKind(lines[0] ?? '', '//');
  const docStart = lines.indexOf('    /**');
  const docEnd = lines.indexOf('     */', docStart);
  const testStart = lines.indexOf('public class Main {', docEnd);
  const [, signature = '', name = ''] =
    /^ {4}(public \S.* (\w+)\(.*\)) \{$/.exec(lines[docEnd + 1] ?? '') ?? [];
  if (docStart === -1 || docEnd === -1 || testStart === -1 || name === '')
    throw new Error('expected a comment, a method and tests from public class Main on');
  const before = textOf(lines.slice(1, docStart));
  const comment = lines.slice(docStart + 1, docEnd);
  const docstring = comment.map(line => line.slice(4)).join('\n');
  const { canonical, buggy } = applyBugMarks(trimmed(lines.slice(docEnd + 2, testStart)), '//');
  return {
    task_id: id,
    prompt: `${before}    /**\n${textOf(comment)}     */\n    ${signature} {\n`,
    canonical_solution: canonical.join('\n'),
    test: `${lines.slice(testStart).join('\n')}\n`,
    text: comment.join('\n'),
    declaration: `${before}    ${signature} {\n`,
    example_test: exampleTest(docstring),
    buggy_solution: buggy.join('\n'),
    bug_type: bugType,
    failure_symptoms: symptoms,
    entry_point: name,
    signature,
    docstring,
    instruction: `Write a Java function \`${signature}\` to solve the following problem:\n${docstring}`,
  };
}

/** Values of primitive types are compared with `==`. */
function exampleTest(docstring: string): string {
  const checks = parseExamples(docstring).map(({ call, value }) =>
    /^(?:-?\d|true|false|')/.test(value) ? `s.${call} == ${value}` : `s.${call}.equals(${value})`,
  );
  return [
    'public class Main {',
    '    public static void main(String[] args) {',
    '        Solution s = new Solution();',
    '        List<Boolean> correct = Arrays.asList(',
    checks.map(check => `                ${check}`).join(',\n'),
    '        );',
    '        if (correct.contains(false)) {',
    '            throw new AssertionError();',
    '        }',
    '    }',
    '}\n',
  ].join('\n');
}

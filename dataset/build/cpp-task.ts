import { applyBugMarks, parseExamples, parseKind, textOf, trimmed } from './bug-marks.ts';

/**
 * Reads one C++ task from its source file: the bug type, includes and helpers, a block comment with the docstring,
 * the entry point with its bug marks, and from `#undef NDEBUG` on the tests. Returns a row with the columns of
 * HumanEvalPack's C++ file, in their order.
 */
export function cppTask(id: string, source: string): Record<string, string> {
  const lines = source.trimEnd().split('\n');
  const { bugType, symptoms } = parseKind(lines[0] ?? '', '//');
  const docStart = lines.indexOf('/*');
  const docEnd = lines.indexOf('*/', docStart);
  const testStart = lines.indexOf('#undef NDEBUG', docEnd);
  const [, signature = '', name = ''] = /^(\S.* \*?(\w+)\(.*\)) \{$/.exec(lines[docEnd + 1] ?? '') ?? [];
  if (docStart === -1 || docEnd === -1 || testStart === -1 || name === '') {
    throw new Error('expected a comment, a function and tests from #undef NDEBUG on');
  }
  const helpers = textOf(lines.slice(1, docStart));
  const docstring = lines.slice(docStart + 1, docEnd).join('\n');
  const { canonical, buggy } = applyBugMarks(trimmed(lines.slice(docEnd + 2, testStart)), '//');
  return {
    task_id: id,
    prompt: `/*\n${docstring}\n*/\n${helpers}${signature}{\n`,
    canonical_solution: `${canonical.join('\n')}\n\n`,
    test: `${lines.slice(testStart).join('\n')}\n`,
    declaration: `${helpers}${signature}{\n`,
    example_test: exampleTest(signature.slice(0, signature.indexOf(name)).trim(), docstring),
    buggy_solution: `${buggy.join('\n')}\n\n`,
    bug_type: bugType,
    failure_symptoms: symptoms,
    entry_point: name,
    signature,
    docstring,
    instruction: `Write a C++ function \`${signature}\` to solve the following problem:\n${docstring}`,
  };
}

/** Empty where the examples are no comparisons: a function that changes its argument. */
function exampleTest(returns: string, docstring: string): string {
  if (returns === 'void') return '';
  const asserts = parseExamples(docstring).map(({ call, value }) =>
    value.startsWith('{')
      ? `    assert((${call} == ${returns}${value}));\n`
      : `    assert(${call} == ${value});\n`,
  );
  return `#undef NDEBUG\n#include <assert.h>\nint main() {\n${asserts.join('')}}\n`;
}

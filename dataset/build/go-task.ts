import { applyBugMarks, parseExamples, parseKind, textOf, trimmed } from './bug-marks.ts';

/**
 * Reads one Go task from its source file: the bug type, imports and helpers, comment lines with the docstring, the
 * entry point with its bug marks, and a function with the tests. Returns a row with the columns of HumanEvalPack's Go
 * file, in their order.
 */
export function goTask(id: string, source: string): Record<string, string> {
  const lines = source.trimEnd().split('\n');
  const { bugType, symptoms } = parseKind(lines[0] ?? '', '//');
  const header = lines.findIndex(line => /^func [A-Z]\w*\(/.test(line));
  const testStart = lines.findIndex(line => /^func Test\w+\(t \*testing\.T\) \{$/.test(line));
  const [, signature = '', entryPoint = ''] = /^(func (\w+)\(.*) \{$/.exec(lines[header] ?? '') ?? [];
  const docStart = lines.slice(0, header).findLastIndex(line => !line.startsWith('//')) + 1 || 1;
  if (entryPoint === '' || testStart <= header || docStart === header) {
    throw new Error('expected a comment, a function and a function with tests');
  }
  const importEnd = lines[1] === 'import (' ? lines.indexOf(')') + 1 : 1;
  const imports = textOf(lines.slice(1, importEnd));
  const helpers = lines.slice(importEnd, docStart).join('\n').trim();
  const comment = lines.slice(docStart, header);
  const docstring = comment.map(line => line.replace(/^\/\/ ?/, '')).join('\n');
  const before = helpers === '' ? '\n' : `\n${helpers}\n\n`;
  const { canonical, buggy } = applyBugMarks(trimmed(lines.slice(header + 1, testStart)), '//');
  return {
    task_id: id,
    prompt: `${imports}${before}${comment.join('\n')}\n${signature} {\n`,
    import: imports,
    docstring,
    declaration: `${before}${signature} {\n`,
    canonical_solution: `${canonical.join('\n')}\n\n`,
    test: `${lines.slice(testStart).join('\n')}\n`,
    test_setup: TEST_SETUP,
    example_test: exampleTest(entryPoint, docstring),
    buggy_solution: `${buggy.join('\n')}\n\n`,
    bug_type: bugType,
    failure_symptoms: symptoms,
    entry_point: entryPoint,
    signature,
    instruction: `Write a Go function \`${signature}\` to solve the following problem:\n${docstring}`,
  };
}

const TEST_SETUP = 'package main\n\nimport (\n\t"testing"\n\t"github.com/stretchr/testify/assert"\n)\n';

/** Several values are compared as a list, since assertions take one. */
function exampleTest(entryPoint: string, docstring: string): string {
  const asserts = parseExamples(docstring).map(({ call, value }) =>
    /, nil$/.test(value)
      ? `\tassert.Equal([]any{${value}}, func(values ...any) []any { return values }(${call}))\n`
      : `\tassert.Equal(${value}, ${call})\n`,
  );
  return `func Test${entryPoint}(t *testing.T) {\n\tassert := assert.New(t)\n${asserts.join('')}}\n`;
}

import { applyBugMarks, parseExamples, parseKind, textOf, trimmed } from './bug-marks.ts';

/**
 * Reads one Rust task from its source file: the bug type, imports and helpers, a block comment with the docstring, the
 * entry point with its bug marks, and from `#[cfg(test)]` on the tests. Returns a row with the columns of
 * HumanEvalPack's Rust file, in their order.
 */
export function rustTask(id: string, source: string): Record<string, string> {
  const lines = source.trimEnd().split('\n');
  const { bugType, symptoms } = parseKind(lines[0] ?? '', '//');
  const docStart = lines.indexOf('/*');
  const docEnd = lines.indexOf('*/', docStart);
  const testStart = lines.indexOf('#[cfg(test)]', docEnd);
  const [, header = '', entryPoint = '', rest = ''] =
    /^(fn (\w+)(.*)) \{$/.exec(lines[docEnd + 1] ?? '') ?? [];
  if (docStart === -1 || docEnd === -1 || testStart === -1 || entryPoint === '') {
    throw new Error('expected a comment, a function and tests from #[cfg(test)] on');
  }
  const helpers = textOf(lines.slice(1, docStart));
  const docstring = lines.slice(docStart + 1, docEnd).join('\n');
  const { canonical, buggy } = applyBugMarks(trimmed(lines.slice(docEnd + 2, testStart)), '//');
  const signature = `${entryPoint}${rest}`;
  return {
    task_id: id,
    prompt: `\nfn main(){}\n\n${helpers}/*\n${docstring}\n*/\n${header} {\n`,
    declaration: `\n${helpers}${header} {\n`,
    canonical_solution: `${canonical.join('\n')}\n\n`,
    test: `${lines.slice(testStart).join('\n')}\n`,
    example_test: exampleTest(entryPoint, docstring),
    buggy_solution: `${buggy.join('\n')}\n\n`,
    bug_type: bugType,
    failure_symptoms: symptoms,
    entry_point: entryPoint,
    signature,
    docstring,
    instruction: `Write a Rust function \`${signature}\` to solve the following problem:\n${docstring}`,
  };
}

function exampleTest(entryPoint: string, docstring: string): string {
  const asserts = parseExamples(docstring).map(
    ({ call, value }) => `        assert_eq!(${call}, ${value});\n`,
  );
  return `#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn test_${entryPoint}() {\n${asserts.join('')}    }\n}\n`;
}

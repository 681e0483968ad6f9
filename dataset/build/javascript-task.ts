import { applyBugMarks, parseExamples, parseKind, textOf, trimmed } from './bug-marks.ts';

/**
 * Reads one JavaScript task from its source file: the bug type, helpers, a block comment with the docstring,
 * the entry point as an arrow function with its bug marks, and an arrow function with the tests. Returns a
 * row with the columns of HumanEvalPack's JavaScript file, in their order.
 */
export function javascriptTask(id: string, source: string): Record<string, string> {
  const lines = source.trimEnd().split('\n');
  const { bugType, symptoms } = parseKind(lines[0] ?? '', '//');
  const docStart = lines.findIndex(line => line.startsWith('/* '));
  const docEnd = lines.indexOf('  */', docStart);
  const signature = /^(const \w+ = \(.*\)) => \{$/.exec(lines[docEnd + 1] ?? '')?.[1] ?? '';
  const testStart = lines.findIndex(line => /^const test\w+ = \(\) => \{$/.test(line));
  if (docStart === -1 || docEnd === -1 || signature === '' || testStart === -1) {
    throw new Error('expected a comment, an arrow function and an arrow function with tests');
  }
  const entryPoint = signature.split(' ')[1] ?? '';
  const testName = (lines[testStart] ?? '').split(' ')[1] ?? '';

  const helpers = textOf(lines.slice(1, docStart));
  const comment = lines.slice(docStart, docEnd + 1).join('\n');
  const docstring = comment
    .slice(3)
    .replace(/\n {2}\*\/$/, '')
    .replace(/^ {2}/gm, '');
  const { canonical, buggy } = applyBugMarks(trimmed(lines.slice(docEnd + 2, testStart)), '//');
  return {
    task_id: id,
    prompt: `${helpers}${comment}\n${signature} => {\n`,
    canonical_solution: `${canonical.join('\n')}\n\n`,
    test: `${lines.slice(testStart).join('\n')}\n\n${testName}()\n`,
    declaration: `${helpers}\n${signature} => {\n`,
    example_test: exampleTest(testName, docstring),
    buggy_solution: `${buggy.join('\n')}\n\n`,
    bug_type: bugType,
    failure_symptoms: symptoms,
    entry_point: entryPoint,
    signature,
    docstring,
    instruction: `Write a JavaScript function \`${signature}\` to solve the following problem:\n${docstring}`,
  };
}

function exampleTest(testName: string, docstring: string): string {
  const asserts = parseExamples(docstring).map(({ call, value }) =>
    /^[[{]/.test(value)
      ? `  console.assert(JSON.stringify(${call}) === JSON.stringify(${value}))\n`
      : `  console.assert(${call} === ${value})\n`,
  );
  return `const ${testName} = () => {\n${asserts.join('')}}\n${testName}()\n`;
}

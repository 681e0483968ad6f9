import { applyBugMarks, parseExamples, parseKind, trimmed } from './bug-marks.ts';

/**
 * Reads one Python task from its source file: the bug type, the program with its bug marks (the entry point
 * is the last top-level function), its docstring, and `def check(candidate)` with the tests. Returns a row
 * with the columns of HumanEvalPack's Python file, in their order.
 */
export function pythonTask(id: string, source: string): Record<string, string> {
  const lines = source.trimEnd().split('\n');
  const { bugType, symptoms } = parseKind(lines[0] ?? '', '#');
  const testStart = lines.indexOf('def check(candidate):');
  if (testStart === -1) throw new Error('there is no def check(candidate)');
  const program = trimmed(lines.slice(1, testStart));
  const header = program.findLastIndex(line => line.startsWith('def '));
  const signature = /^def (.*):$/.exec(program[header] ?? '')?.[1] ?? '';
  const entryPoint = signature.slice(0, signature.indexOf('('));
  const docEnd = program.indexOf('    """', header);
  if (entryPoint === '' || docEnd === -1)
    throw new Error('there is no function with a docstring of several lines');

  const declaration = `${program.slice(0, header + 1).join('\n')}\n`;
  const quoted = program.slice(header + 1, docEnd + 1).join('\n');
  const text = quoted
    .replace('    """ ', '    ')
    .replace(/\n {4}"""$/, '')
    .replaceAll('\\\\', '\\');
  const docstring = text.replace(/^ {4}/gm, '');
  const { canonical, buggy } = applyBugMarks(program.slice(docEnd + 1), '#');
  return {
    task_id: id,
    prompt: `${declaration}${quoted}\n`,
    canonical_solution: `${canonical.join('\n')}\n`,
    test: `${lines.slice(testStart).join('\n')}\n\ncheck(${entryPoint})`,
    text,
    declaration,
    example_test: exampleTest(entryPoint, docstring),
    buggy_solution: `${buggy.join('\n')}\n`,
    bug_type: bugType,
    failure_symptoms: symptoms,
    entry_point: entryPoint,
    signature,
    docstring,
    instruction: `Write a Python function \`${signature}\` to solve the following problem:\n${docstring}`,
  };
}

function exampleTest(entryPoint: string, docstring: string): string {
  const asserts = parseExamples(docstring).map(({ call, value }) => `    assert ${call} == ${value}\n`);
  return `def check(${entryPoint}):\n${asserts.join('')}check(${entryPoint})\n`;
}

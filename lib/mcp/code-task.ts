import { examplesUnreadable, functionMissing, functionUnnamed } from '../core/errors.ts';
import type { Language, Task } from '../core/task.ts';
import { docstringExamples } from '../search/docstring-examples.ts';
import { withDocstring, withoutDocstring } from '../syntax/docstring.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import type { Statement } from '../syntax/program.ts';

export interface GivenCode {
  readonly language: Language;
  readonly code: string;
  readonly tests?: string | undefined;
  /** Calls with their results, as in a docstring; used if there are no tests. */
  readonly examples?: string | undefined;
  readonly entryPoint?: string | undefined;
}

/** Code from a client as a task, and the way back. */
export interface CodeTask {
  readonly task: Task;
  /** The code with the candidate's version of the function. */
  codeWith(candidate: string): string;
}

/**
 * The task of repairing one top-level function. Without tests and examples, the examples of its docstring are
 * used.
 * @throws HefixError (`FUNCTION_NOT_FOUND`, `TESTS_MISSING`)
 */
export function codeTask(parser: SyntaxParser, given: GivenCode): CodeTask {
  const { language, tests, examples } = given;
  const code = given.code.replaceAll('\r\n', '\n');
  const original = functionToRepair(parser, code, given);
  const [entryPoint = ''] = original.defines;
  const at = code.lastIndexOf(original.text);
  const before = code.slice(0, at);
  const { shown, docstring, lines, header } = withoutDocstring(parser, language, original.text, before);
  const declaration = before + header;
  const assertions = (text: string) =>
    docstringExamples({ docstring: text, entryPoint, language, declaration }).join('\n');
  const asTests = tests ?? assertions(examples ?? docstring);
  if (asTests.trim() === '') {
    throw examplesUnreadable(examples === undefined ? `The docstring of ${entryPoint}` : 'The examples');
  }
  const buggy = before + shown + code.slice(at + original.text.length);
  const task: Task = {
    id: entryPoint,
    language,
    entryPoint,
    declaration,
    docstring,
    buggy,
    canonical: '',
    tests: asTests,
    exampleTests: '',
    bugType: null,
  };
  return {
    task,
    codeWith(candidate) {
      const statements = parser.statements(candidate);
      const fixed = functionsOf(statements).findLast(({ defines }) => defines.includes(entryPoint));
      if (!fixed) return candidate;
      const known = new Set(parser.statements(buggy).flatMap(({ defines }) => defines));
      const added = statements.filter(({ defines }) => defines.some(name => !known.has(name)));
      const definition = withDocstring(parser, fixed.text, lines);
      const between = language === 'python' ? '\n\n\n' : '\n\n';
      const put = [...added.map(({ text }) => text), definition].join(between);
      const whole = before + put + code.slice(at + original.text.length);
      return given.code.includes('\r\n') ? whole.replaceAll('\n', '\r\n') : whole;
    },
  };
}

function functionToRepair(parser: SyntaxParser, code: string, given: GivenCode): Statement {
  const functions = functionsOf(parser.statements(code));
  const names = [...new Set(functions.flatMap(({ defines }) => defines))];
  const called = names.filter(name => `${given.tests ?? ''}${given.examples ?? ''}`.includes(`${name}(`));
  const [only] = called.length === 1 ? called : names;
  const name = given.entryPoint ?? (called.length === 1 || names.length === 1 ? only : undefined);
  if (name === undefined) throw functionUnnamed(names);
  const found = functions.findLast(({ defines }) => defines.includes(name));
  if (!found) throw functionMissing(name, names);
  return { ...found, defines: [name] };
}

function functionsOf(statements: readonly Statement[]): Statement[] {
  return statements.filter(({ kind }) => kind === 'function');
}

import { examplesUnreadable, functionMissing, functionUnnamed } from '../core/errors.ts';
import type { Language, Task } from '../core/task.ts';
import { docstringExamples } from '../search/docstring-examples.ts';
import { docstringIn, withoutMargin } from '../syntax/docstring.ts';
import { descendants } from '../syntax/nodes.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import type { Statement } from '../syntax/program.ts';

export interface GivenCode {
  readonly language: Language;
  readonly code: string;
  readonly tests?: string | undefined;
  /** Calls with their values, written as in a docstring; they decide where there are no tests. */
  readonly examples?: string | undefined;
  readonly entryPoint?: string | undefined;
}

/** Code that someone sent, as a task, and the way back. */
export interface CodeTask {
  readonly task: Task;
  /** The code as it was sent, with the function of a candidate in it. */
  codeWith(candidate: string): string;
}

/**
 * The task to repair one function at the top level of the code. Without tests and examples, the examples of its
 * docstring decide.
 * @throws HefixError (`FUNCTION_NOT_FOUND`, `TESTS_MISSING`)
 */
export function codeTask(parser: SyntaxParser, given: GivenCode): CodeTask {
  const { language, tests, examples } = given;
  const code = given.code.replaceAll('\r\n', '\n');
  const original = functionToRepair(parser, code, given);
  const [entryPoint = ''] = original.defines;
  const at = code.lastIndexOf(original.text);
  const before = code.slice(0, at);
  const doc = language === 'python' ? splitDocstring(parser, original.text) : null;
  const shown = doc ? doc.rest : original.text;
  const docstring = doc ? doc.text : commentAbove(before);
  const declaration = before + headerOf(parser, shown);
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
      const definition = doc ? withDocstring(parser, fixed.text, doc.lines) : fixed.text;
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

/** A docstring with lines of its own, and the function without it. */
function splitDocstring(parser: SyntaxParser, definition: string) {
  const found = docstringIn(parser, definition);
  if (!found) return null;
  const { start, end, text } = found;
  const lines = definition.split('\n');
  return {
    lines: lines.slice(start, end),
    rest: [...lines.slice(0, start), ...lines.slice(end)].join('\n'),
    text,
  };
}

function withDocstring(parser: SyntaxParser, definition: string, docstring: readonly string[]): string {
  const row = parser.read(
    definition,
    root => definitionIn(root)?.childForFieldName('body')?.startPosition.row,
  );
  if (row === undefined || row === 0) return definition;
  const lines = definition.split('\n');
  return [...lines.slice(0, row), ...docstring, ...lines.slice(row)].join('\n');
}

/** The function up to where its body begins. */
function headerOf(parser: SyntaxParser, definition: string): string {
  return parser.read(definition, root => {
    const body = definitionIn(root)?.childForFieldName('body');
    if (!body) return definition;
    const opens = body.type === 'statement_block' ? 1 : 0;
    return `${definition.slice(0, body.startIndex + opens).trimEnd()}\n`;
  });
}

function definitionIn(root: Parameters<typeof descendants>[0]) {
  return descendants(root).find(
    node => node.childForFieldName('body') !== null && /function/.test(node.type),
  );
}

/** A comment in front of a function takes the place of a docstring. */
function commentAbove(before: string): string {
  const comment = /\/\*+((?:[^*]|\*(?!\/))*)\*\/\s*$/.exec(before)?.[1] ?? '';
  return withoutMargin(comment.replace(/^[^\S\n]*\*[^\S\n]?/gm, ''));
}

import { type Language, taskOfCode } from '../../core/task.ts';
import { literalPattern } from '../../core/text.ts';
import { closest } from '../../options/option.ts';
import { isCompiled } from '../../repair/enumerate/words.ts';
import { docstringExamples } from '../../repair/examples/examples.ts';
import { definitionOf } from '../../repair/prompt/extract.ts';
import { declaredKinds } from '../../sandbox/python/host/declared-kinds.ts';
import { withDocstring, withoutDocstring } from '../../syntax/docstring.ts';
import { openParser, type SyntaxParser } from '../../syntax/parser.ts';
import type { Statement } from '../../syntax/program.ts';
import { codeWithoutFunction, entryPointUnknown, examplesUnreadable } from '../errors.ts';
import { keepsExamples } from '../project/test-code.ts';
import type { CodeTask } from './code-task.ts';
import { methodsIn, methodTask } from './java-method.ts';

/** A program with its tests, as a caller gives them. */
export interface Program {
  readonly language: Language;
  /** Lines end with `\n`, unless the given ones have different endings. */
  readonly code: string;
  readonly tests: string;
  /** Functions and classes that the tests use, separated by commas, as the sandbox expects them. */
  readonly names: string;
  /** What the given program says that these names are, which a candidate cannot change; only in Python. */
  readonly declaration?: string | undefined;
  /** A task for each function that may be broken, the likeliest first. */
  readonly functions: readonly CodeTask[];
  /** A version of the program with the line endings of the code that was given. */
  asGiven(code: string): string;
}

export interface GivenProgram {
  readonly code: string;
  /** Without tests, the examples are used; without examples, those of the docstrings. */
  readonly tests?: string | undefined;
  /** Calls with their results, as in a docstring. */
  readonly examples?: string | undefined;
  /** Detected from the code by default. */
  readonly language?: Language | undefined;
  readonly entryPoint?: string | undefined;
}

/**
 * Lists the functions of a program that its tests use, then the functions that these call.
 * @throws HefixError `CODE_WITHOUT_FUNCTION` if the code has none or the tests use none of it, `ENTRY_POINT_UNKNOWN`,
 * `TESTS_MISSING` if there are neither tests nor examples that can be read
 */
export async function readProgram(input: GivenProgram): Promise<Program> {
  const language = input.language ?? (await guessLanguage(input.code));
  const isWindows = /\r\n/.test(input.code) && !/(?<!\r)\n/.test(input.code);
  const code = isWindows ? input.code.replaceAll('\r\n', '\n') : input.code;
  const parser = await openParser(language);
  const statements = parser.statements(code);
  const defined =
    language === 'java'
      ? methodsIn(statements)
      : statements.filter(({ kind }) => kind === 'function' || kind === 'class');
  const definedNames = [...new Set(defined.flatMap(({ defines }) => defines))];
  const { entryPoint } = input;
  if (definedNames.length === 0) throw codeWithoutFunction(definedNames);
  if (entryPoint !== undefined && !definedNames.includes(entryPoint)) {
    throw entryPointUnknown(entryPoint, closest(entryPoint, definedNames));
  }
  const candidates = entryPoint === undefined ? definedNames : [entryPoint];
  const tests =
    input.tests ?? (await exampleTests(parser, language, { code, examples: input.examples }, candidates));
  const used = definedNames.filter(name => mentions(tests, name, language));
  const isChecked = used.length === 0 && /^def check\(/m.test(tests);
  const first = entryPoint !== undefined ? [entryPoint] : isChecked ? definedNames.slice(-1) : used;
  const [main] = first;
  if (main === undefined) throw codeWithoutFunction(definedNames);
  const tried = entryPoint === undefined ? withHelpers(first, defined) : first;
  const whole = withCheckCalled(tests, main);
  // Judges of compiled languages are built for one function.
  const names = isCompiled(language) ? main : [...new Set([...first, ...used])].join(',');
  return {
    language,
    code,
    tests: whole,
    names,
    declaration: await declaredKinds(language, code, names),
    functions: tried.flatMap(name => codeTask(parser, language, { code, tests: whole }, name) ?? []),
    asGiven: text => (isWindows ? text.replaceAll('\n', '\r\n') : text),
  };
}

/** Assertions that the examples stand for, or those in the docstrings of these functions. */
async function exampleTests(
  parser: SyntaxParser,
  language: Language,
  { code, examples }: { readonly code: string; readonly examples: string | undefined },
  names: readonly string[],
): Promise<string> {
  const assertions: string[] = [];
  for (const entryPoint of names) {
    const task = codeTask(parser, language, { code, tests: '' }, entryPoint)?.task;
    if (task)
      assertions.push(
        ...(await docstringExamples(parser, { ...task, docstring: examples ?? task.docstring })),
      );
  }
  if (assertions.length === 0) {
    const [only] = names.length === 1 ? names : [];
    const ofCode = only === undefined ? 'No docstring of the code' : `The docstring of ${only}`;
    throw examplesUnreadable(examples === undefined ? ofCode : 'The examples');
  }
  return `${[...new Set(assertions)].join('\n')}\n`;
}

function codeTask(
  parser: SyntaxParser,
  language: Language,
  { code, tests }: Pick<Program, 'code' | 'tests'>,
  name: string,
): CodeTask | null {
  if (language === 'java') return methodTask(parser, { code, tests }, name);
  const definition = definitionAt(parser, code, name);
  if (definition === null) return null;
  const { start, text } = definition;
  const { shown, docstring, lines, header } = withoutDocstring(parser, language, text, code.slice(0, start));
  const before = code.slice(0, start);
  const after = code.slice(start + text.length);
  return {
    task: taskOfCode({
      id: name,
      language,
      entryPoint: name,
      declaration: `${before}${header}`,
      docstring,
      buggy: `${before}${shown}${after}`,
      tests,
    }),
    codeWith(candidate) {
      const statements = parser.statements(candidate);
      const fixed = definitionOf(statements, name);
      if (fixed === null) return null;
      const isTest = ({ defines }: Statement) => defines.some(each => /^test/i.test(each));
      const others = statements.filter(
        other => other !== fixed && !isTest(other) && !code.includes(other.text),
      );
      const original = parser.statements(code);
      const isKnown = (other: Statement) => original.some(one => definesSame(one, other));
      const added = others.filter(other => other.kind !== 'other' && !isKnown(other));
      const above = others.filter(isKnown).reduce((so, other) => replaced(so, original, other), before);
      const below = others.filter(isKnown).reduce((so, other) => replaced(so, original, other), after);
      const helpers = added.map(statement => `${statement.text}\n\n\n`).join('');
      const whole = `${above}${helpers}${withDocstring(parser, fixed.text, lines)}${below}`;
      return keepsExamples(code, whole) ? whole : null;
    },
  };
}

function definesSame(one: Statement, other: Statement): boolean {
  return other.defines.length > 0 && one.defines.join() === other.defines.join();
}

/** Replaces the last statement that defines the same name in a part of the program. */
function replaced(part: string, original: readonly Statement[], other: Statement): string {
  const old = original.findLast(one => definesSame(one, other));
  const start = old ? part.lastIndexOf(old.text) : -1;
  if (!old || start === -1) return part;
  return part.slice(0, start) + other.text + part.slice(start + old.text.length);
}

/** The last definition of a name, which is the effective one. */
function definitionAt(parser: SyntaxParser, code: string, name: string) {
  const definition = definitionOf(parser.statements(code), name);
  const start = definition ? code.lastIndexOf(definition.text) : -1;
  return definition && start !== -1 ? { start, text: definition.text } : null;
}

/** The names, followed by the functions that they call, directly or indirectly. */
function withHelpers(names: readonly string[], defined: readonly Statement[]): string[] {
  const all = [...names];
  for (const name of all) {
    const needs = defined.findLast(({ defines }) => defines.includes(name))?.needs ?? [];
    const helpers = needs.filter(need => defined.some(({ defines }) => defines.includes(need)));
    all.push(...helpers.filter(helper => !all.includes(helper)));
  }
  return all;
}

/** HumanEval's tests define `check(candidate)`; adds the call if it is missing. */
function withCheckCalled(tests: string, name: string): string {
  const isDefinedOnly = /^def check\(/m.test(tests) && !/^check\(/m.test(tests);
  return isDefinedOnly ? `${tests.trimEnd()}\n\ncheck(${name})\n` : tests;
}

/** Java's tests call methods of an object. */
function mentions(tests: string, name: string, language: Language): boolean {
  const others = language === 'java' ? '[\\w$]' : '[\\w$.]';
  return new RegExp(`(?<!${others})${literalPattern(name)}(?![\\w$])`).test(tests);
}

/** Python, unless only the JavaScript parser accepts the code. */
async function guessLanguage(code: string): Promise<Language> {
  if ((await openParser('python')).parses(code)) return 'python';
  return (await openParser('js')).parses(code) ? 'js' : 'python';
}

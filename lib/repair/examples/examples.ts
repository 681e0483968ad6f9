import type { Attempt, Check, Search } from '../../core/attempt.ts';
import type { Feedback } from '../../core/choices.ts';
import type { Language, Task } from '../../core/task.ts';
import { literalPattern } from '../../core/text.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { isCompiled } from '../enumerate/words.ts';
import type { TypedExamples } from './assertions/typed-assertions.ts';
import { type Literal, readLiteral, type Value } from './literals.ts';

interface KnownOptions {
  readonly feedback: Feedback;
  /** Whether the docstring's examples are used. */
  readonly examples: boolean;
}

/**
 * Everything that is known about a task when its next candidate is selected, as assertions: the docstring's
 * examples, and the assertion that each failure so far has revealed. Empty with feedback `none`, where
 * nothing may be run.
 */
export async function knownChecks(
  parser: SyntaxParser,
  task: Task,
  attempts: readonly Pick<Attempt, 'verdict'>[],
  { feedback, examples }: KnownOptions,
): Promise<Check[]> {
  if (feedback === 'none') return [];
  const revealed: string[] = [];
  for (const { verdict } of attempts) {
    const code = verdict ? await revealedCheck(parser, task, verdict) : null;
    if (code !== null) revealed.push(code);
  }
  const all = [
    ...(examples ? await shownChecks(parser, task) : []),
    ...revealed.map(code => ({ source: 'revealed' as const, code })),
  ];
  return all.filter(({ code }, index) => all.findIndex(other => other.code === code) === index);
}

async function shownChecks(parser: SyntaxParser, task: Task): Promise<Check[]> {
  const { examples, source } = await exampleSuite(parser, task);
  if (source === 'docstring') return examples.map(code => ({ source, code }));
  if (isCompiled(task.language)) return examples.map(code => ({ source: 'dataset', code }));
  // The dataset's example tests may be a program: its self-contained assertions are used.
  const lines = examples.flatMap(example => example.split('\n'));
  return lines.flatMap(line => {
    const code = standaloneAssertion(parser, task, line.trim());
    return code === null ? [] : [{ source: 'dataset' as const, code }];
  });
}

/**
 * The assertion that a verdict reveals: the line of the tests if it is self-contained, otherwise the call
 * with the expected value, or that it should return. Null if that was shortened, or has another form.
 */
async function revealedCheck(parser: SyntaxParser, task: Task, verdict: Verdict): Promise<string | null> {
  if (!revealingKinds.includes(verdict.kind)) return null;
  const { test, message, expected } = verdict;
  if (isCompiled(task.language)) return await revealedExample(parser, task, verdict);
  const line = test ? standaloneAssertion(parser, task, test.source) : null;
  if (line !== null) return line;
  const call = callIn(parser, task, message);
  if (call === null) return null;
  if (verdict.kind !== 'failed') return returns(call, task);
  if (expected === undefined || !message.includes(' returned ')) return null;
  return comparison(parser, call, expected, task);
}

/** In compiled languages, only the value of a call is an assertion. */
async function revealedExample(
  parser: SyntaxParser,
  task: Task,
  { message, expected }: Verdict,
): Promise<string | null> {
  if (expected === undefined || message.includes('…')) return null;
  const call = new RegExp(`^(?:\\w+\\.)?(${literalPattern(task.entryPoint)}\\(.*\\)) returned `, 's').exec(
    message,
  )?.[1];
  if (call === undefined) return null;
  const [assertion] = await docstringExamples(parser, { ...task, docstring: `>>> ${call}\n${expected}` });
  return assertion ?? null;
}

const revealingKinds: readonly string[] = ['failed', 'raised', 'timeout', 'memory', 'exited'];

/** An assertion that uses only the function, under the name that the tests use, and builtins. */
function standaloneAssertion(parser: SyntaxParser, task: Task, source: string): string | null {
  const isAssertion = task.language === 'js' ? /^console\.assert\(/ : /^assert\b/;
  if (!isAssertion.test(source) || source.includes('…')) return null;
  const [statement, ...others] = parser.statements(source);
  if (!statement?.parses || others.length > 0) return null;
  const definedNames = new Set(parser.statements(task.buggy).flatMap(({ defines }) => defines));
  const isKnown = (name: string) =>
    name === task.entryPoint || definedNames.has(name) || builtins[task.language]?.has(name);
  const unknown = [...new Set(statement.needs.filter(name => !isKnown(name)))];
  if (unknown.length === 0) return statement.text;
  // HumanEval's `check(candidate)`: the only name that is called instead of the function's own.
  if (unknown.length > 1 || unknown[0] !== 'candidate') return null;
  return statement.text.replaceAll(/\bcandidate(?=\s*\()/g, task.entryPoint);
}

const builtins: Partial<Record<Task['language'], ReadonlySet<string>>> = {
  python: new Set(
    'abs all any bool bytes dict enumerate filter float frozenset int isinstance len list map max min range repr reversed round set sorted str sum tuple type zip None True False'.split(
      ' ',
    ),
  ),
  js: new Set('console JSON Math Number Object Array String Set Map Infinity NaN undefined'.split(' ')),
};

/** `f([1, 2]) returned 3, …`: the call, if it can be repeated. */
function callIn(parser: SyntaxParser, { entryPoint }: Task, message: string): string | null {
  const call = /^(.*?\)) (?:returned|raised|did not return|ended the process)\b/s.exec(message)?.[1];
  if (!call?.startsWith(`${entryPoint}(`) || call.includes('…')) return null;
  const [statement, ...others] = parser.statements(call);
  const isPlain =
    statement?.parses && statement.needs.every(name => name === entryPoint || valueNames.has(name));
  return isPlain && others.length === 0 ? call : null;
}

const valueNames = new Set(['None', 'True', 'False', 'undefined', 'NaN', 'Infinity', 'set', 'frozenset']);

function comparison(parser: SyntaxParser, call: string, expected: string, { language }: Task): string | null {
  const [, value = expected, tolerance] = /^(.*) within ([-+.\de]+)$/s.exec(expected) ?? [];
  const truth = /^a (true|false) value$/.exec(value)?.[1];
  if (value.includes('…')) return null;
  if (language === 'js') {
    if (truth) return `console.assert(${truth === 'true' ? '' : '!'}${call})`;
    if (!parser.parses(`(${value})`)) return null;
    if (tolerance) return `console.assert(Math.abs(${call} - (${value})) <= ${tolerance})`;
    return `console.assert(JSON.stringify(${call}) === JSON.stringify(${value}))`;
  }
  if (truth) return `assert ${truth === 'true' ? '' : 'not '}${call}`;
  const [statement] = parser.statements(value);
  if (!statement?.parses || statement.needs.some(name => !valueNames.has(name))) return null;
  if (tolerance) return `assert abs(${call} - ${value}) <= ${tolerance}`;
  return `assert ${call} == ${value}`;
}

/** Asserts that a call returns. */
function returns(call: string, { language }: Task): string {
  return language === 'js' ? `console.assert([${call}].length === 1)` : `assert (${call},)`;
}

/** The task as the search tries candidates on it, and the source of its examples. */
interface TriedOn {
  readonly task: Task;
  readonly triedOn: Search['tried_on'];
}

/**
 * With feedback `examples`, the docstring's examples replace the dataset's example tests, which are used only
 * if none can be parsed, and in compiled languages.
 */
export async function triedOn(parser: SyntaxParser, task: Task, feedback: Feedback): Promise<TriedOn> {
  if (feedback === 'tests') return { task, triedOn: 'tests' };
  if (feedback === 'none') return { task, triedOn: 'nothing' };
  // In compiled languages, the dataset's are programs with the right types.
  if (isCompiled(task.language) && task.exampleTests.trim() !== '') return { task, triedOn: 'dataset' };
  const { examples, source } = await exampleSuite(parser, task);
  const exampleTests = source === 'nothing' ? '' : await testsOf(task.language, examples);
  return { task: { ...task, exampleTests }, triedOn: source };
}

interface ExampleSuite {
  /** Assertions, or the lines of a program with assertions. */
  readonly examples: readonly string[];
  readonly source: 'docstring' | 'dataset' | 'nothing';
}

/** The docstring's examples, or else the dataset's example tests. */
async function exampleSuite(parser: SyntaxParser, task: Task): Promise<ExampleSuite> {
  const shown = await docstringExamples(parser, task);
  if (shown.length > 0) return { examples: shown, source: 'docstring' };
  const exampleTests = task.exampleTests.trim();
  return exampleTests === ''
    ? { examples: [], source: 'nothing' }
    : { examples: [exampleTests], source: 'dataset' };
}

/** What calls a task's function: its tests, and the docstring's examples as tests. */
export async function suitesWithCalls(parser: SyntaxParser, task: Task): Promise<string[]> {
  const examples = await docstringExamples(parser, task);
  return [task.tests, ...(examples.length > 0 ? [await testsOf(task.language, examples)] : [])];
}

/** Assertions as tests of their language: a program where one is needed. */
export async function testsOf(language: Language, assertions: readonly string[]): Promise<string> {
  const typed = await typedExamples(language);
  return typed ? typed.program(assertions) : assertions.map(line => `${line}\n`).join('');
}

/**
 * Converts the examples in a docstring to assertions, one per line; empty if none can be parsed. Supported
 * are doctests (`>>> f(1)` with the value below or next to it), calls with their value (`f(1) == 2`, `=`,
 * `=>`, `==>`, `->`, `➞`, `returns`, `should return`, `gives`), and inputs by name (`For n = 1 the output
 * should be 2`, `Input:` and `Output:`). Values are literals; everything else is prose. In compiled languages, values
 * are written by the function's types, and examples that do not fit these are left out.
 */
export async function docstringExamples(
  parser: SyntaxParser,
  task: Pick<Task, 'docstring' | 'entryPoint' | 'language' | 'declaration' | 'buggy'>,
): Promise<string[]> {
  const { entryPoint: name, language, declaration } = task;
  const docstring = task.docstring.slice(0, MAX_LENGTH);
  // A parameter name stands for any value: `f(x) returns True if …`.
  const named = new Set(declaration.match(/[\p{L}\p{N}_$]+/gu));
  const typed = await typedExamples(language);
  const reader: Reader = { docstring, name, language, isText: word => !named.has(word), typed };
  const examples = [...doctests(reader), ...statedCalls(reader), ...namedInputs(reader)];
  const assertions = typed
    ? typed.assertions(
        parser,
        task,
        examples.map(({ args, expected }) => ({ args, expected: expected.value })),
      )
    : examples.map(example => assertion(example, language));
  return [...new Set(assertions)];
}

/** How examples of a compiled language are read and written; null for other languages. */
export async function typedExamples(language: Language): Promise<TypedExamples | null> {
  if (!isCompiled(language)) return null;
  return (await import('./assertions/typed-assertions.ts')).typedExamples(language);
}

/** Characters of a docstring that are looked through. */
const MAX_LENGTH = 2 ** 18;
/** Lines of the value below a doctest. */
const MAX_LINES = 100;
/** Characters between named inputs and the words that announce the output. */
const MAX_REMARK = 100;

interface Reader {
  readonly docstring: string;
  readonly name: string;
  readonly language: Language;
  /** Whether a word without quotes is meant as a string. */
  readonly isText: (word: string) => boolean;
  readonly typed: TypedExamples | null;
}

interface Example {
  readonly expression: string;
  /** The arguments of the call. */
  readonly args: readonly Value[];
  readonly expected: Literal;
}

/** A value with a fraction may be rounded, and binary fractions are not exact. */
function assertion({ expression, expected }: Example, language: Language): string {
  const { code, isFraction } = expected;
  if (language === 'js') {
    if (isFraction) return `console.assert(Math.abs(${expression} - ${code}) < 1e-6)`;
    const isPlain = !/^[[{(]/.test(code);
    return isPlain
      ? `console.assert(${expression} === ${code})`
      : `console.assert(JSON.stringify(${expression}) === JSON.stringify(${code}))`;
  }
  if (isFraction) return `assert abs(${expression} - ${code}) < 1e-6`;
  return code === 'None' ? `assert ${expression} is None` : `assert ${expression} == ${code}`;
}

/** `>>> f(1)` and its value on the following lines. */
function doctests(reader: Reader): Example[] {
  const { docstring } = reader;
  const lines = docstring.split('\n');
  return lines.flatMap((line, index) => {
    const [written = ''] = /^\s*>>>(.*)/.exec(line)?.[1]?.split('#') ?? [];
    const expression = written.trim().replace(/;$/, '').trimEnd();
    const args = expression ? argumentsIn(expression, reader) : null;
    if (!expression || !args) return [];
    const below: string[] = [];
    for (const next of lines.slice(index + 1, index + 1 + MAX_LINES)) {
      if (next.trim() === '' || /^\s*>>>/.test(next)) break;
      below.push(next.trim());
      const expected = readLiteral(below.join('\n'), 0, reader);
      if (expected && expected.end === below.join('\n').length) return [{ expression, args, expected }];
    }
    return [];
  });
}

/**
 * The arguments of a call of the function with literals; in Python also inside calls of builtins: `round(f([1, 2]), 2)`.
 */
function argumentsIn(text: string, reader: Reader): readonly Value[] | null {
  const builtins = /^((?:(?:round|sorted|list|set|tuple|len|abs|sum|str|int|float|dict|bool)\()*)/;
  const around = reader.language === 'python' ? (builtins.exec(text)?.[1] ?? '') : '';
  const call = readCall(text, around.length, reader);
  if (!call) return null;
  const isWhole = call.end === text.length;
  if (reader.language !== 'python') return isWhole ? call.args : null;
  return /^(?:\s*,\s*-?\d+)?\)*$/.test(text.slice(call.end)) === (around !== '' || isWhole)
    ? call.args
    : null;
}

const verbs =
  /\s*(?:={1,3}>|={1,3}|-+>|➞|→|⇒|≡|:|\bis\b|(?:should |must |will )?(?:return|give|equal|yield|produce|evaluate to|be)s?\b:?)\s*/y;

/** `f(1) => 2`, anywhere in the text. */
function statedCalls(reader: Reader): Example[] {
  const { docstring, name } = reader;
  const examples: Example[] = [];
  for (let offset = docstring.indexOf(name); offset !== -1; offset = docstring.indexOf(name, offset + 1)) {
    if (/[\p{L}\p{N}_.]/u.test(docstring[offset - 1] ?? '')) continue;
    const call = readCall(docstring, offset, reader);
    if (!call) continue;
    verbs.lastIndex = call.end;
    const verb = verbs.exec(docstring)?.[0];
    if (verb === undefined || /\n/.test(verb)) continue;
    const expected = readLiteral(docstring, call.end + verb.length, reader);
    if (expected && isEnd(docstring, expected.end))
      examples.push({ expression: call.code, args: call.args, expected });
  }
  return examples;
}

/**
 * A value is followed by the end of the line or sentence, or a remark, but not by the rest of an expression.
 */
function isEnd(text: string, offset: number): boolean {
  return /^[^\S\n]*(?:$|[\n.,;#)]|\/\/|--)|^[^\S\n]+[\p{L}(]/u.test(text.slice(offset));
}

interface ReadCall {
  readonly code: string;
  readonly args: readonly Value[];
  readonly end: number;
}

/** `name(literal, key=literal)` */
function readCall(text: string, from: number, reader: Reader): ReadCall | null {
  const { name, language, isText } = reader;
  if (!text.startsWith(name, from)) return null;
  const opened = /^\s*\(\s*/.exec(text.slice(from + name.length))?.[0];
  if (opened === undefined) return null;
  let position = from + name.length + opened.length;
  const args: Value[] = [];
  const codes: string[] = [];
  while (text[position] !== ')') {
    const key = /^[\p{L}_]\w*\s*=\s*(?!=)/u.exec(text.slice(position))?.[0] ?? '';
    const value = readLiteral(text, position + key.length, reader, isText);
    if (!value) return null;
    args.push(value.value);
    codes.push((language === 'js' ? '' : key.replace(/\s/g, '')) + value.code);
    position = value.end + (/^\s*,?\s*/.exec(text.slice(value.end))?.[0].length ?? 0);
  }
  return { code: `${name}(${codes.join(', ')})`, args, end: position + 1 };
}

/** `For a = 1, b = 2 the output should be 3`; `Input: [1, 2]` and `Output: 3`. */
function namedInputs(reader: Reader): Example[] {
  const { docstring, name } = reader;
  const openings = /\b(?:for|input|given|if|with)\b\s*:?\s*/gi;
  return [...docstring.matchAll(openings)].flatMap(({ 0: opening, index }) => {
    const args: Literal[] = [];
    let position = index + opening.length;
    for (;;) {
      const key = /^(?:and\s+)?(?:[\p{L}_]\w*\s*={1,2}\s*)?/u.exec(docstring.slice(position))?.[0] ?? '';
      const value = readLiteral(docstring, position + key.length, reader);
      if (!value || (!/=/.test(key) && !/^input/i.test(opening))) break;
      args.push(value);
      position = value.end + (/^\s*,?\s*/.exec(docstring.slice(value.end))?.[0].length ?? 0);
    }
    const verb =
      /^[^.\n]*?\b(?:output|result|answer|function)\b[^.\n:]*?(?:should be|is|should return|returns?|will be|must be|=|:)\s*|^\s*(?:output|result)\s*[:=]\s*/i.exec(
        docstring.slice(position, position + MAX_REMARK),
      )?.[0];
    if (args.length === 0 || verb === undefined) return [];
    const expected = readLiteral(docstring, position + verb.length, reader);
    if (!expected || !isEnd(docstring, expected.end)) return [];
    const expression = `${name}(${args.map(({ code }) => code).join(', ')})`;
    return [{ expression, args: args.map(({ value }) => value), expected }];
  });
}

import type { Attempt, Check, Search } from '../../core/attempt.ts';
import type { Feedback } from '../../core/choices.ts';
import type { Language, Task } from '../../core/task.ts';
import { literalPattern } from '../../core/text.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { isCompiled } from '../enumerate/words.ts';
import { docstringExamples, typedExamples } from './docstring-examples.ts';

export interface KnownOptions {
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
    const code = ownAssertion(parser, task, line.trim());
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
  const line = test ? ownAssertion(parser, task, test.source) : null;
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
function ownAssertion(parser: SyntaxParser, task: Task, source: string): string | null {
  const isAssertion = task.language === 'js' ? /^console\.assert\(/ : /^assert\b/;
  if (!isAssertion.test(source) || source.includes('…')) return null;
  const [statement, ...others] = parser.statements(source);
  if (!statement?.parses || others.length > 0) return null;
  const given = new Set(parser.statements(task.buggy).flatMap(({ defines }) => defines));
  const isKnown = (name: string) =>
    name === task.entryPoint || given.has(name) || builtins[task.language]?.has(name);
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
  const given = task.exampleTests.trim();
  return given === '' ? { examples: [], source: 'nothing' } : { examples: [given], source: 'dataset' };
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

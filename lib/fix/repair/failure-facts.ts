import type { TestResult } from '../../core/project-tests.ts';
import { literalPattern } from '../../core/text.ts';
import { withoutRepeats } from '../../core/without-repeats.ts';
import {
  type AwaitedError,
  type ComparedValues,
  type FailureFacts,
  noFacts,
  numbersIn,
} from '../../repair/operators/facts.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { OpenProject } from '../project/open-project.ts';
import { languageOf } from '../project/target.ts';
import { goalsOf } from './trial.ts';

/** Number of failing tests that are read. */
const MAX_TESTS = 20;

/**
 * What the failing tests say that execute a suspect; in JavaScript only what their assertions compare.
 * @param text the file of the suspect
 */
export function failuresOf(
  { project, tests }: { readonly project: OpenProject; readonly tests: readonly TestResult[] },
  suspect: Suspect,
  text: string,
): FailureFacts {
  const { failing } = goalsOf(tests, [suspect.function]);
  const failingTests = tests.filter(({ id }) => failing.has(id)).slice(0, MAX_TESTS);
  const read = (path: string) => testText(project, path);
  const otherNumbers = numbersOfCalls(failingTests, suspect.function.name, read);
  if (project.language !== 'python') return { ...noFacts, ...comparisonsOf(failingTests), otherNumbers };
  return { ...failureFacts(failingTests, text, read), otherNumbers };
}

/** In lines of the failing tests' files that call a function, whether these tests pass or fail. */
function numbersOfCalls(
  tests: readonly TestResult[],
  name: string,
  read: (path: string) => string | null,
): string[] {
  const paths = new Set(tests.flatMap(({ frames = [] }) => frames.map(([path]) => path)));
  const calls = new RegExp(`(?<![\\w$])${literalPattern(name)}\\(`);
  const lines = [...paths].flatMap(
    path =>
      read(path)
        ?.split('\n')
        .filter(line => calls.test(line)) ?? [],
  );
  return [...new Set(lines.flatMap(numbersIn))].slice(0, MAX_NUMBERS);
}

/** Null for anything but a test file of the project: the process that ran the tests may name any path. */
function testText(
  project: Pick<OpenProject, 'has' | 'isTest' | 'language' | 'source'>,
  path: string,
): string | null {
  const isOwn = languageOf(path) === project.language && project.has(path) && project.isTest(path);
  return isOwn ? project.source(path).text : null;
}

/**
 * What failing Python tests say: their exceptions, what they wait for, and the values that they compare.
 * @param source the text of the function's file, in which the names of exceptions must occur, except for built-in ones
 * @param read gives the text of a file of the project; null if there is none
 */
export function failureFacts(
  tests: readonly TestResult[],
  source: string,
  read: (path: string) => string | null,
): Omit<FailureFacts, 'otherNumbers'> {
  const awaited = tests
    .flatMap(test => awaitedBy(test, read))
    .flatMap(error => {
      const type = nameIn(source, error.type);
      return type === null ? [] : [{ ...error, type }];
    });
  const raised = tests.flatMap(({ type = '' }) =>
    assertions.test(type) ? [] : (nameIn(source, type) ?? []),
  );
  return {
    raised: [...new Set(raised)],
    awaited: withoutRepeats(awaited),
    ...comparisonsOf(tests),
  };
}

function comparisonsOf(tests: readonly TestResult[]): Pick<FailureFacts, 'values' | 'texts' | 'numbers'> {
  return { values: comparedBy(tests), texts: textsOf(tests), numbers: numbersOf(tests) };
}

/** In the failing statements. */
function numbersOf(tests: readonly TestResult[]): string[] {
  return [...new Set(tests.flatMap(({ test }) => numbersIn(test?.source ?? '')))].slice(0, MAX_NUMBERS);
}

const assertions = /^$|^(?:AssertionError|Failed|TimeUp|Skipped)$/;

/** `with pytest.raises(…)` may stand some lines above the one that fails. */
const LINES_ABOVE = 4;

function awaitedBy(
  { message = '', type = '', frames = [] }: TestResult,
  read: (path: string) => string | null,
): AwaitedError[] {
  const missed = /DID NOT RAISE (?:any of )?(?:\(?<class ')?(?:[\w.]*\.)?(\w+)|^(\w+) not raised/.exec(
    message,
  );
  const said = missed?.[1] ?? missed?.[2];
  const [place] = frames;
  const text = place ? read(place[0]) : null;
  if (!place || text === null) return said === undefined ? [] : [{ type: said, message: null }];
  const lines = text.split('\n').slice(Math.max(0, place[1] - 1 - LINES_ABOVE), place[1] + 1);
  const asked = [...lines.join('\n').matchAll(waiting)].at(-1);
  const [, first = '', rest = ''] = asked ?? [];
  const wanted = messageIn(rest);
  if (said !== undefined) return [{ type: said, message: first.endsWith(said) ? wanted : null }];
  const isOther = asked && !assertions.test(type);
  return isOther ? [{ type: first.replace(/^.*\./, ''), message: wanted }] : [];
}

const waiting = /\b(?:raises|assertRaises|assertRaisesRegex)\(\s*\(?([\w.]+)\)?([^\n]*)/g;

/** The text of `match="…"`, or of the second argument; null if it is a pattern. */
function messageIn(rest: string): string | null {
  const [, , text] = /^\s*,\s*(?:match=)?r?(["'])((?:(?!\1).)*)\1/.exec(rest) ?? [];
  if (text === undefined) return null;
  const plain = text.replace(/^\^|\$$/g, '').replace(/\\([^\w\s])/g, '$1');
  return /\\|[[\](){}*+?|^$]|\.[*+]/.test(text.replace(/^\^|\$$|\\[^\w\s]/g, '')) ? null : plain;
}

/** A name as the file writes it, such as `exceptions.UsageError`; null for one that it does not know. */
function nameIn(source: string, type: string): string | null {
  if (!/^\w+$/.test(type)) return null;
  const match = new RegExp(`(?:\\b[\\w.]+\\.)?\\b${literalPattern(type)}\\b`).exec(source)?.[0];
  return match ?? (builtIn.test(type) ? type : null);
}

const builtIn =
  /^(?:Exception|(?:Arithmetic|Attribute|Buffer|EOF|FileExists|FileNotFound|Import|Index|Key|Lookup|ModuleNotFound|Name|NotImplemented|OS|Overflow|Permission|Recursion|Runtime|Type|Unicode|UnicodeDecode|UnicodeEncode|Value|ZeroDivision)Error|Stop(?:Async)?Iteration|KeyboardInterrupt)$/;

/** Number of texts, and of characters of each. */
const MAX_TEXTS = 20;
const MAX_LENGTH = 200;
const MAX_NUMBERS = 6;

/** What stands in quotes in the failing statements and the messages. */
function textsOf(tests: readonly TestResult[]): string[] {
  const said = tests.map(({ test, message = '', actual = '', expected = '' }) =>
    [test?.source ?? '', message, actual, expected].join('\n'),
  );
  const quoted = said.flatMap(text => [...text.matchAll(/(?<!\\)(["'`])((?:\\.|(?!\1)[^\\\n])+)\1/g)]);
  const texts = quoted.map(([, , inner = '']) => inner.replace(/\\([\\"'`/])/g, '$1'));
  return [...new Set(texts)].filter(({ length }) => length <= MAX_LENGTH).slice(0, MAX_TEXTS);
}

function comparedBy(tests: readonly TestResult[]): ComparedValues[] {
  return withoutRepeats(tests.flatMap(valuesOf));
}

function valuesOf({ actual, expected, message = '' }: TestResult): ComparedValues[] {
  if (actual === undefined || expected === undefined || actual === expected) return [];
  if (!message.startsWith('Regex pattern did not match')) return [{ actual, expected }];
  const plain = (text: string) => text.replace(/\\+(?=[^\w\s])|^(["'])\^|\$(?=["']$)/g, '$1');
  return [{ actual: plain(actual), expected: plain(expected) }];
}

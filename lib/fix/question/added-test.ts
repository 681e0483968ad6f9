import { literalPattern } from '../../core/text.ts';
import type { Answer, Question } from '../../repair/behaviour/question.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { ProjectFunction } from '../localise/functions.ts';
import { encoded, readSource, type SourceFile } from '../patch/source-file.ts';
import { isOnlyAdded } from '../patch/unified-diff.ts';
import type { OpenProject } from '../project/open-project.ts';
import { languageOf } from '../project/target.ts';
import { isPythonStyle, type TestStyle, type TestText, testText } from './test-text.ts';

/** Where a project's tests of a function are, and how they are written. */
export interface TestPlace {
  readonly file: SourceFile;
  readonly text: TestText;
  /** A statement that the test needs and the file lacks. */
  readonly importing: string | null;
}

export interface PlacedTest {
  readonly file: string;
  /** What to paste. */
  readonly code: string;
}

/** @param ids of tests that execute the function. Null if hefix does not know how the tests are written */
export function testPlace(
  project: OpenProject,
  { file: sourceFile, name: method, qualified }: ProjectFunction,
  ids: readonly string[],
  { input, object }: Pick<Question, 'input' | 'object'>,
): TestPlace | null {
  // The tests make the objects of a method.
  const name = object ? (qualified.split('.')[0] ?? '') : method;
  const { plan, language, runnerName } = project;
  if (plan.tests.length === 0 && plan.doctest.length > 0) {
    const isOwn =
      !object &&
      plan.doctest.includes(sourceFile.path) &&
      docstringEnd(project.parser, sourceFile.text, name) !== null;
    return isOwn
      ? {
          file: sourceFile,
          text: { style: 'doctest', register: '', called: name, input, quote: "'" },
          importing: null,
        }
      : null;
  }
  const paths = [...ids.map(id => id.split(language === 'js' ? ' > ' : '::')[0] ?? ''), ...plan.tests];
  const files = [...new Set(paths)]
    .filter(path => languageOf(path) === language)
    .flatMap(path => sourceOf(project, path));
  const usage = new RegExp(`(?<![\\w$.])(?<!(?:def|function) )((?:[\\w$]+\\.)*${literalPattern(name)})\\(`);
  const using = files.find(({ text }) => usage.test(text));
  const called = using && usage.exec(using.text)?.[1];
  if (using && called) return placeIn(using, { runnerName, called, input, object }, null);
  const [first] = files;
  if (!first || language !== 'python' || !/^[\w/]+\.py$/.test(sourceFile.path)) return null;
  const module = sourceFile.path
    .replace(/^src\//, '')
    .replace(/\.py$/, '')
    .replaceAll('/', '.');
  return placeIn(first, { runnerName, called: name, input, object }, `from ${module} import ${name}`);
}

function placeIn(
  file: SourceFile,
  {
    runnerName,
    called,
    input,
    object,
  }: Pick<TestText, 'called' | 'input' | 'object'> & { readonly runnerName: string },
  importing: string | null,
): TestPlace | null {
  const style = styleOf(file, runnerName);
  const register = /(?<![\w.])it\(/.test(file.text) && !/(?<![\w.])test\(/.test(file.text) ? 'it' : 'test';
  const count = (quote: string) => file.text.split(quote).length;
  const quote = count('"') > count("'") ? '"' : "'";
  return style && { file, text: { style, register, called, input, object, quote }, importing };
}

function styleOf({ path, text }: SourceFile, runnerName: string): TestStyle | null {
  if (languageOf(path) === 'python') {
    if (/^class \w+\(.*\bTestCase\b.*\):/m.test(text)) return 'unittest';
    if (/^def check\(/m.test(text)) return null;
    if (!/^(?:async )?def test|^class Test/m.test(text)) return 'python-script';
    return runnerName.startsWith('pytest') ? 'pytest' : 'python-functions';
  }
  const isScript = !/(?<![\w.])(?:test|it|describe|suite)(?:\.\w+)?\(/.test(text);
  const hasAssert = /\bassert\s*(?:,\s*\{[^}]*\}\s*)?(?:=|from\b)/.test(text) || /\bassert\.\w+\(/.test(text);
  if (isScript) return hasAssert ? 'assert-script' : null;
  if (/(?<![\w.])expect\(/.test(text)) return /['"]chai['"]/.test(text) ? 'chai' : 'expect';
  return hasAssert ? 'assert' : null;
}

/** The test of an answer; null if none can be written. */
export function placedTest({ file, text, importing }: TestPlace, answer: Answer): PlacedTest | null {
  const body = testText(text, answer);
  if (body === null) return null;
  const needs = needsOf(file, body, importing);
  const gap = isPythonStyle(text.style) && text.style !== 'python-script' ? '\n\n\n' : '\n\n';
  return { file: file.path, code: needs.length === 0 ? body : `${needs.join('\n')}${gap}${body}` };
}

function needsOf({ text }: SourceFile, body: string, importing: string | null): string[] {
  const needsPytest = body.includes('pytest.') && !/^import pytest\b/m.test(text);
  return [...(needsPytest ? ['import pytest'] : []), ...(importing === null ? [] : [importing])];
}

/** The file with the test of an answer; null if it does not fit in. */
export function withTest(
  parser: SyntaxParser,
  { file, text: textParts, importing }: TestPlace,
  current: SourceFile,
  answer: Answer,
): SourceFile | null {
  const body = testText(textParts, answer);
  if (body === null) return null;
  const { style, called } = textParts;
  const ending = /\r\n/.test(current.text) ? '\r\n' : '\n';
  const lines = current.text.split(/\r?\n/);
  const added = body.trimEnd().split('\n');
  const insert = (row: number, block: readonly string[]): void => void lines.splice(row, 0, ...block);
  if (style === 'doctest') {
    const end = docstringEnd(parser, current.text, called);
    if (end === null) return null;
    insert(
      end.row,
      added.map(line => end.margin + line),
    );
  } else if (style === 'unittest') {
    const end = classEnd(lines, called);
    if (end === null) return null;
    insert(end.row, ['', ...added.map(line => end.margin + line)]);
  } else {
    while (lines.at(-1)?.trim() === '') lines.pop();
    const isMain = (line: string) => /^if __name__ ==/.test(line);
    const main = lines.findIndex(isMain);
    const gap =
      style === 'pytest' || style === 'python-functions'
        ? ['', '']
        : style === 'assert-script' || style === 'python-script'
          ? []
          : [''];
    if (main === -1) lines.push(...gap, ...added, '');
    else insert(main, [...added, ...gap]);
    const needs = needsOf(file, body, importing);
    const last = lines.findLastIndex(
      (line, row) =>
        row < (main === -1 ? lines.length : main) &&
        /^(?:import|from) /.test(line) &&
        !/\($/.test(line.trimEnd()),
    );
    if (needs.length > 0) insert(last + 1, needs);
  }
  const text = lines.join(ending);
  const bytes = isOnlyAdded(current.text, text) ? encoded(current, text) : null;
  return bytes && readSource(current.path, bytes);
}

/** The row after the last example in a function's docstring, and its margin. */
function docstringEnd(
  parser: SyntaxParser,
  text: string,
  name: string,
): { readonly row: number; readonly margin: string } | null {
  const lines = text.split(/\r?\n/);
  const statement = parser
    .statements(text.replaceAll('\r\n', '\n'))
    .find(({ kind, defines }) => kind === 'function' && defines.includes(name));
  if (!statement) return null;
  const first = lines.findIndex(line => new RegExp(`^(?:async )?def ${literalPattern(name)}\\b`).test(line));
  const last = first + statement.text.split('\n').length;
  const examples = lines.flatMap((line, row) =>
    row > first && row < last && /^\s*>>> /.test(line) ? [row] : [],
  );
  const example = examples.at(-1);
  if (example === undefined) return null;
  const margin = /^\s*/.exec(lines[example] ?? '')?.[0] ?? '';
  let row = example + 1;
  // Its output ends with an empty line, or with the docstring.
  while (row < last && lines[row]?.trim() !== '' && !/(?:"""|''')\s*$/.test(lines[row] ?? '')) row++;
  return { row, margin };
}

/** The row after the last line of a class of tests, the last one that calls the function. */
function classEnd(
  lines: readonly string[],
  called: string,
): { readonly row: number; readonly margin: string } | null {
  const starts = lines.flatMap((line, row) => (/^class \w+\(.*\bTestCase\b.*\):/.test(line) ? [row] : []));
  const ranges = starts.map(start => {
    const rest = lines.findIndex((line, row) => row > start && /^\S/.test(line));
    let end = rest === -1 ? lines.length : rest;
    while (end > start && lines[end - 1]?.trim() === '') end--;
    return { start, end };
  });
  const isUsing = ({ start, end }: { readonly start: number; readonly end: number }) =>
    lines.slice(start, end).some(line => line.includes(`${called}(`));
  const range = ranges.findLast(isUsing) ?? ranges.at(-1);
  if (!range) return null;
  const method = lines.slice(range.start + 1, range.end).find(line => /^\s+(?:async )?def /.test(line));
  return { row: range.end, margin: /^\s+/.exec(method ?? '')?.[0] ?? '    ' };
}

function sourceOf(project: OpenProject, path: string): SourceFile[] {
  try {
    return [project.source(path)];
  } catch {
    return [];
  }
}

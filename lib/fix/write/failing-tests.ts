import type { TestResult } from '../../core/project-tests.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { functionsByLine, functionsIn } from '../localise/functions.ts';
import type { SourceFile } from '../patch/source-file.ts';

interface TestedProject {
  readonly parser: SyntaxParser;
  readonly plan: { readonly tests: readonly string[] };
  has(path: string): boolean;
  isTest(path: string): boolean;
  source(path: string): SourceFile;
}

/** The source of a failing test, with the helpers of the tests that its traceback names; the test first. */
export function testSource(project: TestedProject, { id, frames = [] }: TestResult): string[] {
  const testFrames = frames.filter(([path]) => project.has(path) && project.isTest(path));
  const file = testFrames[0]?.[0] ?? fileOf(project, id);
  const named = file === null ? null : namedTest(project, project.source(file), id);
  const around = testFrames.map(([path, line]) => aroundLine(project, project.source(path), line));
  return [...new Set([...(named === null ? [] : [named]), ...around.filter(text => text !== '')])];
}

/** `FILE::TestCase::test[1]`, `FILE > suite > test`. */
function fileOf({ has, plan }: TestedProject, id: string): string | null {
  const [path = ''] = id.split(/::| > /);
  return [path, ...plan.tests].find(each => has(each) && id.startsWith(each)) ?? null;
}

/** The function that an id names, in Python; null if there is none. */
function namedTest({ parser }: TestedProject, file: SourceFile, id: string): string | null {
  if (!file.path.endsWith('.py')) return null;
  const names = id
    .split('[', 1)
    .join('')
    .split(/::|\.|\s/)
    .filter(Boolean);
  const functions = functionsIn(parser, file).filter(({ name }) => names.includes(name));
  const [first] = functions.toSorted((a, b) => matches(b.qualified, names) - matches(a.qualified, names));
  return first ? linesOf(file, first.firstLine, first.lastLine) : null;
}

function matches(qualified: string, names: readonly string[]): number {
  return qualified.split('.').filter(name => names.includes(name)).length;
}

/** The function around a line or, in JavaScript, the call of `test` or `it`. */
function aroundLine({ parser }: TestedProject, file: SourceFile, line: number): string {
  const lines = file.text.split(/\r?\n/);
  if (!file.path.endsWith('.py')) {
    const indentOf = (row: number): number => /^\s*/.exec(lines[row] ?? '')?.[0].length ?? 0;
    let start = line - 1;
    while (start > 0 && !/^\s*(?:test|it|specify|t\.test)\b/.test(lines[start] ?? '')) start--;
    const end = lines.findIndex(
      (text, index) =>
        index >= line - 1 && index > start && indentOf(index) <= indentOf(start) && /^\s*[)}\]]/.test(text),
    );
    if (/^\s*(?:test|it|specify|t\.test)\b/.test(lines[start] ?? ''))
      return linesOf(file, start + 1, end === -1 ? Math.max(line, start + 1) : end + 1);
  }
  const enclosing = functionsByLine(functionsIn(parser, file))(line);
  return enclosing ? linesOf(file, enclosing.firstLine, enclosing.lastLine) : (lines[line - 1] ?? '').trim();
}

/** Shifted to the left margin. */
function linesOf({ text }: SourceFile, first: number, last: number): string {
  const lines = text.split(/\r?\n/).slice(first - 1, last);
  const indent = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? '';
  return lines.map(line => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n');
}

import type { SyntaxParser } from '../../syntax/parser.ts';
import { functionsIn, type ProjectFunction } from '../localise/functions.ts';
import type { SourceFile } from '../patch/source-file.ts';

/**
 * A file with some functions in full, and only the headers of the others. A notice of copyright at the top and the rest of
 * long docstrings are left out. What is left out is marked, so that the other lines can be copied one by one.
 * @param shown headers of the functions to show in full; null for all
 */
export function outlineOf(parser: SyntaxParser, file: SourceFile, shown: ReadonlySet<number> | null): string {
  const all = functionsIn(parser, file);
  const lines = file.text.split(/\r?\n/);
  const isShown = (each: ProjectFunction): boolean =>
    shown === null ||
    all.some(
      other =>
        shown.has(other.headerLine) &&
        (isIn(each, other) || (each.firstLine <= other.firstLine && other.lastLine <= each.lastLine)),
    );
  const left = new Set<number>();
  const marks = new Map<number, string>();
  const sign = file.path.endsWith('.py') ? '#' : '//';
  const leaveOut = (first: number, last: number, mark: string): void => {
    for (let line = first; line <= last; line++) left.add(line);
    marks.set(first, mark);
  };
  const notice = noticeLines(lines);
  if (notice > 0) leaveOut(1, notice, `${sign} …`);
  const classes = lines.flatMap((line, index) => (/^\s*class\b.*:\s*$/.test(line) ? [index + 2] : []));
  const bodies = [moduleLine(lines, notice), ...classes, ...all.map(({ bodyLine }) => bodyLine)];
  for (const bodyLine of bodies) {
    const count = docstringLines(lines, bodyLine);
    if (count > MAX_DOCSTRING) leaveOut(bodyLine + KEPT_DOCSTRING, bodyLine + count - 2, '…');
  }
  for (const each of all.filter(one => one.kind === 'function' && !isShown(one))) {
    const start = each.bodyLine + (docstringLines(lines, each.bodyLine) === 1 ? 1 : 0);
    if (each.bodyLine === each.headerLine || each.lastLine - start < 1) continue;
    const indent = /^\s*/.exec(lines[each.bodyLine - 1] ?? '')?.[0] ?? '';
    leaveOut(start, lastOf(lines, each), `${indent}${sign} …`);
  }
  return lines
    .flatMap((line, index) => {
      const number = index + 1;
      if (!left.has(number)) return [line];
      // A function inside one that is left out has a mark of its own.
      const mark = left.has(number - 1) ? undefined : marks.get(number);
      return mark === undefined ? [] : [mark];
    })
    .join('\n')
    .trimEnd();
}

/** A docstring of more lines than this is shown with its first ones. */
const MAX_DOCSTRING = 12;
const KEPT_DOCSTRING = 6;

function isIn(inner: ProjectFunction, outer: ProjectFunction): boolean {
  return outer.headerLine < inner.headerLine && inner.lastLine <= outer.lastLine;
}

/** The line that closes a body in braces stays. */
function lastOf(lines: readonly string[], { lastLine }: ProjectFunction): number {
  return /^\s*[)}\]]/.test(lines[lastLine - 1] ?? '') ? lastLine - 1 : lastLine;
}

/** Number of lines of the comment at the top, if it is about copyright. */
function noticeLines(lines: readonly string[]): number {
  const end = lines[0]?.startsWith('/*')
    ? lines.findIndex(line => line.includes('*/')) + 1
    : lines.findIndex(line => !/^(?:#|\/\/)/.test(line));
  return /copyright|licen[cs]e/i.test(lines.slice(0, Math.max(0, end)).join('\n')) ? end : 0;
}

/** The first line of a module's docstring, if it has one. */
function moduleLine(lines: readonly string[], notice: number): number {
  return lines.findIndex((line, index) => index >= notice && !/^\s*(?:#.*)?$/.test(line)) + 1;
}

/** Number of lines of the docstring that begins in a line; 0 if none does. */
function docstringLines(lines: readonly string[], first: number): number {
  const quotes = /^\s*[rRuU]?("""|''')/.exec(lines[first - 1] ?? '');
  if (!quotes) return 0;
  const [before, mark = ''] = quotes;
  if (lines[first - 1]?.slice(before.length).includes(mark)) return 1;
  const end = lines.findIndex((line, index) => index >= first && line.includes(mark));
  return end === -1 ? 0 : end - first + 2;
}

import type { SyntaxParser } from '../../syntax/parser.ts';
import { functionsIn, type ProjectFunction } from '../localise/functions.ts';
import type { SourceFile } from '../patch/source-file.ts';

/**
 * A file with some functions in full, and only the headers of the others, with docstrings of one line. What is left out
 * is marked, so that the rest can be copied line by line.
 * @param shown headers of the functions to show in full
 */
export function outlineOf(parser: SyntaxParser, file: SourceFile, shown: ReadonlySet<number>): string {
  const all = functionsIn(parser, file);
  const lines = file.text.split(/\r?\n/);
  const isShown = (each: ProjectFunction): boolean =>
    all.some(
      other =>
        shown.has(other.headerLine) && each.firstLine <= other.firstLine && other.lastLine <= each.lastLine,
    ) || all.some(other => shown.has(other.headerLine) && isIn(each, other));
  const left = new Set<number>();
  const marks = new Map<number, string>();
  for (const each of all.filter(one => one.kind === 'function' && !isShown(one))) {
    const start = each.bodyLine + docstringLines(lines, each.bodyLine);
    if (each.bodyLine === each.headerLine || each.lastLine - start < 1) continue;
    const indent = /^\s*/.exec(lines[each.bodyLine - 1] ?? '')?.[0] ?? '';
    for (let line = start; line <= lastOf(lines, each); line++) left.add(line);
    marks.set(start, `${indent}${file.path.endsWith('.py') ? '#' : '//'} …`);
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

function isIn(inner: ProjectFunction, outer: ProjectFunction): boolean {
  return outer.headerLine < inner.headerLine && inner.lastLine <= outer.lastLine;
}

/** The line that closes a body in braces stays. */
function lastOf(lines: readonly string[], { lastLine }: ProjectFunction): number {
  return /^\s*[)}\]]/.test(lines[lastLine - 1] ?? '') ? lastLine - 1 : lastLine;
}

/** Number of lines that a docstring of one line takes. */
function docstringLines(lines: readonly string[], bodyLine: number): number {
  return /^\s*[rRuU]?("""|''').*\1\s*$/.test(lines[bodyLine - 1] ?? '') ? 1 : 0;
}

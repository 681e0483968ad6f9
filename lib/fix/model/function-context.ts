import { literalPattern } from '../../core/text.ts';
import { functionsIn, type ProjectFunction } from '../localise/functions.ts';
import type { SourceFile } from '../patch/source-file.ts';

/** Maximum number of functions shown, and of their characters in total. */
const MAX_SHOWN = 6;
const MAX_CHARACTERS = 1200;

type Parser = Parameters<typeof functionsIn>[0];

/**
 * Headers and docstrings of the functions that a function calls and that its own file defines; empty if there
 * are none. Bodies are left out.
 */
export function calledFunctions(parser: Parser, file: SourceFile, caller: ProjectFunction): string {
  const all = functionsIn(parser, file);
  const lines = file.text.split(/\r?\n/);
  const body = lines.slice(caller.bodyLine - 1, caller.lastLine).join('\n');
  const called = new Set([...body.matchAll(/(?<![\w$])([\w$]+)\s*\(/g)].map(([, name]) => name));
  const shown = all
    .filter(each => called.has(each.name) && each.qualified !== caller.qualified)
    .slice(0, MAX_SHOWN)
    .map(each =>
      [...lines.slice(each.headerLine - 1, headerEnd(each)), ...docstring(lines, each)].join('\n'),
    );
  const fitting = shown.filter((_, index) => shown.slice(0, index + 1).join('').length <= MAX_CHARACTERS);
  return fitting.join('\n\n');
}

/** A body may start on the header's own line. */
function headerEnd({ headerLine, bodyLine }: ProjectFunction): number {
  return Math.max(headerLine, bodyLine - 1);
}

/** The lines of a Python docstring; none without one. */
function docstring(lines: readonly string[], { bodyLine, lastLine }: ProjectFunction): readonly string[] {
  const quote = /^\s*[rRuU]?("""|''')/.exec(lines[bodyLine - 1] ?? '')?.[1];
  if (quote === undefined) return [];
  const rest = lines.slice(bodyLine - 1, lastLine);
  const end = rest.findIndex(
    (line, index) => (index > 0 || line.split(quote).length > 2) && line.includes(quote),
  );
  return rest.slice(0, end + 1);
}

/** Maximum number of lines shown, and of the files searched for them. */
const MAX_LINES = 6;
const MAX_FILES = 200;

/** Lines that call a function, as `file:line: code`: those of its own file first, and none of itself; empty if there are none. */
export function callsOf(
  { name, file, firstLine, lastLine, headerLine }: ProjectFunction,
  paths: readonly string[],
  source: (path: string) => SourceFile,
): string {
  const escaped = literalPattern(name);
  const call = new RegExp(`(?<![\\w$#])${escaped}\\s*\\(`);
  const definition = new RegExp(`\\b(?:def|function)\\s+${escaped}\\b`);
  const definitions: string[] = [];
  for (const path of [file.path, ...paths.filter(other => other !== file.path)].slice(0, MAX_FILES)) {
    const lines = source(path).text.split(/\r?\n/);
    for (const [row, line] of lines.entries()) {
      const isItself = path === file.path && row + 1 >= Math.min(firstLine, headerLine) && row < lastLine;
      if (isItself || !call.test(line) || definition.test(line)) continue;
      definitions.push(`${path}:${row + 1}: ${line.trim()}`);
      if (definitions.length === MAX_LINES) return definitions.join('\n');
    }
  }
  return definitions.join('\n');
}

/** The innermost lines of a traceback, as `file:line: code`, the innermost last. */
export function tracebackText(
  frames: readonly (readonly [path: string, line: number])[],
  source: (path: string) => SourceFile,
): string {
  const shown = frames.slice(-MAX_LINES).map(([path, line]) => {
    const code = source(path).text.split(/\r?\n/)[line - 1] ?? '';
    return `${path}:${line}: ${code.trim()}`;
  });
  return shown.join('\n');
}

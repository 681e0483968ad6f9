import type { Candidate } from '../../../machines/actors.ts';
import { type Task, taskOfCode } from '../../core/task.ts';
import { literalPattern } from '../../core/text.ts';
import { type FileNames, fileNames } from '../../repair/operators/facts.ts';
import { definitionOf, extractCandidate } from '../../repair/prompt/extract.ts';
import { docstringIn } from '../../syntax/docstring.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { ProjectFunction } from '../localise/functions.ts';
import { type Excerpt, excerptOf, spliced } from '../patch/splice.ts';
import type { FixLanguage } from '../project/target.ts';

/** A task of code in a file, and the way back from an answer to the file. */
export interface FileTask {
  readonly task: Task;
  /** The version of the code in an answer; null if there is none. Anything else would change other lines of the file. */
  versionIn(answer: string): string | null;
  /** The file with another version of the code; null if that does not fit back. */
  fileWith(code: string): string | null;
}

/** A function or constant of a project as a task. */
export interface FunctionTask extends FileTask {
  readonly kind: ProjectFunction['kind'];
  /** Its docstring, and the comments above it. */
  readonly documentation: string;
  /** Takes a while in large files. */
  names(): FileNames;
  /** Maps lines of the file to lines of the task's code; both 1-based. */
  lineOf(fileLine: number): number | null;
}

/** @param text the file's current text, which may include earlier repairs */
export function functionTask(
  parser: SyntaxParser,
  language: FixLanguage,
  text: string,
  definition: ProjectFunction,
): FunctionTask {
  const excerpt = excerptOf(text, definition.firstLine - 1, definition.lastLine);
  const header = headerOf(excerpt, definition, language);
  const shown = header.shown(excerpt.code);
  const isFunction = definition.kind === 'function';
  const doc = language === 'python' && isFunction ? docstringIn(parser, shown, definition.name) : null;
  const lines = shown.split('\n');
  const code = doc ? [...lines.slice(0, doc.start), ...lines.slice(doc.end)].join('\n') : shown;
  const bodyRow = definition.bodyLine - definition.firstLine;
  const task = taskOfCode({
    id: `${definition.file.path}::${definition.qualified}`,
    language,
    entryPoint: header.name,
    declaration: `${lines.slice(0, Math.max(1, doc?.start ?? bodyRow)).join('\n')}\n`,
    docstring: doc?.text ?? '',
    buggy: `${code}\n`,
    tests: '',
  });
  const removed = doc ? doc.end - doc.start : 0;
  return {
    kind: definition.kind,
    documentation: [doc?.text ?? '', ...commentsAbove(text.split('\n'), definition.firstLine - 1)].join('\n'),
    task,
    names: () => fileNames(text, definition.headerLine),
    lineOf(fileLine) {
      const row = fileLine - definition.firstLine;
      if (row < 0 || row >= lines.length) return null;
      if (!doc || row < doc.start) return row + 1;
      return row < doc.end ? null : row + 1 - removed;
    },
    // Models write functions.
    versionIn: answer => (isFunction ? functionIn(parser, task, answer) : null),
    fileWith(answer) {
      const changed = answer.replace(/(?<!\n)\n+$/, '').split('\n');
      const above = lines.slice(0, doc?.start ?? 0);
      const before = changed.slice(0, above.length);
      if (above.some((line, index) => !isSameHeader(line, before[index] ?? ''))) return null;
      const docLines = doc ? lines.slice(doc.start, doc.end) : [];
      const whole = [...before, ...docLines, ...changed.slice(above.length)].join('\n');
      const original = header.original(whole);
      return original === null ? null : spliced(text, excerpt, original);
    },
  };
}

/** The lines of comments that end right above a row. */
function commentsAbove(lines: readonly string[], row: number): string[] {
  let first = row;
  while (first > 0 && COMMENT.test(lines[first - 1] ?? '')) first--;
  return lines.slice(first, row);
}

const COMMENT = /^\s*(?:#|\/\/|\/\*|\*)/;

/** Whether a line above a docstring is unchanged, or has the same parameters with other defaults. */
function isSameHeader(line: string, other: string): boolean {
  const bare = (text: string) => text.replace(/(?<!\s)\s*=\s*(?:[\w.]+|'[^']*'|\(\))(?=\s*[,)]|$)/g, '');
  return line === other || bare(line) === bare(other);
}

interface Header {
  /** The name under which the function is shown. */
  readonly name: string;
  /** The function on its own. */
  shown(code: string): string;
  /** The way back; null if the answer does not start as it was shown. */
  original(code: string): string | null;
}

/**
 * A function or a field in a JavaScript class or object, or a value that is exported without a name, is not a statement,
 * so it is shown as a function or a constant of its name, without the comma behind it.
 */
function headerOf({ code }: Excerpt, { kind, name }: ProjectFunction, language: FixLanguage): Header {
  const header = kind === 'function' ? memberHeader : fieldHeader;
  const headerMatch = language === 'js' ? header(code, name) : null;
  if (!headerMatch) return { name, shown: text => text, original: text => text };
  const { written, instead } = headerMatch;
  const end = /(?<!\s)\s*,\s*$/.exec(code)?.[0] ?? '';
  return {
    name: plainName(name),
    shown: text => instead + text.slice(written.length, text.length - end.length),
    original: text => (text.startsWith(instead) ? written + text.slice(instead.length) + end : null),
  };
}

/** How a method, or a function that is the value of a field or a property, starts, and what is shown instead. */
function memberHeader(code: string, name: string): { written: string; instead: string } | null {
  if (/^(?:async\s+)?function\b/.test(code)) return null;
  const escaped = literalPattern(name);
  const method = new RegExp(
    `^${MODIFIERS}(?:(?:get|set)\\s+)?(async\\b)?\\s*(\\*)?\\s*${escaped}(?=\\s*[(<])`,
  ).exec(code);
  if (method) {
    const [written, asynchronous, star = ''] = method;
    return { written, instead: `${asynchronous ? 'async ' : ''}function${star} ${plainName(name)}` };
  }
  const value = new RegExp(
    `^(?:${MODIFIERS}${escaped}\\s*=|(['"]?)${escaped}\\1\\s*:|export\\s+${escaped}\\b)\\s*(?=async\\b|function\\b|\\(|[\\w$]+\\s*=>)`,
  ).exec(code);
  return value && { written: value[0], instead: `const ${plainName(name)} = ` };
}

/** How a field or a default export starts that is no function, and what is shown instead. */
function fieldHeader(code: string, name: string): { written: string; instead: string } | null {
  const field = `${MODIFIERS}${literalPattern(name)}(?:[?!]?\\s*:[^=;]*)?\\s*=`;
  const match = new RegExp(`^(?:${field}|export\\s+${literalPattern(name)}\\b)\\s*`).exec(code);
  return match && { written: match[0], instead: `const ${plainName(name)} = ` };
}

const DECORATORS = '(?:@[\\w.]+(?:\\([^()]*\\))?\\s+)*';
const MODIFIERS = `${DECORATORS}(?:(?:public|private|protected|override|readonly|static|declare)\\s+)*`;

/** A name that a function may have: `#limit` gives `limit`, `[Symbol.iterator]` `iterator`, `delete` `delete_`. */
function plainName(name: string): string {
  const last = name.match(/[\p{L}\p{N}_$]+/gu)?.at(-1) ?? name;
  return reserved.has(last) ? `${last}_` : last;
}

const reserved = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
);

/** The version of the code that a candidate stands for; null if it is none. A sample may have more than one function. */
export function versionOf(
  { versionIn }: Pick<FileTask, 'versionIn'>,
  { code, origin }: { readonly code: string; readonly origin: Candidate['origin']['kind'] },
): string | null {
  return origin === 'sample' ? versionIn(code) : code;
}

/** Only the function: anything else in an answer would change other lines of the file. */
export function functionIn(parser: SyntaxParser, task: Task, answer: string): string | null {
  const extraction = extractCandidate(parser, task, answer);
  if (extraction.kind !== 'function') return null;
  const definition = definitionOf(parser.statements(extraction.candidate), task.entryPoint);
  return definition && withoutDocstring(parser, task, definition.text);
}

/** The function of an answer as models see it: without the docstring, if the task has one. */
function withoutDocstring(parser: SyntaxParser, task: Task, code: string): string {
  const doc = task.docstring === '' ? null : docstringIn(parser, code, task.entryPoint);
  if (!doc) return code;
  return code
    .split('\n')
    .filter((_, row) => row < doc.start || row >= doc.end)
    .join('\n');
}

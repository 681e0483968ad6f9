import type { Node } from '@vscode/tree-sitter-wasm';
import { smallestOf } from '../core/numbers.ts';
import type { Language } from '../core/task.ts';
import { descendants } from './nodes.ts';
import type { SyntaxParser } from './parser.ts';

/** A docstring on separate lines. */
export interface Docstring {
  /** Its rows in the code: from `start` up to, but not including, `end`; 0-based. */
  readonly start: number;
  readonly end: number;
  /** Its text, without quotes, trimmed as PEP 257 describes. */
  readonly text: string;
}

/**
 * The docstring of the first Python function in the code, or of the first one with a name. Null if there is
 * none, if it shares a line with other code, or if the function contains nothing else.
 */
export function docstringIn(parser: SyntaxParser, code: string, name?: string): Docstring | null {
  return parser.read(code, root => {
    const isWanted = (node: Node) => name === undefined || node.childForFieldName('name')?.text === name;
    const definition = descendants(root).find(node => node.type === 'function_definition' && isWanted(node));
    const body = definition?.childForFieldName('body');
    const first = body?.namedChildren.find(child => child?.type !== 'comment');
    const literal = first?.type === 'expression_statement' ? first.namedChild(0) : null;
    if (!body || !first || literal?.type !== 'string' || body.namedChildCount < 2) return null;
    const [start, end] = [first.startPosition.row, first.endPosition.row + 1];
    if (code.split('\n').slice(start, end).join('\n').trim() !== literal.text) return null;
    const content = literal.text.replace(/^[a-z]*("""|'''|"|')/i, '').replace(/("""|'''|"|')$/, '');
    return { start, end, text: withoutMargin(content) };
  });
}

/** A function without its docstring, which prompts show separately. */
export interface Documented {
  readonly shown: string;
  readonly docstring: string;
  /** The docstring's own lines; empty if it shares its lines with other code. */
  readonly lines: readonly string[];
  /** The function up to the start of its body. */
  readonly header: string;
}

/**
 * Separates the docstring from a function: in Python the string at the start of its body, in JavaScript the
 * comment above it (at the end of `before`), which stays there.
 */
export function withoutDocstring(
  parser: SyntaxParser,
  language: Language,
  text: string,
  before: string,
): Documented {
  if (language !== 'python') {
    const comment = lastComment(
      before
        .trimEnd()
        .replace(/(?<![\w$])export$/, '')
        .trimEnd(),
    );
    const docstring = withoutMargin(comment.replace(/^[ \t]*\*[^\S\n]?/gm, ''));
    return { shown: text, docstring, lines: [], header: headerOf(parser, text) };
  }
  const located = docstringIn(parser, text);
  const all = text.split('\n');
  const shown = located ? [...all.slice(0, located.start), ...all.slice(located.end)].join('\n') : text;
  const lines = located ? all.slice(located.start, located.end) : [];
  return { shown, docstring: located?.text ?? '', lines, header: headerOf(parser, shown) };
}

/** Puts a docstring's lines above the body, replacing an existing docstring. */
export function withDocstring(parser: SyntaxParser, text: string, docstring: readonly string[]): string {
  const row = bodyOf(parser, text)?.row ?? 0;
  if (docstring.length === 0 || row === 0) return text;
  const lines = text.split('\n');
  const current = docstringIn(parser, text);
  return [...lines.slice(0, row), ...docstring, ...lines.slice(current?.end ?? row)].join('\n');
}

function headerOf(parser: SyntaxParser, text: string): string {
  const body = bodyOf(parser, text);
  return body ? `${text.slice(0, body.start).trimEnd()}\n` : text;
}

/** Start of the body of the first function or class: its row, and the index after an opening brace. */
function bodyOf(parser: SyntaxParser, text: string): { readonly row: number; readonly start: number } | null {
  return parser.read(text, root => {
    const isDefinition = (node: Node) => /function|method|class/.test(node.type);
    const definition = descendants(root).find(node => isDefinition(node) && node.childForFieldName('body'));
    const body = definition?.childForFieldName('body');
    if (!body) return null;
    const first = body.namedChildren.find(child => child?.type !== 'comment') ?? body;
    return {
      row: first.startPosition.row,
      start: body.startIndex + (body.type === 'statement_block' ? 1 : 0),
    };
  });
}

/** Trims a docstring as PEP 257 describes. */
export function withoutMargin(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const margins = rest.filter(line => line.trim() !== '').map(line => line.search(/\S/));
  const margin = margins.length === 0 ? 0 : smallestOf(margins);
  return [first.trim(), ...rest.map(line => line.slice(margin).trimEnd())].join('\n').trim();
}

/** The inside of a block comment at the end of a text; empty if there is none. */
function lastComment(text: string): string {
  if (!text.endsWith('*/')) return '';
  const end = text.length - 2;
  const before = text.lastIndexOf('*/', end - 1);
  const start = text.indexOf('/*', before === -1 ? 0 : before + 2);
  return start === -1 ? '' : text.slice(start, end).replace(/^\/\*+/, '');
}

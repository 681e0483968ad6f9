import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants } from './nodes.ts';
import type { SyntaxParser } from './parser.ts';

/** A docstring that has lines of its own. */
export interface Docstring {
  /** Its rows in the code: from `start` up to, but not including, `end`; 0-based. */
  readonly start: number;
  readonly end: number;
  /** What it says, without quotes, trimmed as PEP 257 describes. */
  readonly text: string;
}

/**
 * The docstring of the first Python function in the code, or of the first with a name. Null if there is none, if it
 * shares a line with other code, or if the function holds nothing else.
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

/** Trims a docstring as PEP 257 describes. */
export function withoutMargin(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const margins = rest.filter(line => line.trim() !== '').map(line => line.search(/\S/));
  const margin = margins.length === 0 ? 0 : Math.min(...margins);
  return [first.trim(), ...rest.map(line => line.slice(margin).trimEnd())].join('\n').trim();
}

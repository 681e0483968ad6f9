import type { Language } from '../core/task.ts';
import { docstringIn } from '../syntax/docstring.ts';
import { descendants } from '../syntax/nodes.ts';
import type { SyntaxParser } from '../syntax/parser.ts';

export interface Documented {
  /** The function without its docstring: prompts show that apart. */
  readonly shown: string;
  readonly docstring: string;
  /** The docstring's own lines; empty if it has none that stand alone. */
  readonly lines: readonly string[];
  /** The lines above the body. */
  readonly header: string;
}

/**
 * Takes the docstring out of a function: in Python the string that its body begins with, in JavaScript the comment
 * above it, which stays where it is.
 */
export function docstringOf(
  parser: SyntaxParser,
  language: Language,
  text: string,
  before: string,
): Documented {
  const lines = text.split('\n');
  const body = bodyRow(parser, text);
  if (language !== 'python') {
    const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export\s+)?$/.exec(before) ?? [];
    const docstring = comment.replace(/^\s*\* ?/gm, '').trim();
    return { shown: text, docstring, lines: [], header: lines.slice(0, Math.max(1, body)).join('\n') };
  }
  const found = docstringIn(parser, text);
  const header = lines.slice(0, Math.max(1, found?.start ?? body)).join('\n');
  if (found === null) return { shown: text, docstring: '', lines: [], header };
  const own = lines.slice(found.start, found.end);
  const shown = [...lines.slice(0, found.start), ...lines.slice(found.end)].join('\n');
  return { shown, docstring: found.text, lines: own, header };
}

/** Puts a docstring's lines back above the body. */
export function withDocstring(parser: SyntaxParser, text: string, docstring: readonly string[]): string {
  if (docstring.length === 0) return text;
  const lines = text.split('\n');
  const row = bodyRow(parser, text);
  const own = docstringIn(parser, text);
  return [...lines.slice(0, row), ...docstring, ...lines.slice(own?.end ?? row)].join('\n');
}

/** The 0-based row in which the body of the first function begins. */
function bodyRow(parser: SyntaxParser, text: string): number {
  return parser.read(text, root => {
    const definition = descendants(root).find(node => node.childForFieldName('body') !== null);
    const body = definition?.childForFieldName('body');
    const first = body?.namedChildren.find(child => child?.type !== 'comment');
    return (first ?? body)?.startPosition.row ?? 1;
  });
}

import type { Grammar } from './program.ts';

/**
 * Splits text that does not parse as a whole (prose around code, a syntax error in one function) into
 * fragments that may each be a statement, based on the unindented lines.
 */
export function fragments(text: string, grammar: Grammar): string[] {
  const pieces: Piece[] = [];
  for (const line of text.split('\n')) {
    let piece = pieces.at(-1);
    if (!piece || !belongsTo(piece, line, grammar)) {
      piece = { lines: [], opensCode: grammar.opensCode.test(line), depth: 0, literal: '' };
      pieces.push(piece);
    }
    piece.lines.push(line);
    if (piece.opensCode) scan(piece, line, grammar);
  }
  return pieces.map(piece => piece.lines.join('\n').trimEnd()).filter(piece => piece !== '');
}

interface Piece {
  readonly lines: string[];
  /** Only in code do brackets and quotes have their meaning. */
  readonly opensCode: boolean;
  /** Brackets that are open at the end. */
  depth: number;
  /** The string or comment that is open at the end, so far. */
  literal: string;
}

function belongsTo({ lines, opensCode, depth, literal }: Piece, line: string, grammar: Grammar): boolean {
  if (line.trim() === '' || /^\s/.test(line) || grammar.continues.test(line)) return true;
  const isDecorator = lines.every(above => above.startsWith('@') || above.trim() === '');
  if (isDecorator && lines.some(above => above !== '')) return true;
  return opensCode && (depth > 0 || literal !== '');
}

function scan(piece: Piece, line: string, grammar: Grammar): void {
  const text = piece.literal === '' ? `\n${line}` : `${piece.literal}\n${line}`;
  piece.literal = '';
  for (let index = 0; index < text.length; index++) {
    grammar.literals.lastIndex = index;
    const literal = grammar.literals.exec(text)?.[0];
    if (literal) {
      index += literal.length - 1;
      if (index === text.length - 1 && !isClosed(literal)) piece.literal = literal;
    } else if ('([{'.includes(text[index] ?? '')) piece.depth++;
    else if (')]}'.includes(text[index] ?? '')) piece.depth--;
  }
}

/** For a literal that reaches the end of the text: whether it would end there, or with the line. */
function isClosed(literal: string): boolean {
  const quote = /^(?:"""|'''|`|\/\*)/.exec(literal)?.[0];
  if (!quote) return true;
  return literal.length >= 2 * quote.length && literal.endsWith(quote === '/*' ? '*/' : quote);
}

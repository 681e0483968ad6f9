import type { Grammar } from './grammar.ts';

/**
 * Splits text that does not parse as a whole (prose around code, a slip in one function) into
 * pieces that may each be a statement, by what stands at the left margin.
 */
export function fragments(text: string, grammar: Grammar): string[] {
  const pieces: string[][] = [];
  for (const line of text.split('\n')) {
    const current = pieces.at(-1);
    if (current && belongsTo(current, line, grammar)) current.push(line);
    else pieces.push([line]);
  }
  return pieces.map(piece => piece.join('\n').trimEnd()).filter(piece => piece !== '');
}

function belongsTo(piece: readonly string[], line: string, grammar: Grammar): boolean {
  if (line.trim() === '' || /^\s/.test(line) || grammar.continues.test(line)) return true;
  if (piece.every(above => above.startsWith('@') || above.trim() === ''))
    return piece.some(above => above !== '');
  return grammar.opensCode.test(piece[0] ?? '') && isOpen(piece.join('\n'), grammar);
}

/** Whether a bracket or a string that spans lines is still open at the end of the text. */
function isOpen(text: string, grammar: Grammar): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    grammar.literals.lastIndex = at;
    const literal = grammar.literals.exec(text)?.[0];
    if (literal) {
      at += literal.length - 1;
      if (at === text.length - 1 && !isClosed(literal)) return true;
    } else if ('([{'.includes(text[at] ?? '')) depth++;
    else if (')]}'.includes(text[at] ?? '')) depth--;
  }
  return depth > 0;
}

/** Of a literal that reaches the end of the text: whether it would end there, or with the line. */
function isClosed(literal: string): boolean {
  const quote = /^(?:"""|'''|`|\/\*)/.exec(literal)?.[0];
  if (!quote) return true;
  return literal.length >= 2 * quote.length && literal.endsWith(quote === '/*' ? '*/' : quote);
}

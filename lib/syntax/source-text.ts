/** Programs of C-like languages as text: enough to find headers, arguments and brackets without a parser. */

const literals =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|R"([^\s()\\]{0,16})\([\s\S]*?\)\1"|"""[\s\S]*?"""|(?<!\\)"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F\\])'(?:[^'\\\n]|\\.)*'/g;

/** The same text with comments and literals blanked, so that all brackets are code; offsets do not change. */
export function maskLiterals(source: string): string {
  return source.replace(literals, text => text.replaceAll(/[^\n]/g, ' '));
}

/**
 * The parts between separators outside all brackets, including angle brackets. Splits masked text and cuts
 * the parts from `text`.
 */
export function splitTopLevel(text: string, separator = ',', masked = maskLiterals(text)): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < masked.length; index++) {
    const sign = masked.charAt(index);
    if ('([{<'.includes(sign)) depth++;
    else if (')]}>'.includes(sign)) depth--;
    else if (sign === separator && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === '' && parts.length === 0 ? [] : [...parts, last];
}

/** A function with the opening brace of its body, at some brace depth. */
export interface FunctionHeader {
  /** Offset of the header's first character, and of the character after its opening brace. */
  readonly start: number;
  readonly end: number;
  /** As written, on one line, without the brace and comments. */
  readonly text: string;
}

/** All headers at a brace depth of `depth`, in source order: a `)` before the `{`, perhaps with words between them. */
export function functionHeaders(source: string, depth = 0): FunctionHeader[] {
  // Preprocessor lines do not end with a semicolon.
  const masked = maskLiterals(source).replaceAll(/^[ \t]*#(?:[^\n]*\\\n)*[^\n]*/gm, blank);
  const headers: FunctionHeader[] = [];
  let open = 0;
  let start = 0;
  for (let index = 0; index < masked.length; index++) {
    const sign = masked.charAt(index);
    if (sign === '{') {
      if (open === depth) {
        const text = masked.slice(start, index);
        if (/\)[^()=]*$/.test(text) && !/^[^(]*=/.test(text)) {
          const skipped = text.length - text.trimStart().length;
          headers.push({ start: start + skipped, end: index + 1, text: text.trim().replaceAll(/\s+/g, ' ') });
        }
      }
      open++;
      start = index + 1;
    } else if (sign === '}') {
      open = Math.max(0, open - 1);
      start = index + 1;
    } else if (sign === ';') start = index + 1;
  }
  return headers;
}

/** Number of braces that are still open at the end. */
export function openBraces(source: string): number {
  const masked = maskLiterals(source);
  return masked.split('{').length - masked.split('}').length;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/**
 * Parses JSON as small models write it: with line breaks inside strings, triple-quoted strings, trailing
 * commas, and text or brackets after the end. Undefined if it cannot be parsed. The package jsonrepair divides
 * triple-quoted strings, drops the backslash of `\d`, and refuses text after the end.
 */
export function lenientJson(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[{["]/.test(trimmed)) return undefined;
  return parsed(trimmed) ?? parsed(repaired(trimmed));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Copies the first value piece by piece, repairing strings, until its brackets are closed. */
function repaired(text: string): string {
  const open: string[] = [];
  let out = '';
  let at = 0;
  while (at < text.length) {
    const [literal, content] = literalAt(text, at);
    if (literal !== '') {
      out += content;
      at += literal.length;
      continue;
    }
    const character = text[at++] ?? '';
    if (character === '{' || character === '[') open.push(character === '{' ? '}' : ']');
    if (character === '}' || character === ']') {
      out = out.replace(/,\s*$/, '');
      open.pop();
    }
    out += character;
    if (open.length === 0) return out;
  }
  return out + open.reverse().join('');
}

/** A string that starts here, as written and as JSON; empty if there is none. */
function literalAt(text: string, at: number): [written: string, json: string] {
  STRING.lastIndex = at;
  const found = STRING.exec(text);
  if (!found) return ['', ''];
  const [written, triple, plain] = found;
  const content = triple === undefined ? (plain ?? '') : JSON.stringify(triple).slice(1, -1);
  return [written, `"${triple === undefined ? mended(content) : content}"`];
}

/** In triple quotes as in Python, or in quotes as in JSON. */
const STRING = /(?:"""|''')([\s\S]*?)(?:"""|''')|"((?:\\[\s\S]|[^"\\])*)"/y;

/** Escapes control characters, and keeps escapes that JSON does not have literally. */
function mended(content: string): string {
  return content
    .replace(/\\([\s\S])/g, (written, character) =>
      /["\\/bfnrtu]/.test(character) ? written : `\\\\${character}`,
    )
    .replace(/\n/g, '\\n')
    .replace(/\t/g, '\\t');
}

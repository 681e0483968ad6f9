/** A literal as written in a text, and in the language's own syntax. */
export interface Literal {
  readonly end: number;
  /** In Python or JavaScript; compiled languages write `value` by its declared type. */
  readonly code: string;
  /** A number with a fraction, which is usually rounded. */
  readonly isFraction: boolean;
  readonly value: Value;
}

/** What a literal means in any language. Tuples and sets are lists. */
export type Value =
  | { readonly kind: 'number' | 'string'; readonly text: string }
  | { readonly kind: 'truth'; readonly holds: boolean }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'some'; readonly value: Value }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Value, Value])[] };

export function skipBlanks(text: string, from: number): number {
  const blanks = /\s*/y;
  blanks.lastIndex = from;
  return from + (blanks.exec(text)?.[0].length ?? 0);
}

/** The text of a string literal. */
export function unquoted(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(?:u\{?([\da-f]{1,6})\}?|x([\da-f]{2})|(.))/gi, (_, unicode, byte, letter: string) =>
      letter === undefined ? characterOf(Number.parseInt(unicode ?? byte, 16)) : (escapes[letter] ?? letter),
    );
}

/** U+FFFD for what is beyond Unicode. */
function characterOf(code: number): string {
  return String.fromCodePoint(code > 0x10_ffff ? 0xfffd : code);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

import type { CompiledLanguage } from '../enumerate/words.ts';
import { type Literal, skipBlanks, unquoted, type Value } from './literals.ts';

type Read = (position: number) => Literal | null;

/** How values with types are written in a language; the patterns match at a position. */
interface Syntax {
  /** What stands before a value and adds nothing: `[]int` before `{1, 2}`. */
  readonly prefix?: RegExp;
  /** A call with one value or none: `String::from(`, `new ArrayList<>(`. */
  readonly around?: RegExp;
  readonly some?: RegExp;
  readonly nothing?: RegExp;
  /** A call with the items of a list, or the keys and values of a map: `Arrays.asList(`, `Map.of(`. */
  readonly items?: RegExp;
  readonly pairs?: RegExp;
  /** What may follow a number: `2L`. */
  readonly suffix?: RegExp;
}

const syntaxes: Readonly<Record<CompiledLanguage, Syntax>> = {
  go: {
    prefix: /(?:\[\d*\]|map\[\w+\]|\*)*(?:interface\s*\{\s*\}|[a-z]\w*)\s*(?=\{)/y,
    around: /(?:float|u?int)\d*\(/y,
  },
  rust: {
    prefix: /&(?:\s*mut\b)?|vec!\s*(?=\[)/y,
    around: /\w+::from\(/y,
    some: /Some\(/y,
    suffix: /_?(?:[iu](?:8|16|32|64|128|size)|f32|f64)\b|\.(?:to_string|to_owned|into|to_vec)\(\)/y,
  },
  cpp: {
    prefix: /(?:std\s*::\s*)?[a-z]\w*\s*(?:<[\w\s:<>,]*>\s*)?(?=\{)/y,
    around: /(?:std\s*::\s*)?string\(/y,
    nothing: /(?:std\s*::\s*)?nullopt\b/y,
    suffix: /(?:u?ll?|f)\b/iy,
  },
  java: {
    prefix: /new\s+\w+(?:\s*\[\s*\])+\s*(?=\{)/y,
    around: /new\s+\w+\s*<[\w\s<>,]*>\s*\(/y,
    some: /Optional\.of\(|Optional(?=\[)/y,
    nothing: /Optional\.empty(?:\(\))?/y,
    items: /(?:Arrays\.(?:<\w+>)?asList|(?:List|Set)\.of)\(/y,
    pairs: /Map\.of\(/y,
    suffix: /[lfd]\b/iy,
  },
};

/** Reads a literal that is written with its type; null if there is none at this position. */
export function readTyped(
  text: string,
  start: number,
  language: CompiledLanguage,
  read: Read,
): Literal | null {
  const syntax = syntaxes[language];
  const after = (pattern: RegExp | undefined, from = start): number | null => {
    if (!pattern) return null;
    pattern.lastIndex = from;
    const match = pattern.exec(text)?.[0];
    return match === undefined ? null : from + match.length;
  };
  const nothing = after(syntax.nothing);
  if (nothing !== null) return made(nothing, { kind: 'nothing' });
  const inSome = after(syntax.some);
  if (inSome !== null) {
    // Java prints `Optional[3]`, which reads as a list of one.
    if (text[inSome] === '[') return only(read(inSome));
    const inside = itemsUpTo(text, inSome, read);
    const [value] = inside?.values ?? [];
    return inside && value ? made(inside.end, { kind: 'some', value }) : null;
  }
  const inAround = after(syntax.around);
  if (inAround !== null) {
    const inside = itemsUpTo(text, inAround, read);
    if (!inside || inside.values.length > 1) return null;
    return made(inside.end, inside.values[0] ?? { kind: 'list', items: [] });
  }
  const inItems = after(syntax.items) ?? after(syntax.pairs);
  if (inItems !== null) {
    const inside = itemsUpTo(text, inItems, read);
    if (!inside) return null;
    const isMap = after(syntax.pairs) !== null;
    return made(inside.end, isMap ? mapOf(inside.values) : { kind: 'list', items: inside.values });
  }
  const behind = after(syntax.prefix);
  if (behind !== null && behind > start) return read(behind);
  const plain = after(/[-+]?(?:\d[\d_]*\.\d+|\d[\d_]*)|"(?:\\.|[^"\\\n])*"/y);
  const end = plain === null ? null : after(syntax.suffix, plain);
  if (plain === null || end === null) return null;
  const written = text.slice(start, plain);
  if (written.startsWith('"')) return made(end, { kind: 'string', text: unquoted(written) });
  return { ...made(end, { kind: 'number', text: written }), isFraction: written.includes('.') };
}

function made(end: number, value: Value): Literal {
  return { end, code: '', isFraction: false, value };
}

/** The only item of a list, as a value that is there. */
function only(list: Literal | null): Literal | null {
  const [value] = list?.value.kind === 'list' ? list.value.items : [];
  return list && value ? made(list.end, { kind: 'some', value }) : null;
}

function itemsUpTo(
  text: string,
  from: number,
  read: Read,
): { readonly values: readonly Value[]; readonly end: number } | null {
  const values: Value[] = [];
  let position = skipBlanks(text, from);
  while (text[position] !== ')') {
    const item = read(position);
    if (!item) return null;
    values.push(item.value);
    position = skipBlanks(text, item.end);
    if (text[position] === ',') position = skipBlanks(text, position + 1);
    else if (text[position] !== ')') return null;
  }
  return { values, end: position + 1 };
}

function mapOf(values: readonly Value[]): Value {
  const entries = values.flatMap((key, index): [Value, Value][] => {
    const value = values[index + 1];
    return index % 2 === 0 && value ? [[key, value]] : [];
  });
  return { kind: 'map', entries };
}

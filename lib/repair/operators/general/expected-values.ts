import { withoutRepeats } from '../../../core/without-repeats.ts';
import { bare, operand, resultOf } from '../../../syntax/nodes.ts';
import type { ComparedValues } from '../facts.ts';
import { binaries, type FunctionView, put, type Replacement } from '../function-view.ts';

/**
 * Changes results as the failing assertions say: what turns the value that a test got into the one that it expects is
 * done to what the function returns or assigns. Where a test got a fraction instead of a whole number, quotients are
 * rounded too.
 */
export function expectedValues(view: FunctionView): Replacement[] {
  const compared = view.failures.values.flatMap(comparedIn);
  const side = view.language === 'python' ? 'python' : 'js';
  const texts = new Set(compared.flatMap(each => changesFor(each).flatMap(change => change[side] ?? [])));
  const results = view.nodes.flatMap(node => resultOf(node) ?? []).map(node => bare(node) ?? node);
  const changed = results.flatMap(node =>
    [...texts].map(text =>
      put(
        node,
        text.replace('OBJECT', () => operand(node)).replace('VALUE', () => node.text),
      ),
    ),
  );
  return compared.some(isRounded) ? [...changed, ...roundedQuotients(view)] : changed;
}

/** A change of a value in each language: VALUE stands for its expression, OBJECT for that with parentheses if needed. */
interface Change {
  readonly does: (value: Value) => Value | undefined;
  readonly python?: string;
  readonly js?: string;
}

function changesFor({ actual, expected }: Compared): Change[] {
  const wanted = JSON.stringify(expected);
  if (JSON.stringify(actual) === wanted) return [];
  const { length } = /\.(\d+)$/.exec(wanted)?.[1] ?? '';
  const all = length > 0 ? [...changes, roundedTo(length)] : changes;
  return all.filter(({ does }) => JSON.stringify(does(actual)) === wanted);
}

const number = (does: (value: number) => Value) => (value: Value) =>
  typeof value === 'number' ? does(value) : undefined;
const text = (does: (value: string) => Value) => (value: Value) =>
  typeof value === 'string' ? does(value) : undefined;
const list = (does: (value: readonly Value[]) => Value | undefined) => (value: Value) =>
  Array.isArray(value) ? does(value) : undefined;
const slice = (from: number, to?: number) => (value: Value) =>
  typeof value === 'string' || Array.isArray(value) ? value.slice(from, to) : undefined;
const itemsOf = (value: Value): readonly Value[] | undefined =>
  isCollection(value) ? value.items : undefined;
const missing = (instead: Value) => (value: Value) => (value === null ? instead : undefined);

const changes: readonly Change[] = [
  { does: text(it => it.toLowerCase()), python: 'OBJECT.lower()', js: 'OBJECT.toLowerCase()' },
  { does: text(it => it.toUpperCase()), python: 'OBJECT.upper()', js: 'OBJECT.toUpperCase()' },
  { does: text(it => it.trim()), python: 'OBJECT.strip()', js: 'OBJECT.trim()' },
  { does: text(it => it.trimEnd()), python: 'OBJECT.rstrip()', js: 'OBJECT.trimEnd()' },
  { does: text(it => it.trimStart()), python: 'OBJECT.lstrip()', js: 'OBJECT.trimStart()' },
  { does: text(Number), python: 'int(VALUE)', js: 'Number(VALUE)' },
  { does: number(String), python: 'str(VALUE)', js: 'String(VALUE)' },
  { does: number(Math.floor), js: 'Math.floor(VALUE)' },
  { does: number(Math.trunc), python: 'int(VALUE)', js: 'Math.trunc(VALUE)' },
  { does: number(Math.round), python: 'round(VALUE)', js: 'Math.round(VALUE)' },
  { does: number(Math.ceil), js: 'Math.ceil(VALUE)' },
  { does: number(it => -it), python: '-OBJECT', js: '-OBJECT' },
  { does: value => (typeof value === 'boolean' ? !value : undefined), python: 'not OBJECT', js: '!OBJECT' },
  { does: slice(1), python: 'OBJECT[1:]', js: 'OBJECT.slice(1)' },
  { does: slice(0, -1), python: 'OBJECT[:-1]', js: 'OBJECT.slice(0, -1)' },
  { does: list(it => it[0] ?? null), python: 'OBJECT[0]', js: 'OBJECT[0]' },
  { does: list(it => it.at(-1) ?? null), python: 'OBJECT[-1]', js: 'OBJECT.at(-1)' },
  { does: value => [value], python: '[VALUE]', js: '[VALUE]' },
  { does: list(sortedNumbers), python: 'sorted(VALUE)', js: 'OBJECT.sort((a, b) => a - b)' },
  { does: list(sortedTexts), python: 'sorted(VALUE)', js: 'OBJECT.sort()' },
  { does: list(it => it.toReversed()), python: 'OBJECT[::-1]', js: 'OBJECT.reverse()' },
  { does: list(withoutRepeats), python: 'list(dict.fromkeys(VALUE))', js: '[...new Set(VALUE)]' },
  { does: list(it => it.filter(Boolean)), python: '[x for x in VALUE if x]', js: 'OBJECT.filter(Boolean)' },
  { does: itemsOf, python: 'list(VALUE)', js: '[...VALUE]' },
  { does: list(items => ({ form: 'tuple', items })), python: 'tuple(VALUE)' },
  { does: missing([]), python: 'OBJECT or []', js: 'OBJECT ?? []' },
  { does: missing(''), python: "OBJECT or ''", js: "OBJECT ?? ''" },
  { does: missing(0), python: 'OBJECT or 0', js: 'OBJECT ?? 0' },
  { does: missing(false), python: 'bool(VALUE)', js: 'Boolean(VALUE)' },
];

/** Rounds to the number of decimals that the expected value has. */
function roundedTo(decimals: number): Change {
  return {
    does: number(it => Number(it.toFixed(decimals))),
    python: `round(VALUE, ${decimals})`,
    js: `Number(OBJECT.toFixed(${decimals}))`,
  };
}

function isCollection(value: Value): value is Collection {
  return typeof value === 'object' && value !== null && 'form' in value;
}

function sortedNumbers(items: readonly Value[]): Value | undefined {
  const numbers = items.filter(item => typeof item === 'number');
  return numbers.length === items.length ? numbers.toSorted((a, b) => a - b) : undefined;
}

function sortedTexts(items: readonly Value[]): Value | undefined {
  return items.every(item => typeof item === 'string') ? items.toSorted() : undefined;
}

function isRounded({ actual, expected }: Compared): boolean {
  const isFraction = typeof actual === 'number' && !Number.isInteger(actual);
  return isFraction && typeof expected === 'number' && Number.isInteger(expected);
}

function roundedQuotients(view: FunctionView): Replacement[] {
  return binaries(view)
    .filter(({ operator }) => operator.text === '/')
    .flatMap(({ node, left, right }) =>
      (view.language === 'python'
        ? [`${left.text} // ${right.text}`, `round(${node.text})`, `-(-${operand(left)} // ${right.text})`]
        : ['floor', 'round', 'ceil'].map(name => `Math.${name}(${node.text})`)
      ).map(changed => put(node, changed)),
    );
}

/** A value of Python or JavaScript. None, null and undefined are null. */
type Value = number | string | boolean | null | readonly Value[] | Collection;

interface Collection {
  readonly form: 'tuple' | 'set';
  readonly items: readonly Value[];
}

interface Compared {
  readonly actual: Value;
  readonly expected: Value;
}

/** The values of an assertion, read from their source; nothing if one cannot be read. */
function comparedIn({ actual, expected }: ComparedValues): Compared[] {
  const [got, wanted] = [readValue(actual), readValue(expected)];
  return got === undefined || wanted === undefined ? [] : [{ actual: got, expected: wanted }];
}

/** Undefined for a source that is no simple value. Frameworks show some texts without quotes. */
function readValue(source: string): Value | undefined {
  const form = /^\(.*\)$/.test(source) ? 'tuple' : /^Set\(\d+\) \{|^\{[^:]+\}$/.test(source) ? 'set' : null;
  if (form !== null) {
    const items = parsed(`[${source.replace(/^(?:Set\(\d+\) )?[({]|(?:,\s*|(?<![,\s])\s+)?[)}]$/g, '')}]`);
    return Array.isArray(items) ? { form, items } : undefined;
  }
  const value = parsed(source);
  return value === undefined && /^\w[^[\](){}<>]*$/.test(source) ? source : value;
}

/** Null values are the same in JSON; texts have other quotes. */
function parsed(source: string): Value | undefined {
  const quoted = source.includes('"') ? source : source.replaceAll("'", '"');
  const json = quoted
    .replace(/\b(?:None|undefined)\b/g, 'null')
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false');
  try {
    const value: unknown = JSON.parse(json);
    return isValue(value) ? value : undefined;
  } catch {
    return;
  }
}

function isValue(value: unknown): value is Value {
  return typeof value !== 'object' || value === null || (Array.isArray(value) && value.every(isValue));
}

import { seededRandom } from '../../core/random.ts';
import { literalPattern } from '../../core/text.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { mutated, pick, type Source, valuePosition } from './mutate.ts';
import { entriesOf, isOpaque, itemsOf, kindOf, numberOf, partsOf, type Value } from './value.ts';

/** The arguments of a call. */
export type Input = readonly Value[];

export interface GenerateOptions {
  /** The most inputs to generate. */
  readonly limit: number;
  /** The same calls and seed give the same inputs. */
  readonly seed: number;
  /** What annotations say about the arguments, by position. */
  readonly declared?: readonly DeclaredType[];
}

/**
 * New inputs that resemble those of calls: one, two or three mutations of a call's arguments, and arguments of
 * different calls together. None is one of the calls, none occurs twice. Fewer than the limit if no more are found.
 */
export function generateInputs(
  calls: readonly Input[],
  { limit, seed, declared = [] }: GenerateOptions,
): Input[] {
  const usable = calls.filter(call => call.length > 0 && !call.some(isOpaque));
  const first = usable[0];
  if (first === undefined) return [];
  const random = seededRandom(seed);
  const pool = poolOf(usable);
  for (const [index, { fractions, none }] of declared.entries()) {
    if (fractions) pool.fractions.add(String(index)).add(`${index}[]`).add(`${index}[][]`);
    if (none) pool.values.get(String(index))?.push(null);
  }
  const keys = new Set(usable.map(call => JSON.stringify(call)));
  const inputs: Input[] = [];
  let misses = 0;
  // The calls take turns, so that each of them is varied before one is varied often.
  for (let turn = 0; inputs.length < limit && misses < MAX_MISSES; turn++) {
    const base = usable[turn % usable.length] ?? first;
    const input = variant(base, usable, sourceOf(pool, base, random));
    const key = JSON.stringify(input);
    if (keys.has(key)) {
      misses++;
      continue;
    }
    misses = 0;
    keys.add(key);
    inputs.push(input);
  }
  return inputs;
}

/** Inputs in a row that were there before: a function of one truth value has few. */
const MAX_MISSES = 300;

function variant(base: Input, calls: readonly Input[], source: Source): Input {
  const { random } = source;
  let input = base;
  if (base.length > 1 && random() < 0.25) {
    const other = pick(calls, random);
    const changed = Math.floor(random() * base.length);
    input = base.map((value, index) => (index === changed ? (other[index] ?? value) : value));
  }
  const rounds = pick([1, 1, 1, 2, 2, 3], random);
  for (let round = 0; round < rounds; round++) {
    const changed = Math.floor(random() * input.length);
    input = input.map((value, index) => (index === changed ? mutated(value, String(index), source) : value));
  }
  return input;
}

interface Pool {
  readonly values: Map<string, Value[]>;
  /** The lengths of lists and tuples at a position. */
  readonly lengths: Map<string, Set<number>>;
  readonly fractions: Set<string>;
}

/** The values of all calls by position. */
function poolOf(calls: readonly Input[]): Pool {
  const pool: Pool = { values: new Map(), lengths: new Map(), fractions: new Set() };
  const add = (value: Value, position: string) => {
    const recorded = pool.values.get(position) ?? [];
    pool.values.set(position, recorded);
    if (recorded.length < MAX_SEEN) recorded.push(value);
    if (kindOf(value) === 'float') pool.fractions.add(position);
    const items = itemsOf(value);
    if (items) pool.lengths.set(position, (pool.lengths.get(position) ?? new Set()).add(items.length));
    for (const item of items ?? []) add(item, `${position}[]`);
    for (const [key, of] of entriesOf(value) ?? []) {
      add(key, `${position}{key}`);
      add(of, `${position}{}`);
      add(of, valuePosition(position, key));
    }
  };
  for (const call of calls) for (const [index, value] of call.entries()) add(value, String(index));
  return pool;
}

const MAX_SEEN = 500;

function sourceOf(pool: Pool, input: Input, random: () => number): Source {
  return {
    random,
    seen(position) {
      const values = pool.values.get(position);
      return values && pick(values, random);
    },
    hasFixedLength: position => pool.lengths.get(position)?.size === 1,
    hasFractions: position => pool.fractions.has(position),
    tie() {
      const numbers = input.flatMap(numbersIn);
      return numbers.length === 0 ? undefined : pick(numbers, random);
    },
  };
}

function numbersIn(value: Value): number[] {
  const number = numberOf(value);
  if (number !== null) return Number.isFinite(number) ? [number] : [];
  return partsOf(value).flatMap(numbersIn);
}

/** What is said about the type of a parameter, besides what calls gave it. */
interface DeclaredType {
  /** Numbers with a fraction, on their own or in a collection. */
  readonly fractions: boolean;
  readonly none: boolean;
}

/**
 * Of the positional parameters, in order: from annotations of Python, and the types that a docstring names in the
 * style of Sphinx, Google, numpydoc or JSDoc. Empty for other languages, and if nothing is known of a function's
 * parameters.
 * @param docstring what is said elsewhere than in the program
 */
export function declaredTypes(
  parser: SyntaxParser,
  program: string,
  name: string,
  docstring = '',
): DeclaredType[] {
  if (parser.language === 'js') {
    const all = `${docstring}\n${program}`.matchAll(/@param\s+\{([^}]+)\}\s+\[?[\w$]+/g);
    return [...all].map(([, type = '']) => typeOf(type));
  }
  if (parser.language !== 'python') return [];
  const definition = parser
    .statements(program)
    .findLast(({ defines, signature }) => signature && defines.includes(name));
  const { text = '', parameters = [] } = definition?.signature ?? {};
  return parameters
    .filter(({ kind }) => kind === 'positional')
    .map(({ name: parameter }) => {
      const [, annotation = ''] =
        new RegExp(`[(,]\\s*${literalPattern(parameter)}\\s*:((?:\\[[^()=]*\\]|[^,=)])*)`).exec(text) ?? [];
      return typeOf(annotation, typeInDocstring(`${docstring}\n${definition?.text ?? ''}`, parameter));
    });
}

function typeOf(...declared: readonly string[]): DeclaredType {
  const isNone = /^\s*(?:typing\.)?Optional\b|\bNone\b|^\s*\?|\bnull\b/;
  return {
    fractions: declared.some(type => /\bfloats?\b/.test(type)),
    none: declared.some(type => isNone.test(type)),
  };
}

function typeInDocstring(docstring: string, parameter: string): string {
  const name = literalPattern(parameter);
  const forms = [
    `:param\\s+([^:\\n]+?)\\s+${name}:`,
    `:type\\s+${name}:\\s*([^\\n]+)`,
    `^\\s*${name}\\s+\\(([^)\\n]+)\\)\\s*:`,
    `^\\s*${name}\\s+:\\s+([^\\n]+)`,
  ];
  const types = forms.map(form => new RegExp(form, 'm').exec(docstring)?.[1] ?? '');
  return types.find(type => type !== '') ?? '';
}

import { functionHeaders, splitTopLevel } from '../../../syntax/source-text.ts';
import { type Aliases, expandAliases } from '../function-header.ts';

/** The function that the tests call, as its header declares it. */
export interface CppSignature {
  readonly name: string;
  /** As written: `vector<int>`, `void`. */
  readonly returns: string;
  readonly parameters: readonly CppParameter[];
  /** Offset of the header; before it are includes and helpers. */
  readonly start: number;
}

export interface CppParameter {
  /** As written: `const string &`. */
  readonly type: string;
  /** Includes the equals sign; empty if there is none. */
  readonly defaultValue: string;
  /** Whether changes to the argument are visible to the caller. */
  readonly isChangedInPlace: boolean;
}

/**
 * Finds the last function of a declaration, or the last one with that name in a program. A declaration may
 * contain part of the body. Null if there is none, or if a judge cannot call it: a template, a member,
 * variadic.
 */
export function cppSignature(source: string, name?: string): CppSignature | null {
  const signatures = functionHeaders(source)
    .map(({ text, start }) => parseHeader(text, start))
    .filter(signature => signature !== null && (name === undefined || signature.name === name));
  return signatures.at(-1) ?? null;
}

const specifiers = /^(?:(?:static|inline|constexpr|extern)\s+|\[\[[^\]]*\]\]\s*)*/;

function parseHeader(header: string, start: number): CppSignature | null {
  const text = header.replace(specifiers, '');
  if (/^template\b/.test(text)) return null;
  const [opening = '', before = '', name = ''] = /^(.*?[\s*&>])([A-Za-z_]\w*) ?\(/.exec(text) ?? [];
  const parts = name === '' ? null : afterParameters(text.slice(opening.length));
  if (parts === null) return null;
  const { inside, after } = parts;
  const returns = after.startsWith('->') ? after.slice(2).trim() : before.trim();
  const given = inside.trim() === 'void' ? [] : splitTopLevel(inside);
  const parameters = given.map(parseParameter);
  if (returns === 'auto' || parameters.some(parameter => parameter === null)) return null;
  return { name, returns, parameters: parameters.filter(parameter => parameter !== null), start };
}

/** Splits `int a) noexcept` at the last bracket that nothing but a header's end follows. */
function afterParameters(text: string): { readonly inside: string; readonly after: string } | null {
  for (let end = text.lastIndexOf(')'); end !== -1; end = text.lastIndexOf(')', end - 1)) {
    const [, after] = /^ ?((?:noexcept|->.*|const|throw ?\(\))?)$/.exec(text.slice(end + 1)) ?? [];
    if (after !== undefined) return { inside: text.slice(0, end), after };
    if (end === 0) return null;
  }
  return null;
}

function parseParameter(text: string): CppParameter | null {
  const [declared = '', ...value] = splitTopLevel(text, '=');
  const type = /^(.*[\s*&>])[A-Za-z_]\w*$/.exec(declared)?.[1]?.trim() ?? declared;
  if (type === '' || /\.\.\.|\]$|\(/.test(declared)) return null;
  return {
    type,
    defaultValue: value.length > 0 ? ` = ${value.join('=')}` : '',
    isChangedInPlace: /(?<!&)&$/.test(type) && !/^const\b|\bconst ?&$/.test(type),
  };
}

/**
 * The words allowed in the types of a candidate's header, which becomes part of the judge: standard types and
 * nothing that runs code.
 */
const words = new Set(
  (
    'std bool char short int long unsigned signed float double size_t int8_t int16_t int32_t int64_t uint8_t uint16_t ' +
    'uint32_t uint64_t string vector list deque set multiset unordered_set map multimap unordered_map pair tuple array ' +
    'optional any const void boost'
  ).split(' '),
);

/**
 * A declaration of only the function, without the aliases of types in its source, or null if a type is not clearly from
 * the standard library.
 */
export function plainDeclaration(
  { name, returns: returned, parameters }: CppSignature,
  source: string,
): string | null {
  const aliases = aliasesIn(source);
  const [returns = '', ...argumentTypes] = [returned, ...parameters.map(({ type }) => type)].map(type =>
    expandAliases(type, aliases),
  );
  const types = [returns, ...argumentTypes];
  const arePlain = types.every(type => /^[\w\s:<>,&]+$/.test(type) && names(type).every(isWord));
  if (!arePlain) return null;
  const usesBoost = types.some(type => /\bboost\b/.test(type));
  const includes = usesBoost ? '#include <boost/any.hpp>\n' : '';
  const declared = argumentTypes.map((type, i) => `${type} a${i}`).join(', ');
  return `${includes}using namespace std;\n${returns} ${name}(${declared}) {\n`;
}

/** `using Row = vector<int>;` and `typedef vector<int> Row;`. Takes time linear in the source, which may be hostile. */
function aliasesIn(source: string): Aliases {
  const aliases = new Map<string, string>();
  for (const statement of source.split(/[;{}]/)) {
    const tokens = statement.trim().split(/\s+/);
    const start = tokens.findLastIndex(word => word === 'using' || word === 'typedef');
    const rest = tokens.slice(start + 1);
    if (tokens[start] === 'using') {
      const [name = '', ...type] = rest.join(' ').split('=');
      if (type.length > 0) aliases.set(name.trim(), type.join('=').trim());
    } else if (tokens[start] === 'typedef') {
      const name = rest.pop() ?? '';
      aliases.set(name, rest.join(' '));
    }
  }
  return aliases;
}

function names(type: string): string[] {
  return type.match(/\w+/g) ?? [];
}

function isWord(name: string): boolean {
  return words.has(name) || /^\d+$/.test(name);
}

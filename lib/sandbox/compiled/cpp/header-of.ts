import { type Aliases, expandAliases } from '../aliases.ts';
import type { CppSignature } from './signature.ts';

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
  const [returns = '', ...given] = [returned, ...parameters.map(({ type }) => type)].map(type =>
    expandAliases(type, aliases),
  );
  const types = [returns, ...given];
  const arePlain = types.every(type => /^[\w\s:<>,&]+$/.test(type) && names(type).every(isWord));
  if (!arePlain) return null;
  const usesBoost = types.some(type => /\bboost\b/.test(type));
  const includes = usesBoost ? '#include <boost/any.hpp>\n' : '';
  const declared = given.map((type, i) => `${type} a${i}`).join(', ');
  return `${includes}using namespace std;\n${returns} ${name}(${declared}) {\n`;
}

/** `using Row = vector<int>;` and `typedef vector<int> Row;`. */
function aliasesIn(source: string): Aliases {
  const uses = source.matchAll(/\busing\s+(\w+)\s*=\s*([^;{}]+);/g);
  const types = source.matchAll(/\btypedef\s+([^;{}]+?)\s+(\w+)\s*;/g);
  return new Map([
    ...[...uses].map(([, name = '', type = '']) => [name, type.trim()] as const),
    ...[...types].map(([, type = '', name = '']) => [name, type] as const),
  ]);
}

function names(type: string): string[] {
  return type.match(/\w+/g) ?? [];
}

function isWord(name: string): boolean {
  return words.has(name) || /^\d+$/.test(name);
}

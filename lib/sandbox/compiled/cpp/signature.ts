import { functionHeaders, splitTopLevel } from '../../../syntax/source-text.ts';

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
  const found = functionHeaders(source)
    .map(({ text, start }) => parseHeader(text, start))
    .filter(signature => signature !== null && (name === undefined || signature.name === name));
  return found.at(-1) ?? null;
}

const specifiers = /^(?:(?:static|inline|constexpr|extern)\s+|\[\[[^\]]*\]\]\s*)*/;

function parseHeader(header: string, start: number): CppSignature | null {
  const text = header.replace(specifiers, '');
  if (/^template\b/.test(text)) return null;
  const [, before = '', name = '', inside = '', after = ''] =
    /^(.*?[\s*&>])([A-Za-z_]\w*) ?\((.*)\) ?((?:noexcept|->.*|const|throw ?\(\))?)$/.exec(text) ?? [];
  if (name === '') return null;
  const returns = after.startsWith('->') ? after.slice(2).trim() : before.trim();
  const given = inside.trim() === 'void' ? [] : splitTopLevel(inside);
  const parameters = given.map(parseParameter);
  if (returns === 'auto' || parameters.some(parameter => parameter === null)) return null;
  return { name, returns, parameters: parameters.filter(parameter => parameter !== null), start };
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

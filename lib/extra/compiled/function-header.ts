import type { Node } from '@vscode/tree-sitter-wasm';
import { testsInvalid } from '../../sandbox/errors.ts';
import { namedChildren } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { BuildFault } from './toolchain.ts';

/** Whether a node of a file defines a function that tests can call. */
export type IsFunction = (node: Node) => boolean;

/** Reads the function with which a declaration ends. Throws TESTS_INVALID if there is none. */
export function readDeclared<T extends object>(
  parser: SyntaxParser,
  declaration: string,
  entryPoint: string,
  isFunction: IsFunction,
  read: (node: Node) => T,
): T {
  // A declaration ends with the brace that opens the body.
  const header = parser.read(`${declaration}\n}\n`, root => {
    const node = functionIn(root, isFunction, entryPoint) ?? functionIn(root, isFunction, null);
    return node && read(node);
  });
  if (!header) throw testsInvalid(`have no declaration of ${entryPoint} to be built with`);
  return header;
}

/**
 * The header of a candidate's function, as `write` writes it, without the file's aliases of types; a fault if there is
 * no such function, or if `foreign` finds a type in it that is not defined without the candidate.
 */
export function readHeader(
  parser: SyntaxParser,
  candidate: string,
  entryPoint: string,
  isFunction: IsFunction,
  language: { aliases(root: Node): Aliases; foreign(node: Node): string | null; write(node: Node): string },
): string | BuildFault {
  const { aliases, foreign, write } = language;
  const header = parser.read(candidate, root => {
    const node = functionIn(root, isFunction, entryPoint);
    if (!node) return null;
    const header = candidate.slice(node.startIndex, node.childForFieldName('body')?.startIndex);
    return { text: `${expandAliases(header, aliases(root))}{\n}\n`, line: node.startPosition.row + 1 };
  });
  const missing = { kind: 'signature', line: 1, message: `There is no function ${entryPoint}.` } as const;
  if (!header) return missing;
  return parser.read(header.text, root => {
    const node = functionIn(root, isFunction, entryPoint);
    if (!node) return missing;
    const type = foreign(node);
    if (type === null) return write(node);
    return { kind: 'signature', line: header.line, message: `Values of the type ${type} cannot be sent.` };
  });
}

/** The last function with that name, or the last function. */
function functionIn(root: Node, isFunction: IsFunction, name: string | null): Node | undefined {
  return namedChildren(root).findLast(
    node => isFunction(node) && (name === null || node.childForFieldName('name')?.text === name),
  );
}

/** The types that other names stand for, as written. */
export type Aliases = ReadonlyMap<string, string>;

/** An alias may be made of others; one made of itself is left as it is. */
const MAX_DEPTH = 16;
const MAX_LENGTH = 4096;

/** Replaces aliases with the types that they stand for. */
export function expandAliases(text: string, aliases: Aliases): string {
  let expanded = text;
  for (let depth = 0; depth < MAX_DEPTH && expanded.length <= MAX_LENGTH; depth++) {
    const next = expanded.replace(/\b[A-Za-z_]\w*\b/g, name => {
      const type = aliases.get(name);
      return type !== undefined && type.length <= MAX_LENGTH ? type : name;
    });
    if (next === expanded) return expanded;
    expanded = next;
  }
  return text;
}

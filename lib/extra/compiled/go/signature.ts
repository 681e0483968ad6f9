import type { Node } from '@vscode/tree-sitter-wasm';
import { testsInvalid } from '../../../sandbox/errors.ts';
import { descendants, fieldText, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import { type Aliases, readDeclared, readHeader } from '../function-header.ts';
import type { BuildFault } from '../toolchain.ts';

/** The types of a function, as written in its header. */
export interface GoSignature {
  readonly name: string;
  /** A variadic function's last one is `...int`. */
  readonly parameters: readonly string[];
  readonly results: readonly string[];
  /** Offset of the header in the declaration. */
  readonly start: number;
}

/** The signature at the end of a declaration. Throws TESTS_INVALID if values of its types cannot be sent. */
export function declaredSignature(
  parser: SyntaxParser,
  declaration: string,
  entryPoint: string,
): GoSignature {
  const { signature, unsendable } = readDeclared(parser, declaration, entryPoint, isFunction, node => ({
    signature: signatureOf(node),
    unsendable: unsendableType(node),
  }));
  if (unsendable === null) return signature;
  throw testsInvalid(`call ${entryPoint} with values of the type ${unsendable}, which cannot be sent`);
}

/** A declaration with the types of a candidate's function, which must be predeclared types. */
export function candidateHeader(
  parser: SyntaxParser,
  candidate: string,
  entryPoint: string,
): string | BuildFault {
  return readHeader(parser, candidate, entryPoint, isFunction, {
    aliases: aliasesIn,
    foreign: node => unsendableType(node) ?? foreignType(node),
    write(node) {
      const { name, parameters, results } = signatureOf(node);
      const list = parameters.map((type, index) => `a${index} ${type}`).join(', ');
      return `func ${name}(${list}) (${results.join(', ')}) {\n`;
    },
  });
}

/** `type Pair = [2]int`. */
function aliasesIn(root: Node): Aliases {
  const typeDeclarations = namedChildren(root)
    .filter(({ type }) => type === 'type_declaration')
    .flatMap(namedChildren)
    .filter(({ type }) => type === 'type_alias');
  return new Map(typeDeclarations.map(node => [fieldText(node, 'name'), fieldText(node, 'type')]));
}

function isFunction(node: Node): boolean {
  return node.type === 'function_declaration' && node.childForFieldName('type_parameters') === null;
}

function signatureOf(node: Node): GoSignature {
  const result = node.childForFieldName('result');
  const parameters = node.childForFieldName('parameters');
  return {
    name: fieldText(node, 'name'),
    parameters: parameters ? typesIn(parameters) : [],
    results: result?.type === 'parameter_list' ? typesIn(result) : result ? [result.text] : [],
    start: node.startIndex,
  };
}

/** `a, b int` counts twice. */
function typesIn(list: Node): string[] {
  return namedChildren(list).flatMap(parameter => {
    const type = parameter.childForFieldName('type')?.text;
    if (type === undefined) return [];
    const names = parameter.childrenForFieldName('name').length;
    const written = parameter.type === 'variadic_parameter_declaration' ? `...${type}` : type;
    return Array<string>(Math.max(1, names)).fill(written);
  });
}

/** The first type in a header whose values cannot be sent. */
function unsendableType(node: Node): string | null {
  return typeNodes(node).find(({ type }) => /^(?:function_type|channel_type)$/.test(type))?.text ?? null;
}

/** The first type that is not defined without the candidate. */
function foreignType(node: Node): string | null {
  const foreign = typeNodes(node).find(
    ({ type, text, parent }) =>
      (type === 'type_identifier' && !predeclared.has(text)) ||
      /^(?:qualified_type|struct_type|generic_type|parenthesized_type)$/.test(type) ||
      (type === 'interface_type' && !/^interface\s*\{\s*\}$/.test(text)) ||
      (parent?.type === 'array_type' && !/^(?:int_literal|.*_type|type_identifier)$/.test(type)) ||
      (type === 'int_literal' && !/^\d{1,5}$/.test(text)),
  );
  return foreign?.text ?? null;
}

function typeNodes(node: Node): Node[] {
  const lists = [node.childForFieldName('parameters'), node.childForFieldName('result')];
  return lists.flatMap(list => (list ? descendants(list) : []));
}

const predeclared = new Set([
  ...['any', 'bool', 'byte', 'complex64', 'complex128', 'error', 'float32', 'float64'],
  ...['int', 'int8', 'int16', 'int32', 'int64', 'rune', 'string'],
  ...['uint', 'uint8', 'uint16', 'uint32', 'uint64', 'uintptr'],
]);

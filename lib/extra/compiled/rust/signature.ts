import type { Node } from '@vscode/tree-sitter-wasm';
import { testsInvalid } from '../../../sandbox/errors.ts';
import { descendants, fieldText, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import { type Aliases, readDeclared, readHeader } from '../function-header.ts';
import type { BuildFault } from '../toolchain.ts';

/** The types of a function, as written in its header. */
export interface RustSignature {
  readonly name: string;
  /** `'a, 'b`; empty if there are none. */
  readonly lifetimes: string;
  readonly parameters: readonly RustType[];
  /** `()` if it returns nothing. */
  readonly result: RustType;
  /** Offset of the header in the declaration. */
  readonly start: number;
}

export interface RustType {
  readonly text: string;
  /** The type that it refers to, if it is a reference. */
  readonly referent: string | null;
  readonly isMutable: boolean;
}

/** The signature at the end of a declaration. Throws TESTS_INVALID if it is generic. */
export function declaredSignature(
  parser: SyntaxParser,
  declaration: string,
  entryPoint: string,
): RustSignature {
  const declared = readDeclared(parser, declaration, entryPoint, isFunction, node => ({
    signature: signatureOf(node),
    isGeneric: isGeneric(node),
  }));
  if (declared.isGeneric) throw testsInvalid(`call ${entryPoint}, whose types are generic`);
  return declared.signature;
}

/** A declaration with the types of a candidate's function, which must be standard types. */
export function candidateHeader(
  parser: SyntaxParser,
  candidate: string,
  entryPoint: string,
): string | BuildFault {
  return readHeader(parser, candidate, entryPoint, isFunction, {
    aliases: aliasesIn,
    foreign: node => (isGeneric(node) ? 'T' : foreignType(node)),
    write(node) {
      const { name, lifetimes, parameters, result } = signatureOf(node);
      const list = parameters.map(({ text }, index) => `a${index}: ${text}`).join(', ');
      return `use std::any::Any;\nuse std::collections::*;\nfn ${name}${angled(lifetimes)}(${list}) -> ${result.text} {\n`;
    },
  });
}

/** `type Pair = (i32, i32);`. */
function aliasesIn(root: Node): Aliases {
  const aliasItems = namedChildren(root).filter(
    node => node.type === 'type_item' && node.childForFieldName('type_parameters') === null,
  );
  return new Map(aliasItems.map(node => [fieldText(node, 'name'), fieldText(node, 'type')]));
}

export function angled(lifetimes: string): string {
  return lifetimes === '' ? '' : `<${lifetimes}>`;
}

function isFunction({ type }: Node): boolean {
  return type === 'function_item';
}

function signatureOf(node: Node): RustSignature {
  const list = node.childForFieldName('parameters');
  const result = node.childForFieldName('return_type');
  return {
    name: fieldText(node, 'name'),
    lifetimes: generics(node)
      .filter(({ type }) => /^lifetime/.test(type))
      .map(({ text }) => text)
      .join(', '),
    parameters: (list ? namedChildren(list) : [])
      .map(parameter => parameter.childForFieldName('type'))
      .filter(type => type !== null)
      .map(typeOf),
    result: result ? typeOf(result) : { text: '()', referent: null, isMutable: false },
    start: node.startIndex,
  };
}

function typeOf(node: Node): RustType {
  const isReference = node.type === 'reference_type';
  return {
    text: node.text,
    referent: isReference ? (node.childForFieldName('type')?.text ?? null) : null,
    isMutable: isReference && namedChildren(node).some(({ type }) => type === 'mutable_specifier'),
  };
}

function generics(node: Node): Node[] {
  const list = node.childForFieldName('type_parameters');
  return list ? namedChildren(list) : [];
}

function isGeneric(node: Node): boolean {
  const isType = generics(node).some(({ type }) => !/^lifetime/.test(type));
  return (
    isType || typeNodes(node).some(({ type }) => /^(?:abstract_type|function_type|pointer_type)$/.test(type))
  );
}

/** The first type in a header that is not defined without the candidate. */
function foreignType(node: Node): string | null {
  const knownTypes =
    /^(?:primitive_type|lifetime|identifier|integer_literal|mutable_specifier|dynamic_type|unit_type|parameters?|self_parameter|(?:reference|array|tuple|generic)_type|type_arguments)$/;
  const foreign = typeNodes(node).find(({ type, text }) =>
    type === 'type_identifier' ? !standardTypes.has(text) : !knownTypes.test(type),
  );
  return foreign?.text ?? null;
}

function typeNodes(node: Node): Node[] {
  const list = node.childForFieldName('parameters');
  const types = (list ? namedChildren(list) : []).map(parameter => parameter.childForFieldName('type'));
  return [...types, node.childForFieldName('return_type')].flatMap(type => (type ? descendants(type) : []));
}

const standardTypes = new Set(
  'Any BTreeMap BTreeSet Box HashMap HashSet Option Result String Vec VecDeque'.split(' '),
);

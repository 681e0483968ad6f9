import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { assignedName, assignedValue } from '../../syntax/signature.ts';
import type { SourceFile } from '../patch/source-file.ts';
import { withReads } from './constant-reads.ts';
import { functionsIn, type ProjectFunction, projectFunction } from './functions.ts';

/** The code of a file that can be repaired: its functions, then its constants with the functions that read them. */
export function repairableIn(parser: SyntaxParser, file: SourceFile): ProjectFunction[] {
  const functions = functionsIn(parser, file);
  return [...functions, ...withReads(constantsIn(parser, file), [file], functions)];
}

/** The parent of a node is searched from the root. */
export const MAX_CONSTANTS = 1024;
/** A longer value is data, not code. */
const MAX_CHARACTERS = 50_000;

/**
 * The first 1024 constants of a file in source order: values with literals in them that statements at the top level assign
 * or export, and those of the fields of classes there. Functions, imports and types are none. They are found once for each
 * file.
 */
export function constantsIn(parser: SyntaxParser, file: SourceFile): readonly ProjectFunction[] {
  const cached = knownConstants.get(file);
  if (cached) return cached;
  const constants = parser.read(file.text, root => {
    const all = namedChildren(root).flatMap(statement =>
      assignmentsIn(statement).flatMap(node => {
        const [name, value] = [assignedName(node), assignedValue(node)];
        return name === undefined || !value || !isConstant(name, value)
          ? []
          : [{ node: value, name, body: value }];
      }),
    );
    if (all.length > MAX_CONSTANTS) cutFiles.add(file);
    return all.slice(0, MAX_CONSTANTS).map(each => projectFunction('constant', file, each));
  });
  knownConstants.set(file, constants);
  return constants;
}

/** Whether a file has more constants than those in `constantsIn`. */
export function hasMoreConstants(parser: SyntaxParser, file: SourceFile): boolean {
  constantsIn(parser, file);
  return cutFiles.has(file);
}

const knownConstants = new WeakMap<SourceFile, readonly ProjectFunction[]>();
/** Files with more constants. */
const cutFiles = new WeakSet<SourceFile>();

function assignmentsIn(node: Node): Node[] {
  if (
    /^(?:variable_declarator|assignment|assignment_expression|(?:public_)?field_definition)$/.test(node.type)
  )
    return [node];
  if (node.type === 'export_statement' && node.childForFieldName('value')) return [node];
  if (
    /^(?:export|expression)_statement$|^(?:lexical|variable)_declaration$|^decorated_definition$/.test(
      node.type,
    )
  )
    return namedChildren(node).flatMap(assignmentsIn);
  const isClass = /^(?:abstract_)?class(?:_declaration|_definition)?$/.test(node.type);
  const body = isClass ? node.childForFieldName('body') : null;
  return body ? namedChildren(body).flatMap(assignmentsIn) : [];
}

function isConstant(name: string, value: Node): boolean {
  if (!/^#?[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) || /^__\w+__$/.test(name)) return false;
  if (value.text.length > MAX_CHARACTERS || FUNCTION.test(value.type)) return false;
  return !MODULE_OR_TYPE.test(value.text) && descendants(value).some(({ type }) => CHANGEABLE.test(type));
}

const FUNCTION = /^(?:arrow_function|function_expression|generator_function|class)$/;
const MODULE_OR_TYPE =
  /^(?:\(?await\s+)?(?:(?:require|import)\s*\(|(?:\w+\.)?(?:getLogger|TypeVar|ParamSpec|NewType|NamedTuple|namedtuple)\()/;
const CHANGEABLE =
  /^(?:regex|string|template_string|number|integer|float|true|false|none|null|lambda|arrow_function|function_expression)$/;

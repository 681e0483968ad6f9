import type { Node } from '@vscode/tree-sitter-wasm';
import { testsInvalid } from '../../../sandbox/errors.ts';
import { descendants, fieldText, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import { maskLiterals, openBraces } from '../../../syntax/source-text.ts';
import type { BuildFault } from '../toolchain.ts';

/** The method that the tests call, as its header declares it. */
export interface JavaSignature {
  /** The class that contains it. */
  readonly className: string;
  readonly name: string;
  readonly isStatic: boolean;
  /** `<T>`, or empty. */
  readonly typeParameters: string;
  /** As written: `List<Integer>`, `void`. */
  readonly returns: string;
  /** The last one of a variadic method is `int...`. */
  readonly parameters: readonly string[];
  /** `throws IOException`, or empty. */
  readonly throws: string;
  /** Where its header begins in the declaration. */
  readonly start: number;
}

/** Closes what a declaration leaves open: the body and its classes. */
export function closingBraces(declaration: string): string {
  return '}'.repeat(Math.max(0, openBraces(declaration)));
}

/** The signature that a declaration ends with. Throws TESTS_INVALID if there is none. */
export function declaredSignature(parser: SyntaxParser, declaration: string): JavaSignature {
  const signature = parser.read(`${declaration}\n${closingBraces(declaration)}\n`, root => {
    const node = methodsIn(root).at(-1);
    return node && signatureOf(node);
  });
  if (!signature) throw testsInvalid('need a declaration that ends with the header of a method in a class');
  return signature;
}

/** A declaration with the types of a candidate's method, which have to be the library's. */
export function candidateHeader(
  parser: SyntaxParser,
  candidate: string,
  entryPoint: string,
): string | BuildFault {
  return parser.read(candidate, root => {
    const node = methodsIn(root).findLast(method => fieldText(method, 'name') === entryPoint);
    const signature = node && signatureOf(node);
    if (!signature)
      return { kind: 'signature', line: 1, message: `There is no method ${entryPoint} in a class.` };
    const { className, isStatic, returns, parameters } = signature;
    const line = node.startPosition.row + 1;
    if (typeWords.has(className) || className === 'Main' || /(?:Error|Exception)$/.test(className))
      return { kind: 'signature', line, message: `Another class is called ${className}.` };
    const unknownType = [returns, ...parameters]
      .flatMap(type => type.match(/[\p{L}_$][\p{L}\p{Nd}_$]*/gu) ?? [])
      .find(word => !typeWords.has(word));
    if (unknownType !== undefined || signature.typeParameters !== '')
      return {
        kind: 'signature',
        line,
        message: `Values of the type ${unknownType ?? returns} cannot be sent.`,
      };
    const list = parameters.map((type, index) => `${type} a${index}`).join(', ');
    const throwing = signature.throws === '' ? '' : ' throws Exception';
    return [
      'import java.math.*;\nimport java.util.*;\n',
      `class ${className} {`,
      `    public ${isStatic ? 'static ' : ''}${returns} ${entryPoint}(${list})${throwing} {\n`,
    ].join('\n');
  });
}

/** Types that a program without the candidate knows, and the words that types are made of. */
const typeWords = new Set(
  (
    'boolean byte short char int long float double void java util lang math extends super ' +
    'Boolean Byte Short Character Integer Long Float Double String StringBuilder Object Number Comparable CharSequence ' +
    'BigInteger BigDecimal Iterable Collection List ArrayList LinkedList Vector Stack Queue Deque ArrayDeque ' +
    'PriorityQueue Set HashSet LinkedHashSet SortedSet TreeSet Map HashMap LinkedHashMap SortedMap TreeMap Entry ' +
    'Optional OptionalInt OptionalLong OptionalDouble Arrays Objects Collections Math System'
  ).split(' '),
);

/** Methods of classes at the top level, in the order of the text. */
function methodsIn(root: Node): Node[] {
  return namedChildren(root)
    .filter(({ type }) => type === 'class_declaration')
    .flatMap(node => descendants(node, child => child.type !== 'method_declaration'))
    .filter(
      ({ type, parent }) => type === 'method_declaration' && parent?.parent?.parent?.type === 'program',
    );
}

function signatureOf(node: Node): JavaSignature | null {
  const type = node.childForFieldName('type');
  const parameters = node.childForFieldName('parameters');
  if (!type || !parameters) return null;
  const children = namedChildren(node);
  const part = (name: string): string => children.find(child => child.type === name)?.text ?? '';
  return {
    className: node.parent?.parent ? fieldText(node.parent.parent, 'name') : '',
    name: fieldText(node, 'name'),
    isStatic: /\bstatic\b/.test(maskLiterals(part('modifiers'))),
    typeParameters: part('type_parameters'),
    returns: type.text + fieldText(node, 'dimensions'),
    parameters: namedChildren(parameters).flatMap(typeOf),
    throws: part('throws'),
    start: node.startIndex,
  };
}

function typeOf(parameter: Node): string[] {
  if (parameter.type === 'formal_parameter') {
    return [fieldText(parameter, 'type') + fieldText(parameter, 'dimensions')];
  }
  if (parameter.type !== 'spread_parameter') return [];
  const type = namedChildren(parameter).find(({ type }) => !/^(?:modifiers|variable_declarator)$/.test(type));
  return [`${type?.text ?? ''}...`];
}

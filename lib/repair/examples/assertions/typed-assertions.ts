import type { Node } from '@vscode/tree-sitter-wasm';
import type { Task } from '../../../core/task.ts';
import { descendants, namedChildren } from '../../../syntax/nodes.ts';
import type { SyntaxParser } from '../../../syntax/parser.ts';
import { definitionIn } from '../../../syntax/signature.ts';
import type { CompiledLanguage } from '../../enumerate/words.ts';
import type { TypedLiterals } from '../literals.ts';
import { readTyped } from '../typed-literals.ts';
import { type AssertionWriter, all, type FunctionTypes, type TypedExample } from './assertion-writer.ts';
import { cpp } from './cpp.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { rust } from './rust.ts';

const writers: Readonly<Record<CompiledLanguage, AssertionWriter>> = { cpp, go, java, rust };

/** How the examples of one language are read and written. */
export interface TypedExamples extends TypedLiterals {
  assertions(
    parser: SyntaxParser,
    task: Pick<Task, 'language' | 'entryPoint' | 'buggy'>,
    examples: readonly TypedExample[],
  ): string[];
  /** A program of assertions. */
  program(assertions: readonly string[]): string;
}

export function typedExamples(language: CompiledLanguage): TypedExamples {
  return {
    read: (text, start, inside) => readTyped(text, start, language, inside),
    assertions: typedAssertions,
    program: assertions => writers[language].program(assertions),
  };
}

/** Examples of a compiled language as assertions; those whose values do not fit the function's types are left out. */
function typedAssertions(
  parser: SyntaxParser,
  { language, entryPoint, buggy }: Pick<Task, 'language' | 'entryPoint' | 'buggy'>,
  examples: readonly TypedExample[],
): string[] {
  const types = functionTypes(parser, buggy, entryPoint);
  const writer = writers[language as CompiledLanguage];
  if (!types) return [];
  return examples.flatMap(example => {
    const { expected } = example;
    const args = all(example.args, (arg, index) => writer.write(arg, types.parameters[index] ?? ''));
    const wanted = writer.write(expected, types.result);
    if (args?.length !== types.parameters.length || wanted === null) return [];
    return [writer.assertion(types, { args, wanted, expected })];
  });
}

/** The types of a function of a compiled language; null if it is variadic or does not return one value. */
function functionTypes(parser: SyntaxParser, code: string, name: string): FunctionTypes | null {
  return parser.read(code, root => {
    const definition = definitionIn(root, name);
    if (!definition) return null;
    const declarator = definition.childForFieldName('declarator');
    const called = declarator
      ? descendants(declarator).find(({ type }) => type === 'function_declarator')
      : definition;
    const list = called?.childForFieldName('parameters');
    const parameters = list && namedChildren(list).filter(isParameter).map(typesOf);
    const result = resultOf(definition);
    if (!parameters || result === null || parameters.includes(null)) return null;
    return { name, parameters: parameters.flatMap(types => types ?? []), result, owner: ownerOf(definition) };
  });
}

function isParameter({ type }: Node): boolean {
  return !/comment|attribute/.test(type);
}

/** One type for each name; null if the number of arguments varies. */
function typesOf(parameter: Node): string[] | null {
  if (/variadic|spread|self/.test(parameter.type)) return null;
  const type = parameter.childForFieldName('type');
  if (!type) return null;
  if (!/^(?:optional_)?parameter_declaration$/.test(parameter.type))
    return [type.text + (parameter.childForFieldName('dimensions')?.text ?? '')];
  const names = parameter.childrenForFieldName('name').length;
  if (names > 0) return Array<string>(names).fill(type.text);
  // In C++, what belongs to the type stands on both sides of it, and before the name.
  const declarator = parameter.childForFieldName('declarator');
  if (!declarator) return [parameter.text];
  const named = descendants(declarator).find(({ type }) => type === 'identifier');
  const isArray = descendants(declarator).some(({ type }) => /^(?:array|function)_declarator$/.test(type));
  if (!named || isArray) return null;
  return [parameter.text.slice(0, named.startIndex - parameter.startIndex).trim()];
}

/** Null if there is no result, more than one, or a pointer. */
function resultOf(definition: Node): string | null {
  if (definition.childForFieldName('declarator')?.type === 'pointer_declarator') return null;
  const [type] = ['result', 'return_type', 'type'].flatMap(
    field => definition.childForFieldName(field) ?? [],
  );
  if (!type || type.type === 'void_type' || type.text === 'void') return null;
  if (type.type !== 'parameter_list')
    return type.text + (definition.childForFieldName('dimensions')?.text ?? '');
  const results = namedChildren(type);
  const only = results.length === 1 ? results[0] : undefined;
  return only && only.childrenForFieldName('name').length < 2
    ? (only.childForFieldName('type')?.text ?? null)
    : null;
}

function ownerOf(definition: Node): string {
  const owner = definition.parent?.parent;
  return owner?.type === 'class_declaration' ? (owner.childForFieldName('name')?.text ?? '') : '';
}

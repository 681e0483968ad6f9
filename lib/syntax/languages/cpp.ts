import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren, plainStatement, signatureOf, unboundNames } from '../nodes.ts';
import type { Grammar, Parameter, Statement } from '../program.ts';

/** Node types: tree-sitter-cpp's grammar.js, and tree-sitter-c's, which it extends. */
export const cpp: Grammar = {
  statements: root => namedChildren(root).filter(isStatement).map(statementOf),
  argumentNames: () => [],
  opensCode:
    /^(?:#\s*\w|\/[/*]|(?:using|namespace|template|struct|class|enum|union|typedef|static|inline|constexpr|const|extern|auto|void|bool|char|short|int|long|unsigned|signed|float|double|size_t|string|vector|list|map|set|pair|optional|tuple|std\s*::)\b|[\w:]+(?:<[^;]*>)?[\s*&]+\w+\s*\()/,
  continues: /^(?:[)\]}]|\/\/)/,
  header: /^(?!(?:else|return|if|for|while|switch)\b)[\w:<>,*& \t]*?[ \t*&](\w+)\s*\([^;{}]*\)\s*\{/m,
  literals:
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|R"([^\s()\\]{0,16})\([\s\S]*?(?:\)\1"|$)|"(?:\\[\s\S]|[^"\\\n])*(?:"|$)|'(?:\\[^\n]|[^'\\\n])+'/y,
};

/** The semicolon after a class is a separate node. */
function isStatement({ type }: Node): boolean {
  return type !== 'comment' && type !== 'empty_statement';
}

function statementOf(node: Node): Statement {
  switch (node.type) {
    case 'function_definition':
      return {
        ...statement('function', node, functionName(node)),
        signature: signatureOf(node, functionDeclarator(node), parametersOf),
      };
    case 'struct_specifier':
    case 'class_specifier':
    case 'enum_specifier':
    case 'union_specifier': {
      const name = node.childForFieldName('name')?.text;
      const classStatement = statement('class', node, name === undefined ? [] : [name]);
      return { ...classStatement, text: `${classStatement.text};`, inner: functionsIn(node) };
    }
    case 'preproc_include':
    case 'using_declaration':
      return { ...statement('import', node, ['*']), text: node.text.trimEnd() };
    default:
      return statement('other', node, descendants(node).flatMap(boundNames));
  }
}

function statement(kind: Statement['kind'], node: Node, defines: readonly string[]): Statement {
  const needs = () => (kind === 'import' ? [] : neededNames(node, defines));
  const statement = plainStatement(kind, node, defines, needs);
  return { ...statement, text: statement.text.trimEnd() };
}

function functionsIn(node: Node): Statement[] {
  const body = node.childForFieldName('body');
  return body
    ? namedChildren(body)
        .map(statementOf)
        .filter(({ kind }) => kind === 'function')
    : [];
}

/** The declarator of the function itself, inside those of a pointer or reference that it returns. */
function functionDeclarator(node: Node): Node | undefined {
  const declarator = node.childForFieldName('declarator');
  return declarator ? descendants(declarator).find(child => child.type === 'function_declarator') : undefined;
}

function functionName(node: Node): string[] {
  const name = functionDeclarator(node)?.childForFieldName('declarator')?.text;
  return name === undefined ? [] : [name];
}

function neededNames(node: Node, defines: readonly string[]): string[] {
  return unboundNames(node, ['identifier', 'type_identifier'], defines, boundNames);
}

/** The names that declarations, parameters, range-based loops and macros define. */
function boundNames(node: Node): string[] {
  switch (node.type) {
    case 'preproc_def':
    case 'preproc_function_def':
    case 'alias_declaration':
    case 'namespace_definition':
      return [node.childForFieldName('name')?.text ?? ''];
    case 'declaration':
    case 'parameter_declaration':
    case 'optional_parameter_declaration':
    case 'for_range_loop':
    case 'type_definition':
      return declaredNames(node);
    default:
      return [];
  }
}

function declaredNames(node: Node): string[] {
  const declarators = namedChildren(node).filter(
    ({ type }) => /declarator$/.test(type) || type === 'identifier' || type === 'type_identifier',
  );
  // The type and the range of a loop are read.
  const read = [node.childForFieldName('type')?.id, node.childForFieldName('right')?.id];
  return declarators
    .filter(({ id }) => !read.includes(id))
    .flatMap(declarator =>
      descendants(declarator, child => child.type !== 'parameter_list' && child.type !== 'argument_list')
        .filter(({ type }) => type === 'identifier' || type === 'type_identifier')
        .map(({ text }) => text)
        .slice(0, declarator.type === 'structured_binding_declarator' ? undefined : 1),
    );
}

function parametersOf(list: Node): Parameter[] {
  return namedChildren(list)
    .filter(({ type }) => /^(?:optional_)?parameter_declaration$/.test(type))
    .map(node => ({
      name: declaredNames(node)[0] ?? '_',
      kind: 'positional',
      optional: node.type === 'optional_parameter_declaration',
    }));
}

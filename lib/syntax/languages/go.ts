import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren, plainStatement, signatureOf, unboundNames } from '../nodes.ts';
import type { Grammar, Parameter, Statement } from '../program.ts';

/** Node types: tree-sitter-go's grammar.js. */
export const go: Grammar = {
  statements: root => namedChildren(root).flatMap(statementsOf),
  argumentNames: () => [],
  opensCode: /^(?:package|import|func|type|var|const)\b|^\/[/*]/,
  continues: /^(?:[)\]}]|\/\/)/,
  header: /^func\s+(?:\([^)]*\)\s*)?([\p{L}_][\p{L}\p{Nd}_]*)/mu,
  literals:
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|`[^`]*(?:`|$)|"(?:\\.|[^"\\\n])*(?:"|$|(?=\n))|'(?:\\.|[^'\\\n])*(?:'|$|(?=\n))/y,
};

function statementsOf(node: Node): Statement[] {
  switch (node.type) {
    case 'comment':
    case 'package_clause':
      return [];
    case 'function_declaration':
      return [
        {
          ...statement('function', node, nameOf(node)),
          signature: signatureOf(node, node, list => namedChildren(list).flatMap(parametersOf)),
        },
      ];
    case 'method_declaration':
      // Declared with its receiver's type.
      return [statement('class', node, receiverOf(node))];
    case 'import_declaration':
      return [statement('import', node, importedNames(node))];
    case 'type_declaration':
      return [statement('class', node, declared(node, /^type_(?:spec|alias)$/))];
    case 'var_declaration':
    case 'const_declaration':
      return [statement('other', node, declared(node, /^(?:var|const)_spec$/))];
    default:
      return [statement('other', node, [])];
  }
}

function statement(kind: Statement['kind'], node: Node, defines: readonly string[]): Statement {
  return plainStatement(kind, node, defines, () => (kind === 'import' ? [] : neededNames(node, defines)));
}

function nameOf(node: Node): string[] {
  return node.childrenForFieldName('name').flatMap(name => (name ? [name.text] : []));
}

function declared(node: Node, spec: RegExp): string[] {
  return descendants(node, child => !spec.test(child.type))
    .filter(child => spec.test(child.type))
    .flatMap(nameOf);
}

function receiverOf(node: Node): string[] {
  const receiver = node.childForFieldName('receiver');
  const type = receiver && descendants(receiver).find(child => child.type === 'type_identifier');
  return type ? [type.text] : [];
}

/** The names of imported packages: the last part of the path, unless the import has another name. */
function importedNames(node: Node): string[] {
  return descendants(node)
    .filter(child => child.type === 'import_spec')
    .map(spec => {
      const path = spec.childForFieldName('path')?.text.slice(1, -1) ?? '';
      return spec.childForFieldName('name')?.text ?? path.split('/').at(-1) ?? '';
    });
}

function neededNames(node: Node, defines: readonly string[]): string[] {
  return unboundNames(node, ['identifier', 'type_identifier', 'package_identifier'], defines, boundNames);
}

function boundNames(node: Node): string[] {
  switch (node.type) {
    case 'parameter_declaration':
    case 'variadic_parameter_declaration':
    case 'type_parameter_declaration':
    case 'var_spec':
    case 'const_spec':
    case 'type_spec':
      return nameOf(node);
    case 'short_var_declaration':
    case 'range_clause':
      return namesIn(node.childForFieldName('left'));
    default:
      return [];
  }
}

function namesIn(list: Node | null): string[] {
  return list ? namedChildren(list).map(({ text }) => text) : [];
}

/** `a, b int` is two parameters; `int` alone is one without a name. */
function parametersOf(node: Node): Parameter[] {
  if (!/parameter_declaration$/.test(node.type)) return [];
  const kind = node.type === 'variadic_parameter_declaration' ? 'rest' : 'positional';
  const names = nameOf(node);
  return (names.length > 0 ? names : ['_']).map(name => ({ name, kind, optional: false }));
}

import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren, plainStatement, signatureOf, unboundNames } from '../nodes.ts';
import type { Grammar, Parameter, Statement } from '../program.ts';

/** Node types: tree-sitter-rust's grammar.js. */
export const rust: Grammar = {
  statements: root => statementsIn(namedChildren(root)),
  argumentNames: () => [],
  opensCode:
    /^(?:(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+|async\s+|const\s+|extern\s+"[^"]*"\s+)*(?:fn|struct|enum|trait|impl|mod|use|type|static|const|union|macro_rules!)\b|#!?\[|\/[/*])/,
  continues: /^(?:[)\]}]|\/\/|where\b)/,
  header: /^(?:pub(?:\([^)]*\))?\s+)?(?:(?:unsafe|async|const)\s+)*fn\s+([\p{L}_][\p{L}\p{Nd}_]*)/mu,
  literals:
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|b?r(#*)"[\s\S]*?(?:"\1|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|'(?:\\[^\n]|[^'\\\n])'/y,
};

/** Attributes come before the item that they belong to. */
function statementsIn(nodes: readonly Node[]): Statement[] {
  const statements: Statement[] = [];
  let attributes: string[] = [];
  for (const node of nodes) {
    if (node.type === 'attribute_item') attributes.push(node.text);
    else if (!/comment$/.test(node.type)) {
      const statement = statementOf(node);
      const text = [...attributes, statement.text].join('\n');
      statements.push({ ...statement, text });
      attributes = [];
    }
  }
  return statements;
}

function statementOf(node: Node): Statement {
  switch (node.type) {
    case 'function_item':
      return {
        ...statement('function', node, nameOf(node)),
        signature: signatureOf(node, node, parametersOf),
      };
    case 'impl_item':
      return { ...statement('class', node, implemented(node)), inner: functionsIn(node) };
    case 'struct_item':
    case 'enum_item':
    case 'union_item':
    case 'trait_item':
    case 'type_item':
      return statement('class', node, nameOf(node));
    case 'use_declaration':
    case 'extern_crate_declaration':
      return statement('import', node, usedNames(node));
    default:
      return statement('other', node, nameOf(node));
  }
}

function statement(kind: Statement['kind'], node: Node, defines: readonly string[]): Statement {
  return plainStatement(kind, node, defines, () => (kind === 'import' ? [] : neededNames(node, defines)));
}

function nameOf(node: Node): string[] {
  const name = node.childForFieldName('name')?.text;
  return name === undefined ? [] : [name];
}

/** An `impl` belongs to its type. */
function implemented(node: Node): string[] {
  const type = node.childForFieldName('type');
  const name = type && descendants(type).find(child => child.type === 'type_identifier');
  return name ? [name.text] : [];
}

function functionsIn(node: Node): Statement[] {
  const body = node.childForFieldName('body');
  return body ? statementsIn(namedChildren(body)).filter(({ kind }) => kind === 'function') : [];
}

/** The last names of the paths; `*` for an entire module. */
function usedNames(node: Node): string[] {
  return descendants(node).flatMap(child => {
    switch (child.type) {
      case 'use_wildcard':
        return ['*'];
      case 'use_as_clause':
        return [child.childForFieldName('alias')?.text ?? ''];
      case 'identifier':
      case 'type_identifier':
        return isLastOfPath(child) ? [child.text] : [];
      default:
        return [];
    }
  });
}

function isLastOfPath(node: Node): boolean {
  const parent = node.parent;
  if (parent?.type === 'use_as_clause') return false;
  if (parent?.type === 'scoped_identifier')
    return parent.childForFieldName('name')?.id === node.id && isLastOfPath(parent);
  return parent?.type !== 'scoped_use_list' && parent?.type !== 'use_wildcard';
}

function neededNames(node: Node, defines: readonly string[]): string[] {
  return unboundNames(node, ['identifier', 'type_identifier'], defines, boundNames);
}

function boundNames(node: Node): string[] {
  switch (node.type) {
    case 'parameter':
    case 'let_declaration':
    case 'for_expression':
    case 'match_pattern': {
      const pattern = node.childForFieldName('pattern') ?? node;
      return descendants(pattern, child => child.type !== 'block')
        .filter(child => child.type === 'identifier')
        .map(child => child.text);
    }
    case 'function_item':
    case 'type_parameter':
      return nameOf(node);
    default:
      return [];
  }
}

function parametersOf(list: Node): Parameter[] {
  return namedChildren(list)
    .filter(({ type }) => type === 'parameter')
    .map(node => ({
      name: node.childForFieldName('pattern')?.text ?? '_',
      kind: 'positional',
      optional: false,
    }));
}

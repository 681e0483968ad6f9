import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren, plainStatement, textBefore } from '../nodes.ts';
import type { Grammar, Parameter, Signature, Statement } from '../program.ts';

/** Node types: tree-sitter-python's grammar.js. */
export const python: Grammar = {
  statements: root => namedChildren(root).flatMap(statementsOf),
  argumentNames: root =>
    descendants(root)
      .filter(node => node.type === 'keyword_argument')
      .map(node => node.childForFieldName('name')?.text ?? ''),
  opensCode:
    /^(?:(?:async\s+)?def\b|class\b|import\b|from\s+\S+\s+import\b|@|[A-Za-z_][\w, ]*(?::[^=]+)?=[^=])/,
  continues: /^(?:[)\]}#]|(?:else|elif|except|finally)\b)/,
  header: /^(?:async\s+)?def\s+([\p{ID_Start}_]\p{ID_Continue}*)/mu,
  literals:
    /#[^\n]*|("""|''')(?:\\[\s\S]|(?!\1)[\s\S])*(?:\1|$)|"(?:\\[\s\S]|[^"\\\n])*(?:"|$|(?=\n))|'(?:\\[\s\S]|[^'\\\n])*(?:'|$|(?=\n))/y,
};

function statementsOf(node: Node): Statement[] {
  if (node.type === 'comment') return [];
  const definition = node.type === 'decorated_definition' ? node.childForFieldName('definition') : node;
  if (definition?.type === 'function_definition') return [functionOf(node, definition)];
  if (definition?.type === 'class_definition') {
    return [{ ...statement('class', node, [nameOf(definition)]), inner: innerFunctions(definition) }];
  }
  if (/^(?:import|import_from|future_import)_statement$/.test(node.type)) {
    return [statement('import', node, importedNames(node))];
  }
  const lambda = lambdaOf(node);
  if (lambda) return [{ ...statement('function', node, [lambda.name]), signature: lambda.signature }];
  return [statement('other', node, isMainBlock(node) ? [] : boundNames(node))];
}

function statement(kind: Statement['kind'], node: Node, defines: readonly string[]): Statement {
  return plainStatement(kind, node, defines, () => freeNames(node, kind === 'function' || kind === 'class'));
}

function functionOf(node: Node, definition: Node): Statement {
  return {
    ...statement('function', node, [nameOf(definition)]),
    signature: node.hasError ? null : signatureOf(definition),
    inner: innerFunctions(definition),
  };
}

/** Functions defined in the body of a class or a function, at any depth. */
function innerFunctions(definition: Node): Statement[] {
  const body = definition.childForFieldName('body');
  return (body ? namedChildren(body) : [])
    .flatMap(statementsOf)
    .flatMap(inner => (inner.kind === 'function' ? [inner, ...inner.inner] : inner.inner));
}

function nameOf(definition: Node): string {
  return definition.childForFieldName('name')?.text ?? '';
}

function signatureOf(definition: Node): Signature | null {
  const parameters = definition.childForFieldName('parameters');
  const body = definition.childForFieldName('body');
  if (!parameters || !body) return null;
  return {
    text: textBefore(definition, body).replace(/(?<!\s)\s*:(?:\s*#.*)?$/, ''),
    asynchronous: definition.child(0)?.type === 'async',
    parameters: parametersOf(parameters),
  };
}

/** `f = lambda a: …` defines a function as `def` does. */
function lambdaOf(node: Node): { name: string; signature: Signature } | null {
  const assignment = node.type === 'expression_statement' ? node.namedChild(0) : null;
  const left = assignment?.type === 'assignment' ? assignment.childForFieldName('left') : null;
  const lambda = assignment?.childForFieldName('right');
  const body = lambda?.childForFieldName('body');
  if (left?.type !== 'identifier' || lambda?.type !== 'lambda' || !body) return null;
  const parameters = lambda.childForFieldName('parameters');
  return {
    name: left.text,
    signature: {
      text: textBefore(node, body).replace(/(?<!\s)\s*:$/, ''),
      asynchronous: false,
      parameters: parameters ? parametersOf(parameters) : [],
    },
  };
}

function parametersOf(list: Node): Parameter[] {
  const parameters: Parameter[] = [];
  let byPosition = true;
  for (const node of namedChildren(list)) {
    const inner = node.type === 'typed_parameter' ? (node.namedChild(0) ?? node) : node;
    const name = (inner.childForFieldName('name') ?? inner).text.replace(/^\*+/, '');
    if (inner.type === 'keyword_separator') byPosition = false;
    else if (inner.type === 'list_splat_pattern') {
      byPosition = false;
      parameters.push({ name, kind: 'rest', optional: true });
    } else if (inner.type === 'dictionary_splat_pattern') {
      parameters.push({ name, kind: 'keyword-rest', optional: true });
    } else if (/^(?:identifier|default_parameter|typed_default_parameter)$/.test(inner.type)) {
      const optional = inner.type !== 'identifier';
      parameters.push({ name, kind: byPosition ? 'positional' : 'keyword-only', optional });
    }
  }
  return parameters;
}

/** `if __name__ == '__main__':` belongs to the script, not to the function. */
function isMainBlock(node: Node): boolean {
  return node.type === 'if_statement' && /\b__name__\b/.test(node.childForFieldName('condition')?.text ?? '');
}

/** Names bound in the scope of a statement, including those inside `if`, `try`, `with` and loops. */
function boundNames(node: Node): string[] {
  return descendants(node, child => !isScope(child)).flatMap(bindings);
}

/**
 * Names that a node reads from outside. Everything that a function binds inside counts as its own unless
 * declared `global`; a statement outside functions owns nothing.
 */
function freeNames(node: Node, ownsBindings: boolean): string[] {
  const nodes = descendants(node);
  const bound = new Set(ownsBindings ? nodes.flatMap(bindings) : []);
  for (const global of nodes.filter(child => child.type === 'global_statement')) {
    for (const name of namedChildren(global)) bound.delete(name.text);
  }
  const read = nodes.filter(child => child.type === 'identifier' && !isLabel(child)).map(child => child.text);
  return [...new Set(read)].filter(name => !bound.has(name));
}

/** `*` for a wildcard, and for a future import: its effect has no name. */
function importedNames(node: Node): string[] {
  if (node.type === 'future_import_statement') return ['*'];
  const origin = node.childForFieldName('module_name');
  return namedChildren(node)
    .filter(child => child.id !== origin?.id && child.type !== 'comment')
    .map(child => {
      if (child.type === 'wildcard_import') return '*';
      return child.childForFieldName('alias')?.text ?? child.text.split('.')[0] ?? '';
    });
}

const isScope = (node: Node) => /^(?:function_definition|class_definition|lambda)$/.test(node.type);

function bindings(node: Node): string[] {
  switch (node.type) {
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
    case 'for_in_clause':
      return variables(node.childForFieldName('left'));
    case 'named_expression':
    case 'function_definition':
    case 'class_definition':
      return [node.childForFieldName('name')?.text ?? ''];
    case 'import_statement':
    case 'import_from_statement':
      return importedNames(node);
    case 'as_pattern_target':
    case 'case_pattern':
      return variables(node);
    case 'parameters':
    case 'lambda_parameters':
      return namedChildren(node).flatMap(parameter => parameterNames(parameter));
    default:
      return [];
  }
}

function parameterNames(parameter: Node): string[] {
  if (parameter.type === 'typed_parameter') return variables(parameter.namedChild(0));
  return variables(parameter.childForFieldName('name') ?? parameter);
}

/** The variables of an assignment target; `a.b` and `a[i]` bind none. */
function variables(target: Node | null): string[] {
  if (!target) return [];
  const plain = (node: Node) => !/^(?:attribute|subscript)$/.test(node.type);
  return descendants(target, plain)
    .filter(node => node.type === 'identifier')
    .map(node => node.text);
}

/** An identifier that names an attribute or an argument, not a variable. */
function isLabel(identifier: Node): boolean {
  const { parent } = identifier;
  if (parent?.type === 'attribute') return parent.childForFieldName('attribute')?.id === identifier.id;
  return parent?.type === 'keyword_argument' && parent.childForFieldName('name')?.id === identifier.id;
}

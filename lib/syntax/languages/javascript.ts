import type { Node } from '@vscode/tree-sitter-wasm';
import { dedentedText, descendants, namedChildren, plainStatement, textBefore } from '../nodes.ts';
import type { Grammar, Parameter, Signature, Statement } from '../program.ts';
/** Node types: tree-sitter-javascript's grammar.js. */
export const javascript: Grammar = {
  statements: root => namedChildren(root).flatMap(statementsOf),
  argumentNames: () => [],
  opensCode:
    /^(?:(?:export\s+(?:default\s+)?)?(?:(?:async\s+)?function\b|class\b|const\b|let\b|var\b)|import\b|\/\*|(?:module\.)?exports\b|[\w$]+\s*=[^=])/,
  continues: /^(?:[)\]}.?:*]|\/\/|&&|\|\||(?:else|catch|finally)\b)/,
  header:
    /^(?:export\s+(?:default\s+)?)?(?:(?:async\s+)?function\s*(?:\*\s*)?|(?:(?:const|let|var)\s+)?(?=[\w$]+\s*=\s*(?:async\b\s*)?(?:function\b|\(|[\w$]+\s*=>)))([\p{ID_Start}$_][\p{ID_Continue}$]*)/mu,
  literals:
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<=(?:[(,=:[!&|?{};]|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|`(?:\\[\s\S]|[^`\\])*(?:`|$)|"(?:\\[\s\S]|[^"\\\n])*(?:"|$|(?=\n))|'(?:\\[\s\S]|[^'\\\n])*(?:'|$|(?=\n))/y,
};

function statementsOf(node: Node): Statement[] {
  switch (node.type) {
    case 'comment':
    case 'empty_statement':
      return [];
    case 'function_declaration':
    case 'generator_function_declaration':
      return [functionOf(node, node, node.childForFieldName('name')?.text ?? '')];
    case 'class_declaration':
      return [
        { ...statement('class', node, [node.childForFieldName('name')?.text ?? '']), inner: methodsOf(node) },
      ];
    case 'lexical_declaration':
    case 'variable_declaration':
      return [declarationOf(node)];
    case 'export_statement': {
      const declaration = node.childForFieldName('declaration') ?? node.childForFieldName('value');
      return declaration && !/^(?:identifier|object)$/.test(declaration.type)
        ? statementsOf(declaration)
        : [];
    }
    case 'function_expression':
      return node.childForFieldName('name')
        ? [functionOf(node, node, node.childForFieldName('name')?.text ?? '')]
        : [];
    case 'import_statement':
      return [statement('import', node, boundNames(node))];
    case 'expression_statement':
      return [assignmentOf(node)];
    default:
      return [statement('other', node, boundNames(node))];
  }
}

function statement(kind: Statement['kind'], node: Node, defines: readonly string[]): Statement {
  return plainStatement(kind, node, defines, () => freeNames(node, kind === 'function' || kind === 'class'));
}

/** `whole` is the statement that gives the function its name. */
function functionOf(whole: Node, definition: Node, name: string): Statement {
  return {
    ...statement('function', whole, [name]),
    signature: whole.hasError ? null : signatureOf(whole, definition),
    inner: innerFunctions(definition),
  };
}

function declarationOf(node: Node): Statement {
  const declarators = namedChildren(node).filter(child => child.type === 'variable_declarator');
  const last = declarators.findLast(child => isFunction(child.childForFieldName('value')));
  const definition = last?.childForFieldName('value');
  if (definition) return { ...functionOf(node, definition, ''), defines: boundNames(node) };
  const loads = declarators.every(child =>
    /^require\s*\(/.test(child.childForFieldName('value')?.text ?? ''),
  );
  return statement(loads ? 'import' : 'other', node, boundNames(node));
}

/** `f = …`, `exports.f = …` and `module.exports = function f …` define functions too. */
function assignmentOf(node: Node): Statement {
  const assignment = node.namedChild(0);
  const left = assignment?.type === 'assignment_expression' ? assignment.childForFieldName('left') : null;
  const value = assignment?.childForFieldName('right') ?? null;
  if (!left || !value || !isFunction(value)) return statement('other', node, boundNames(node));
  if (left.type === 'identifier') return functionOf(node, value, left.text);
  const functionName = value.childForFieldName('name')?.text;
  if (functionName) return { ...functionOf(node, value, functionName), text: dedentedText(value) };
  const property = left.childForFieldName('property')?.text ?? '';
  const text = `const ${property} = ${dedentedText(value)};`;
  return { ...functionOf(node, value, property), text };
}

function isFunction(node: Node | null): boolean {
  return /^(?:arrow_function|function_expression|generator_function)$/.test(node?.type ?? '');
}

function methodsOf(definition: Node): Statement[] {
  const body = definition.childForFieldName('body');
  return (body ? namedChildren(body) : [])
    .filter(member => member.type === 'method_definition')
    .map(method => {
      const name = method.childForFieldName('name')?.text ?? '';
      const text = dedentedText(method).replace(
        /^(?:static\s+)?(async\s+)?(\*\s*)?/,
        (_, asynchronous = '', star = '') => `${asynchronous}function${star ? '*' : ''} `,
      );
      return { ...functionOf(method, method, name), text };
    });
}

/** Functions defined in the body of a function, at any depth. */
function innerFunctions(definition: Node): Statement[] {
  const body = definition.childForFieldName('body');
  return (body?.type === 'statement_block' ? namedChildren(body) : [])
    .flatMap(statementsOf)
    .flatMap(inner => (inner.kind === 'function' ? [inner, ...inner.inner] : inner.inner));
}

function signatureOf(whole: Node, definition: Node): Signature | null {
  const body = definition.childForFieldName('body');
  const list = definition.childForFieldName('parameters');
  const single = definition.childForFieldName('parameter');
  if (!body || !(list || single)) return null;
  return {
    text: textBefore(whole, body).replace(/(?<!\s)\s*=>$/, ''),
    asynchronous: definition.child(0)?.type === 'async',
    parameters: (single ? [single] : list ? namedChildren(list) : []).flatMap(parametersOf),
  };
}

/** JavaScript calls may omit any argument. */
function parametersOf(node: Node): Parameter[] {
  if (node.type === 'comment') return [];
  const kind = node.type === 'rest_pattern' ? 'rest' : 'positional';
  return [{ name: patternNames(node)[0] ?? node.text, kind, optional: true }];
}

/** Names bound in the scope of a statement, including nested blocks. */
function boundNames(node: Node): string[] {
  return descendants(node, child => !isFunctionNode(child)).flatMap(bindings);
}

/**
 * Names that a node reads from outside. Everything that a function binds inside counts as its own; a
 * statement outside functions owns nothing.
 */
function freeNames(node: Node, ownsBindings: boolean): string[] {
  const nodes = descendants(node);
  const bound = new Set(ownsBindings ? nodes.flatMap(bindings) : []);
  const read = nodes
    .filter(child => child.type === 'identifier' || child.type === 'shorthand_property_identifier')
    .map(child => child.text);
  return [...new Set(read)].filter(name => !bound.has(name));
}

/** The variables of a pattern: `{a, b: [c = 1], ...d}` gives a, c, d. */
function patternNames(pattern: Node | null): string[] {
  if (!pattern) return [];
  if (pattern.type === 'identifier' || pattern.type === 'shorthand_property_identifier_pattern') {
    return [pattern.text];
  }
  const bound = /^(?:object_)?assignment_pattern$/.test(pattern.type)
    ? [pattern.childForFieldName('left') ?? pattern.namedChild(0)]
    : namedChildren(pattern).filter(child => child.type !== 'property_identifier');
  return bound.flatMap(patternNames);
}

const isFunctionNode = (node: Node) =>
  /^(?:arrow_function|function_expression|generator_function|(?:generator_)?function_declaration|class_declaration|method_definition)$/.test(
    node.type,
  );

function bindings(node: Node): string[] {
  switch (node.type) {
    case 'variable_declarator':
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_expression':
    case 'class_declaration':
      return patternNames(node.childForFieldName('name'));
    case 'assignment_expression':
    case 'augmented_assignment_expression':
      return isFunctionScoped(node) ? [] : patternNames(assigned(node));
    case 'formal_parameters':
      return patternNames(node);
    case 'arrow_function':
    case 'catch_clause':
      return patternNames(node.childForFieldName('parameter'));
    case 'for_in_statement':
      return node.childForFieldName('kind') ? patternNames(node.childForFieldName('left')) : [];
    case 'import_clause':
      return descendants(node)
        .filter(child => child.type === 'identifier')
        .map(child => child.text);
    default:
      return [];
  }
}

/** `a.b = 1` binds nothing. */
function assigned(node: Node): Node | null {
  const left = node.childForFieldName('left');
  return left && /^(?:member_expression|subscript_expression)$/.test(left.type) ? null : left;
}

/** An assignment inside a function may target a variable outside it, which the function then needs. */
function isFunctionScoped(node: Node): boolean {
  for (let above = node.parent; above; above = above.parent) if (isFunctionNode(above)) return true;
  return false;
}

import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from '../grammar.ts';
import { dedentedText, namedChildren, plainStatement, textBefore } from '../nodes.ts';
import type { Parameter, Signature, Statement } from '../program.ts';
import { boundNames, freeNames, patternNames } from './javascript-names.ts';

/** Node types: tree-sitter-javascript's grammar.js. */
export const javascript: Grammar = {
  statements: root => namedChildren(root).flatMap(statementsOf),
  argumentNames: () => [],
  opensCode:
    /^(?:(?:export\s+(?:default\s+)?)?(?:(?:async\s+)?function\b|class\b|const\b|let\b|var\b)|import\b|\/\*|(?:module\.)?exports\b|[\w$]+\s*=[^=])/,
  continues: /^(?:[)\]}.?:*]|\/\/|&&|\|\||(?:else|catch|finally)\b)/,
  header:
    /^(?:export\s+(?:default\s+)?)?(?:(?:async\s+)?function\s*\*?\s*|(?:(?:const|let|var)\s+)?(?=[\w$]+\s*=\s*(?:async\b\s*)?(?:function\b|\(|[\w$]+\s*=>)))([\p{ID_Start}$_][\p{ID_Continue}$]*)/mu,
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
  const own = value.childForFieldName('name')?.text;
  if (own) return { ...functionOf(node, value, own), text: dedentedText(value) };
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
    text: textBefore(whole, body).replace(/\s*=>$/, ''),
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

import type { Node } from '@vscode/tree-sitter-wasm';
import type { Language } from '../core/task.ts';
import { children } from './nodes.ts';

/**
 * A program's syntax tree as text, without what cannot change its behaviour: layout, comments, quote style,
 * docstrings, redundant parentheses and trailing commas, parameter annotations, import order. Programs with
 * the same fingerprint behave alike; the reverse does not hold, since renaming a variable changes the
 * fingerprint.
 */
export function fingerprintOf(root: Node, language: Language): string {
  const print = (node: Node): string => fingerprintOfNode(node, language);
  const statements = children(root).map(node => ({ isImport: /import/.test(node.type), text: print(node) }));
  const imports = statements.filter(statement => statement.isImport).map(statement => statement.text);
  const others = statements.filter(statement => !statement.isImport).map(statement => statement.text);
  return [...new Set(imports.sort()), ...others].filter(text => text !== '').join('\n');
}

/** The fingerprint of any node. */
export function fingerprintOfNode(node: Node, language: Language): string {
  return printed(node, rules[language] ?? plainRule);
}

/** Prints a node in a special way; null prints its children. */
type Rule = (node: Node, print: (node: Node) => string) => string | null;

/** Below this depth code is taken literally; a program may be nested deeper than our stack allows. */
const deepest = 500;

function printed(node: Node, rule: Rule, depth = 0): string {
  if (/^(?:(?:line_|block_)?comment|line_continuation|;)$/.test(node.type) || isTrailingComma(node))
    return '';
  if (depth > deepest) return JSON.stringify(node.text);
  const print = (child: Node): string => printed(child, rule, depth + 1);
  const special = rule(node, print);
  if (special !== null) return special;
  if (node.childCount === 0) return node.text;
  return bracketed(node.type, children(node), print);
}

function bracketed(type: string, nodes: readonly Node[], print: (node: Node) => string): string {
  const parts = nodes.map(print).filter(part => part !== '');
  return `(${[type, ...parts].join(' ')})`;
}

/** `f(a,)`, `[a,]`, `{a: 1,}`; in a tuple or a subscript the comma makes the tuple. */
function isTrailingComma(node: Node): boolean {
  return (
    node.type === ',' && /^[\])}]$/.test(node.nextSibling?.type ?? '') && lists.test(node.parent?.type ?? '')
  );
}

const lists =
  /^(?:argument_list|arguments|parameters|formal_parameters|list|array|set|dictionary|object|import_from_statement)$/;

const pythonRule: Rule = (node, print) => {
  switch (node.type) {
    case 'parenthesized_expression':
      return printInner(node, print);
    case 'expression_list':
    case 'tuple':
      return bracketed(
        'tuple',
        children(node).filter(child => child.type !== '(' && child.type !== ')'),
        print,
      );
    case 'import_from_statement':
      return bracketed(
        node.type,
        children(node).filter(child => child.type !== '(' && child.type !== ')'),
        print,
      );
    case 'string':
      return stringText(node);
    case 'expression_statement':
      return isPlainString(node.namedChild(0)) ? '' : null;
    case 'typed_parameter':
      return isDecorated(node) || !node.namedChild(0) ? null : print(node.namedChild(0) as Node);
    case 'typed_default_parameter':
    case 'function_definition':
      return isDecorated(node) ? null : withoutAnnotation(node, print);
    default:
      return null;
  }
};

/** A decorator may read annotations (`functools.singledispatch` does). */
function isDecorated(node: Node): boolean {
  const definition = node.type === 'function_definition' ? node : node.parent?.parent;
  return definition?.parent?.type === 'decorated_definition';
}

function withoutAnnotation(node: Node, print: (node: Node) => string): string {
  const type = node.childForFieldName(node.type === 'function_definition' ? 'return_type' : 'type');
  const rest = children(node).filter(
    child => child.id !== type?.id && !(type && child.nextSibling?.id === type.id),
  );
  return bracketed(node.type === 'function_definition' ? node.type : 'default_parameter', rest, print);
}

function isPlainString(node: Node | null): boolean {
  return node?.type === 'string' && /^[rRuU]*["']/.test(node.text);
}

/** The text between the quotes; interpolations and raw strings are kept as written. */
function stringText(node: Node): string {
  const [, prefix = '', quotes = '', content = ''] =
    /^([A-Za-z]*)("""|'''|"|')([\s\S]*)\2$/.exec(node.text) ?? [];
  if (quotes === '' || /[fFtTrR]/.test(prefix)) return JSON.stringify(node.text);
  return `${prefix.toLowerCase().replace('u', '')}${JSON.stringify(unescapeQuotes(content))}`;
}

/** `\'` and `'` are the same in a string; all other escapes are kept. */
function unescapeQuotes(content: string): string {
  return content.replace(/\\([\s\S])/g, (whole, character) => (/["']/.test(character) ? character : whole));
}

const javascriptRule: Rule = (node, print) => {
  switch (node.type) {
    case 'parenthesized_expression':
      return /\?\./.test(node.text) ? null : printInner(node, print);
    case 'string':
      return JSON.stringify(unescapeQuotes(node.text.slice(1, -1)));
    case 'template_string':
    case 'regex':
      return JSON.stringify(node.text);
    case 'arrow_function': {
      const parameter = node.childForFieldName('parameter');
      return parameter
        ? bracketed(node.type, children(node), child =>
            child.id === parameter.id ? `(formal_parameters ( ${child.text} ))` : print(child),
          )
        : null;
    }
    default:
      return null;
  }
};

const plainRule: Rule = (node, print) =>
  node.type === 'parenthesized_expression' ? printInner(node, print) : null;

const rules: Partial<Record<Language, Rule>> = { python: pythonRule, js: javascriptRule };

/** Parentheses around one expression are already expressed by the tree. */
function printInner(node: Node, print: (node: Node) => string): string {
  return children(node)
    .filter(child => child.type !== '(' && child.type !== ')')
    .map(print)
    .filter(part => part !== '')
    .join(' ');
}

import type { Node } from '@vscode/tree-sitter-wasm';
import { descendants, namedChildren, plainStatement, signatureOf, unboundNames } from '../nodes.ts';
import type { Grammar, Parameter, Statement } from '../program.ts';
import { functionHeaders, openBraces } from '../source-text.ts';

/** Node types: tree-sitter-java's grammar.js. A class defines its methods too, since none can be without it. */
export const java: Grammar = {
  inDeclaredClass,
  statements: root => namedChildren(root).filter(isStatement).map(statementOf),
  argumentNames: () => [],
  opensCode:
    /^(?:import|package|public|private|protected|static|final|abstract|class|interface|enum|record|@\w|\/[/*]|(?:[A-Z]\w*(?:<[^;]*>)?|int|long|double|float|boolean|char|byte|short|void)(?:\[\])*\s+\w+\s*[(=;])/,
  continues: /^(?:[)\]}]|\/\/)/,
  header:
    /^(?!(?:else|return|if|for|while|switch|new)\b)(?:[\w<>,.[\]? \t@]*[ \t])?(\w+)\s*\([^;{}]*\)\s*(?:throws [\w.,\s]+)?\{/m,
  literals:
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*(?:"|$|(?=\n))|'(?:\\.|[^'\\\n])*(?:'|$|(?=\n))/y,
};

function isStatement({ type }: Node): boolean {
  return !/^(?:line_comment|block_comment|package_declaration)$/.test(type);
}

function statementOf(node: Node): Statement {
  switch (node.type) {
    case 'import_declaration':
      return statement('import', node, importedNames(node));
    case 'method_declaration':
      return methodOf(node);
    case 'class_declaration':
    case 'interface_declaration':
    case 'enum_declaration':
    case 'record_declaration': {
      const body = node.childForFieldName('body');
      const inner = body ? namedChildren(body).filter(({ type }) => type === 'method_declaration') : [];
      return {
        ...statement('class', node, [...nameOf(node), ...inner.flatMap(nameOf)]),
        inner: inner.map(methodOf),
      };
    }
    default:
      return statement('other', node, descendants(node).flatMap(boundNames));
  }
}

function methodOf(node: Node): Statement {
  return { ...statement('function', node, nameOf(node)), signature: signatureOf(node, node, parametersOf) };
}

function statement(kind: Statement['kind'], node: Node, defines: readonly string[]): Statement {
  return plainStatement(kind, node, defines, () =>
    kind === 'import' ? [] : unboundNames(node, ['identifier', 'type_identifier'], defines, boundNames),
  );
}

function nameOf(node: Node): string[] {
  const name = node.childForFieldName('name');
  return name ? [name.text] : [];
}

/** `java.util.List` gives `List`. */
function importedNames(node: Node): string[] {
  const isWildcard = namedChildren(node).some(({ type }) => type === 'asterisk');
  const [path] = namedChildren(node).filter(({ type }) => /identifier$/.test(type));
  return isWildcard ? ['*'] : [path?.text.split('.').at(-1) ?? ''];
}

function boundNames(node: Node): string[] {
  switch (node.type) {
    case 'variable_declarator':
    case 'formal_parameter':
    case 'catch_formal_parameter':
    case 'enhanced_for_statement':
    case 'method_declaration':
    case 'class_declaration':
    case 'record_declaration':
      return nameOf(node);
    case 'lambda_expression':
    case 'inferred_parameters': {
      const names = node.childForFieldName('parameters') ?? node;
      return names.type === 'identifier'
        ? [names.text]
        : namedChildren(names)
            .filter(({ type }) => type === 'identifier')
            .map(({ text }) => text);
    }
    default:
      return [];
  }
}

function parametersOf(list: Node): Parameter[] {
  return namedChildren(list)
    .filter(({ type }) => type === 'formal_parameter' || type === 'spread_parameter')
    .map(node => ({
      name: nameOf(node)[0] ?? '_',
      kind: node.type === 'spread_parameter' ? 'rest' : 'positional',
      optional: false,
    }));
}

/**
 * A Java program from methods that stand alone: in the class of a declaration, in place of the method with which the
 * declaration ends. Imports that the declaration lacks come first.
 */
function inDeclaredClass(
  parser: { statements(code: string): readonly Statement[] },
  declaration: string,
  methods: string,
): string {
  const classes = openBraces(declaration) - 1;
  const start = functionHeaders(declaration, classes).at(-1)?.start;
  if (start === undefined) return methods;
  const statements = parser.statements(methods);
  const imports = statements.filter(({ kind, text }) => kind === 'import' && !declaration.includes(text));
  const members = statements.filter(({ kind }) => kind !== 'import');
  const margin = /(?<![ \t])[ \t]*$/.exec(declaration.slice(0, start))?.[0] ?? '';
  return [
    ...imports.map(({ text }) => text),
    declaration.slice(0, start) + members.map(({ text }) => indented(text, margin)).join(`\n\n${margin}`),
    ...Array<string>(classes).fill('}'),
    '',
  ].join('\n');
}

/** Lines of a text block count as they are. */
function indented(text: string, margin: string): string {
  return text.includes('"""') ? text : text.replace(/\n(?=.)/g, `\n${margin}`);
}

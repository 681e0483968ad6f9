import { readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { packageFile } from '../../../lib/files/package-root.ts';
import { table } from './table.ts';

/** A node of the syntax tree; which fields it has depends on its type. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  // biome-ignore lint/suspicious/noExplicitAny: ESTree's types do not cover a walk over all fields
  readonly [field: string]: any;
}

interface ErrorRow {
  readonly offset: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Every error, by the sections of lib/core/errors.ts: its code, what it says, and what to do. */
export function errorTables(): string {
  const source = readFileSync(packageFile('lib/core/errors.ts'), 'utf8');
  const rows = errorsOf(source);
  const sections = [...source.matchAll(/^\/\/ (.+)$/gm)].map(({ 1: title = '', index }) => ({
    title,
    index,
  }));
  return sections
    .map(({ title, index }, position) => {
      const end = sections[position + 1]?.index ?? source.length;
      const own = rows.filter(({ offset }) => offset > index && offset < end);
      const cells = own.map(({ code, message, hint }) => [`\`${code}\``, message, hint]);
      return own.length === 0 ? '' : `### ${title}\n\n${table(['code', 'message', 'what to do'], cells)}\n`;
    })
    .filter(text => text !== '')
    .join('\n');
}

function errorsOf(source: string): ErrorRow[] {
  const program = parseAst(source, { lang: 'ts' }) as unknown as SyntaxNode;
  const constants = new Map<string, SyntaxNode>(definitions(program.body));
  const seen = new Set<string>();
  return nodesOf(program, 'FunctionDeclaration')
    .flatMap(declared => {
      const own = new Map([...constants, ...definitions(nodesOf(declared.body, 'VariableDeclaration'))]);
      return nodesOf(declared, 'NewExpression')
        .filter(({ callee, arguments: [code] }) => callee.name === 'HefixError' && code.type === 'Literal')
        .map(({ start, arguments: [code, message, hint] }) => ({
          offset: start,
          code: `${code?.value}`,
          message: textOf(message, own),
          hint: textOf(hint, own),
        }));
    })
    .filter(({ code, message, hint }) => !seen.has(code + message + hint) && seen.add(code + message + hint));
}

function definitions(statements: readonly SyntaxNode[]): [string, SyntaxNode][] {
  return statements
    .flatMap(statement => (statement.declarations ?? []) as SyntaxNode[])
    .filter(({ init }) => init)
    .map(({ id, init }) => [id.name as string, init as SyntaxNode]);
}

/** The text, with the names of what is filled in; alternatives are divided by a slash. */
function textOf(node: SyntaxNode | undefined, constants: ReadonlyMap<string, SyntaxNode>): string {
  if (node === undefined) return '';
  switch (node.type) {
    case 'Literal':
      return plain(`${node.value}`);
    case 'TemplateLiteral':
      return node.quasis
        .map((quasi: SyntaxNode, index: number) => {
          const filled: SyntaxNode | undefined = node.expressions[index];
          return plain(quasi.value.cooked) + (filled ? inserted(filled, constants) : '');
        })
        .join('');
    case 'ConditionalExpression':
      return [node.consequent, node.alternate]
        .map(branch => textOf(branch, constants))
        .filter(text => text !== '')
        .join(' / ');
    case 'LogicalExpression':
      return `${textOf(node.left, constants)} / ${textOf(node.right, constants)}`;
    case 'BinaryExpression':
      return textOf(node.left, constants) + textOf(node.right, constants);
    case 'Identifier':
      return constants.has(node.name) ? textOf(constants.get(node.name), constants) : `*${words(node.name)}*`;
    default:
      return inserted(node, constants);
  }
}

/** The name of what a template inserts; nothing for a part that may be absent. */
function inserted(node: SyntaxNode, constants: ReadonlyMap<string, SyntaxNode>): string {
  switch (node.type) {
    case 'ConditionalExpression': {
      const [one, other] = [node.consequent, node.alternate].map(branch => textOf(branch, constants));
      return one === '' || other === '' ? '' : `${one} / ${other}`;
    }
    case 'Identifier':
    case 'TemplateLiteral':
    case 'Literal':
      return textOf(node, constants);
    case 'MemberExpression':
      return node.computed ? inserted(node.object, constants) : `*${words(node.property.name)}*`;
    case 'CallExpression': {
      if (node.callee.name === 'didYouMean') return 'Did you mean …?';
      const isMethod = node.callee.type === 'MemberExpression' && !/^[A-Z]/.test(node.callee.object.name);
      const subject: SyntaxNode | undefined = isMethod ? node.callee.object : node.arguments[0];
      return subject ? inserted(subject, constants) : '…';
    }
    case 'LogicalExpression':
      return inserted(node.left, constants);
    case 'BinaryExpression':
      return inserted(node.left, constants);
    default:
      return '…';
  }
}

/** Asterisks as they are. */
function plain(text: string): string {
  return text.replaceAll('*', '\\*');
}

/** `apiKeyName` → `api key name`. */
function words(name: string): string {
  return name.replaceAll(/([A-Z]+)/g, ' $1').toLowerCase();
}

function nodesOf(root: SyntaxNode | readonly SyntaxNode[], type: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && value.type === type) found.push(value as unknown as SyntaxNode);
    for (const child of Object.values(value)) visit(child);
  };
  visit(root);
  return found;
}

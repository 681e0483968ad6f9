import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { packageFile } from '../../../lib/files/package.ts';
import { table } from './table.ts';

/** A node of the syntax tree; which fields it has depends on its type. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  // biome-ignore lint/suspicious/noExplicitAny: ESTree's types do not cover a walk over all fields
  readonly [field: string]: any;
}

interface ErrorRow {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** The errors of these folders stand together in the documentation; the longest prefix counts. */
const sections: Readonly<Record<string, readonly string[]>> = {
  'Options and commands': ['lib/cli/errors.ts', 'lib/options/'],
  'Single commands': ['lib/cli/', 'lib/extra/completion/', 'lib/extra/sweep/'],
  'Code to repair': ['lib/fix/'],
  'Samples to score': ['lib/run/score/'],
  Datasets: ['dataset/'],
  Models: ['lib/model/'],
  'Models: the hub': ['lib/files/hub/', 'lib/model/hub/'],
  'Models: servers': ['lib/model/server/'],
  'Languages and prompts': ['lib/core/', 'lib/repair/'],
  Sandboxes: ['lib/sandbox/', 'lib/extra/compiled/', 'lib/extra/docker/'],
  'Runs and records': ['lib/files/', 'lib/report/results/', 'lib/run/'],
  Queues: ['lib/run/queue/'],
  'The server for other agents': ['lib/extra/mcp/'],
  'Reports and the viewer': ['lib/report/', 'lib/report/viewer/'],
};

/** Every error: its code, what it says, and what to do. */
export function errorTables(): string {
  const sources = sourcesWithErrors().map(path => ({ path, program: parsed(path) }));
  const constants = new Map(sources.flatMap(({ program }) => exportedDefinitions(program)));
  const rows = sources.flatMap(({ path, program }) =>
    errorsOf(program, constants).map(row => ({ ...row, section: sectionOf(path) })),
  );
  return Object.keys(sections)
    .map(title => {
      const own = rows.filter(({ section }) => section === title).sort((a, b) => compare(a.code, b.code));
      const cells = own.map(({ code, message, hint }) => [`\`${code}\``, message, hint]);
      return `### ${title}\n\n${table(['code', 'message', 'what to do'], cells)}\n`;
    })
    .join('\n');
}

function sourcesWithErrors(): string[] {
  const paths = ['bin', 'dataset', 'lib', 'machines'].flatMap(folder =>
    readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  );
  return paths
    .filter(
      path => path.endsWith('.ts') && readFileSync(packageFile(path), 'utf8').includes('new HefixError('),
    )
    .sort();
}

function sectionOf(path: string): string {
  const prefixes = Object.entries(sections).flatMap(([title, folders]) =>
    folders.map(folder => ({ title, folder })),
  );
  const [longest] = prefixes
    .filter(({ folder }) => path.startsWith(folder))
    .sort((a, b) => b.folder.length - a.folder.length);
  if (longest === undefined) throw new Error(`${path} has errors, and no section in the documentation`);
  return longest.title;
}

/** A wrapped error of unknown origin has no sentence of its own. */
function isDescribed({ callee, arguments: [code, message] }: SyntaxNode): boolean {
  return callee.name === 'HefixError' && code.type === 'Literal' && message.type !== 'CallExpression';
}

function parsed(path: string): SyntaxNode {
  return parseAst(readFileSync(packageFile(path), 'utf8'), { lang: 'ts' }) as unknown as SyntaxNode;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function exportedDefinitions(program: SyntaxNode): [string, SyntaxNode][] {
  const exports = nodesOf(program, 'ExportNamedDeclaration');
  return definitions(exports.flatMap(({ declaration }) => (declaration ? [declaration] : [])));
}

function errorsOf(program: SyntaxNode, shared: ReadonlyMap<string, SyntaxNode>): ErrorRow[] {
  const constants = new Map([...shared, ...definitions(program.body)]);
  const seen = new Set<string>();
  return nodesOf(program, 'FunctionDeclaration')
    .flatMap(declared => {
      const own = new Map([...constants, ...definitions(nodesOf(declared.body, 'VariableDeclaration'))]);
      // A parameter hides a constant of its name.
      for (const { name } of declared.params) own.delete(name);
      return nodesOf(declared, 'NewExpression')
        .filter(isDescribed)
        .map(({ arguments: [code, message, hint] }) => ({
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
      if (node.callee.name === 'pathHint') {
        const otherwise: SyntaxNode | undefined = node.arguments[1];
        return `Did you mean …? / ${otherwise ? textOf(otherwise, constants) : 'Check the path.'}`;
      }
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

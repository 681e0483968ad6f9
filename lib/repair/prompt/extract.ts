import type { Task } from '../../core/task.ts';
import { codeBlocks, dedent, withoutThinking } from '../../syntax/code-blocks.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { Signature, Statement } from '../../syntax/program.ts';
import { openBraces } from '../../syntax/source-text.ts';

/** The result of looking for code in a completion. */
export type Extraction =
  | { readonly kind: 'function'; readonly candidate: string; readonly signature: Signature | null }
  /** The code has functions, but none with the entry point's name. */
  | { readonly kind: 'other-name'; readonly candidate: string; readonly header: string }
  | { readonly kind: 'nothing' };

/**
 * Extracts the entry point's function from an answer: from fenced code, from bare text with prose around it,
 * or from a body alone, together with the helpers and imports it depends on. Of several blocks with a
 * definition, the last whose definition parses and differs from the buggy function is used, since answers quote
 * the bug before or after they fix it. Everything else (prose, prints, asserts, main blocks) is dropped.
 */
export function extractCandidate(parser: SyntaxParser, task: Task, completion: string): Extraction {
  const answer = withoutThinking(completion.replace(/\r\n?/g, '\n'));
  const blocks = codeBlocks(answer);
  const bare = dedent(answer);
  for (const sources of [blocks, [bare], indentedParts(answer, task.entryPoint)]) {
    const programs = sources.map(source => parser.statements(source));
    const definition = bestDefinition(parser, task, programs);
    if (definition) return extraction(parser, task, definition.statement, definition.context);
  }
  const joined = joinedBody(parser, task, blocks.length > 0 ? blocks.toReversed() : [answer]);
  if (joined) return extraction(parser, task, joined, []);
  return misnamed(parser, task, [...blocks, bare]);
}

/**
 * The definition of the entry point in a program: the last at the top level, otherwise the last nested one.
 */
export function definitionOf(statements: readonly Statement[], name: string): Statement | null {
  const defines = (statement: Statement) =>
    (statement.kind === 'function' || statement.kind === 'class') && statement.defines.includes(name);
  const inner = statements.flatMap(statement => statement.inner).findLast(defines);
  return statements.findLast(defines) ?? (inner ? outOfClass(inner) : null);
}

/** A static method becomes a function outside its class. */
function outOfClass(method: Statement): Statement {
  return { ...method, text: method.text.replace(/^@staticmethod\s*\n/m, '') };
}

interface Found {
  readonly statement: Statement;
  /** The statements of all blocks, those of its own block last. */
  readonly context: readonly Statement[];
}

function bestDefinition(
  parser: SyntaxParser,
  task: Task,
  programs: readonly (readonly Statement[])[],
): Found | null {
  const buggy = definitionOf(parser.statements(task.buggy), task.entryPoint);
  const buggyPrint = buggy && parser.fingerprint(buggy.text);
  const ranked = programs.flatMap(statements => {
    const statement = definitionOf(statements, task.entryPoint);
    if (!statement) return [];
    const rank = parser.fingerprint(statement.text) === buggyPrint ? 0 : statement.parses ? 2 : 1;
    const others = programs.filter(other => other !== statements).flat();
    return [{ statement, rank, context: [...others, ...statements] }];
  });
  const highest = Math.max(...ranked.map(({ rank }) => rank));
  return ranked.findLast(({ rank }) => rank === highest) ?? null;
}

function extraction(
  parser: SyntaxParser,
  task: Task,
  statement: Statement,
  context: readonly Statement[],
): Extraction {
  if (parser.inDeclaredClass && statement.kind === 'function') {
    const methods = assemble([], '', task.entryPoint, statement, context);
    const candidate = parser.inDeclaredClass(task.declaration, methods);
    return { kind: 'function', candidate, signature: statement.signature };
  }
  const candidate = assemble(parser.statements(task.buggy), task.buggy, task.entryPoint, statement, context);
  return { kind: 'function', candidate, signature: statement.signature };
}

/** Code inside a list or a quotation is indented further than the prose around it. */
function indentedParts(answer: string, name: string): string[] {
  const lines = answer.split('\n');
  const header =
    /^\s+(?:@|async\b|def\b|export\b|function\b|const\b|let\b|var\b|public\b|static\b|func\b|fn\b|pub\b)/;
  const margins = lines
    .filter(line => header.test(line) && line.includes(name))
    .map(line => line.search(/\S/));
  return [...new Set(margins)].map(margin =>
    lines.map(line => line.slice(Math.min(margin, line.search(/\S|$/)))).join('\n'),
  );
}

/** A model that continues the declaration writes only the body, with or without its indentation. */
function joinedBody(parser: SyntaxParser, task: Task, sources: readonly string[]): Statement | null {
  const head = `${task.declaration.trimEnd()}\n`;
  const joined = sources
    .filter(source => isBody(parser, source))
    .flatMap(source => bodies(task, source))
    .map(body => definitionOf(parser.statements(head + body), task.entryPoint));
  return joined.find(statement => statement?.parses) ?? null;
}

/** Prose is not a body, and neither is a program with functions of other names. */
function isBody(parser: SyntaxParser, source: string): boolean {
  const acts =
    /^[ \t]*(?:(?:return|yield|raise|throw|for|while|if|with|try)\b|[\w.$[\]][\w.$[\], ]*[-+*/|&^%]?=[^=])/m;
  if (!acts.test(source)) return false;
  const statements = parser.statements(source);
  const ends = statements.some(({ text }) => /^(?:return|yield|raise|throw)\b/.test(text));
  const defines = statements.some(({ kind }) => kind === 'function' || kind === 'class');
  return ends || !defines || !parser.parses(source);
}

function bodies(task: Task, source: string): string[] {
  const body = source.replace(/^(?:[^\S\n]*\n)+/, '');
  if (task.language === 'js') return [body, `${body.trimEnd()}\n}`];
  if (task.language === 'python') return [reindented(body)];
  // The brace that closes the function may be missing, and in Java that of its class.
  const open = Math.max(0, openBraces(task.declaration + body));
  return [body, `${body.trimEnd()}\n${'}\n'.repeat(open)}`];
}

/**
 * Indents a body by one level. If only its first line is unindented, it lost its indentation (answers are
 * often trimmed), unless it opens the block that contains the others.
 */
function reindented(body: string): string {
  if (/^\s/.test(body)) return body;
  const [first = '', ...rest] = body.split('\n');
  const indents = rest.filter(line => line.trim() !== '').map(line => /^\s*/.exec(line)?.[0] ?? '');
  const smallest = indents.reduce(
    (min, indent) => (indent.length < min.length ? indent : min),
    indents[0] ?? '',
  );
  const opensBlock = first.trimEnd().endsWith(':') && indents[0] === smallest;
  if (smallest !== '' && !opensBlock) return smallest + body;
  return body.replace(/^(?=.)/gm, '    ');
}

function misnamed(parser: SyntaxParser, task: Task, sources: readonly string[]): Extraction {
  const taskNames = parser.statements(task.buggy).flatMap(statement => statement.defines);
  const match = sources
    .map(source => parser.statements(source))
    .flatMap(statements => {
      const other = statements.findLast(
        ({ kind, defines }) => kind === 'function' && !taskNames.includes(defines[0] ?? ''),
      );
      return other ? [{ other, statements }] : [];
    })
    .at(-1);
  if (!match) return { kind: 'nothing' };
  const { other, statements } = match;
  const candidate = assemble([], '', '', other, statements);
  const header = other.signature?.text ?? other.text.split('\n')[0] ?? '';
  return { kind: 'other-name', candidate, header };
}

/**
 * Builds the program to judge: what precedes the function in the task's own program, then what the function
 * needs from the answer, then the function. If both define a name, the answer's definition is used.
 */
function assemble(
  taskStatements: readonly Statement[],
  taskProgram: string,
  name: string,
  definition: Statement,
  context: readonly Statement[],
): string {
  const index = taskStatements.findLastIndex(statement => statement.defines.includes(name));
  const original = taskStatements[index];
  const before = original ? taskProgram.slice(0, taskProgram.lastIndexOf(original.text)) : '';
  const above = taskStatements.slice(0, Math.max(index, 0));
  const below = taskStatements.slice(index + 1);

  const needed = neededStatements(definition, name, [...below, ...context]);
  const added = needed.filter(statement => !above.some(other => other.text === statement.text));
  const replaced = above.filter(statement => isReplaced(statement, added));
  const preamble = replaced.reduce((text, statement) => text.replace(statement.text, ''), before);
  return layOut(preamble, [...added, definition]);
}

/** The statements that a function needs, directly or indirectly, in their original order. */
function neededStatements(definition: Statement, name: string, pool: readonly Statement[]): Statement[] {
  const selected = new Set<Statement>(pool.filter(statement => statement.defines.includes('*')));
  const names = [...definition.needs];
  for (const needed of names) {
    if (needed === name) continue;
    for (const statement of providers(needed, name, pool)) {
      if (statement === definition || selected.has(statement)) continue;
      selected.add(statement);
      names.push(...statement.needs.filter(next => !names.includes(next)));
    }
  }
  return pool.filter(statement => selected.has(statement));
}

/**
 * For functions, classes and imports, the last one with the name; for other statements all, since a table may
 * be filled in steps. A statement that calls the entry point is only an example of its use.
 */
function providers(needed: string, name: string, pool: readonly Statement[]): Statement[] {
  const defining = pool.filter(
    statement => statement.defines.includes(needed) && !statement.defines.includes(name),
  );
  const last = defining.findLast(statement => statement.kind !== 'other');
  if (last) return [last];
  return defining.filter(statement => !statement.needs.includes(name));
}

function isReplaced(statement: Statement, added: readonly Statement[]): boolean {
  const names = new Set(added.flatMap(other => other.defines));
  return (
    statement.defines.length > 0 && statement.defines.every(defined => defined !== '*' && names.has(defined))
  );
}

/**
 * Imports, the task's code before the function, the rest. If the task's code starts with a future import,
 * which must come first, the other imports follow it.
 */
function layOut(preamble: string, statements: readonly Statement[]): string {
  const isFuture = (text: string) => /^from\s+__future__\b/m.test(text);
  const first = (statement: Statement) =>
    isFuture(statement.text) || (statement.kind === 'import' && !isFuture(preamble));
  const head = statements.filter(first).sort((a, b) => Number(isFuture(b.text)) - Number(isFuture(a.text)));
  const tail = statements.filter(statement => !first(statement));
  const middle = preamble.replace(/^\n+/, '').replace(/\n{4,}/g, '\n\n\n');
  const gap = head.length > 0 && middle === '' ? '\n\n' : '';
  return `${head.map(({ text }) => `${text}\n`).join('')}${gap}${middle}${spaced(tail)}`;
}

/** Functions and classes are separated by two blank lines, everything else by a line break. */
function spaced(statements: readonly Statement[]): string {
  const isBlock = ({ kind }: Statement) => kind === 'function' || kind === 'class';
  return statements
    .map((statement, index) => {
      const next = statements[index + 1];
      const apart = next && (isBlock(statement) || isBlock(next));
      return `${statement.text.trimEnd()}\n${apart ? '\n\n' : ''}`;
    })
    .join('');
}

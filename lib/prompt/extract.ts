import type { SyntaxParser } from '../syntax/parser.ts';
import type { Signature, Statement } from '../syntax/program.ts';
import type { Task } from '../task.ts';
import { assemble } from './assemble.ts';
import { codeBlocks, dedent, withoutThinking } from './code-blocks.ts';

/** What was found in a completion. */
export type Extraction =
  | { readonly found: 'function'; readonly candidate: string; readonly signature: Signature | null }
  /** Code with functions, but none of the entry point's name. */
  | { readonly found: 'other-name'; readonly candidate: string; readonly header: string }
  | { readonly found: 'nothing' };

/**
 * Takes the entry point's function out of an answer, from fenced code, from bare text with chatter
 * around it, or from a body alone, with the helpers and imports that it rests on. Of several
 * definitions the last counts that parses and is not the buggy one: answers quote the bug before or
 * after they mend it. Everything else (prose, prints, asserts, main blocks) is dropped.
 */
export function extractCandidate(parser: SyntaxParser, task: Task, completion: string): Extraction {
  const answer = withoutThinking(completion.replace(/\r\n?/g, '\n'));
  const name = entryPointName(parser, task);
  const blocks = codeBlocks(answer);
  const bare = dedent(answer);
  for (const sources of [blocks, [bare], indentedParts(answer, name)]) {
    const programs = sources.map(source => parser.statements(source));
    const found = bestDefinition(parser, task, name, programs);
    if (found) return extraction(parser, task, name, found.statement, found.context);
  }
  const joined = joinedBody(parser, task, name, [...blocks.toReversed(), answer]);
  if (joined) return extraction(parser, task, name, joined, []);
  return misnamed(parser, task, [...blocks, bare]);
}

/** The name that the task's program uses: a data set's entry point may differ in case alone. */
export function entryPointName(parser: SyntaxParser, task: Task): string {
  const defined = parser.statements(task.buggy).flatMap(statement => statement.defines);
  if (defined.includes(task.entryPoint)) return task.entryPoint;
  const lower = task.entryPoint.toLowerCase();
  return defined.findLast(name => name.toLowerCase() === lower) ?? task.entryPoint;
}

/** The definition of the entry point in a program: the last at the top level, else the last inside. */
export function definitionOf(statements: readonly Statement[], name: string): Statement | null {
  const defines = (statement: Statement) =>
    (statement.kind === 'function' || statement.kind === 'class') && statement.defines.includes(name);
  const inner = statements.flatMap(statement => statement.inner);
  return statements.findLast(defines) ?? inner.findLast(defines) ?? null;
}

interface Found {
  readonly statement: Statement;
  /** The statements around it, those of its own block last. */
  readonly context: readonly Statement[];
}

function bestDefinition(
  parser: SyntaxParser,
  task: Task,
  name: string,
  programs: readonly (readonly Statement[])[],
): Found | null {
  const buggy = definitionOf(parser.statements(task.buggy), name);
  const buggyPrint = buggy && parser.fingerprint(buggy.text);
  const found = programs.flatMap(statements => {
    const statement = definitionOf(statements, name);
    if (!statement) return [];
    const rank = parser.fingerprint(statement.text) === buggyPrint ? 0 : statement.parses ? 2 : 1;
    const others = programs.filter(other => other !== statements).flat();
    return [{ statement, rank, context: [...others, ...statements] }];
  });
  const highest = Math.max(...found.map(({ rank }) => rank));
  return found.findLast(({ rank }) => rank === highest) ?? null;
}

function extraction(
  parser: SyntaxParser,
  task: Task,
  name: string,
  statement: Statement,
  context: readonly Statement[],
): Extraction {
  const candidate = assemble(parser.statements(task.buggy), task.buggy, name, statement, context);
  return { found: 'function', candidate, signature: statement.signature };
}

/** Code inside a list or a quotation stands further right than the prose around it. */
function indentedParts(answer: string, name: string): string[] {
  const lines = answer.split('\n');
  const header = /^\s+(?:@|async\b|def\b|export\b|function\b|const\b|let\b|var\b)/;
  const margins = lines
    .filter(line => header.test(line) && line.includes(name))
    .map(line => line.search(/\S/));
  return [...new Set(margins)].map(margin =>
    lines.map(line => line.slice(Math.min(margin, line.search(/\S|$/)))).join('\n'),
  );
}

/** A model that goes on from the declaration writes the body alone, with or without its indentation. */
function joinedBody(
  parser: SyntaxParser,
  task: Task,
  name: string,
  sources: readonly string[],
): Statement | null {
  const head = `${task.declaration.trimEnd()}\n`;
  for (const source of sources.filter(text => statementLine.test(text))) {
    for (const body of bodies(task, source)) {
      const statement = definitionOf(parser.statements(head + body), name);
      if (statement?.parses) return statement;
    }
  }
  return null;
}

/** A line that does something, so that a word of prose is not taken for a function's body. */
const statementLine =
  /^\s*(?:(?:return|yield|raise|throw|for|while|if|with|try)\b|[\w.$[\], ]+[-+*/|&^%]?=[^=])/m;

function bodies(task: Task, source: string): string[] {
  const body = source.replace(/^(?:[^\S\n]*\n)+/, '');
  if (task.language === 'js') return [body, `${body.trimEnd()}\n}`];
  const indent = '    ';
  const all = body.replace(/^(?=.)/gm, indent);
  return /^\s/.test(body) ? [body, all] : [indent + body, all];
}

function misnamed(parser: SyntaxParser, task: Task, sources: readonly string[]): Extraction {
  const known = parser.statements(task.buggy).flatMap(statement => statement.defines);
  const found = sources
    .map(source => parser.statements(source))
    .flatMap(statements => {
      const other = statements.findLast(
        ({ kind, defines }) => kind === 'function' && !known.includes(defines[0] ?? ''),
      );
      return other ? [{ other, statements }] : [];
    })
    .at(-1);
  if (!found) return { found: 'nothing' };
  const { other, statements } = found;
  const candidate = assemble([], '', '', other, statements);
  const header = other.signature?.text ?? other.text.split('\n')[0] ?? '';
  return { found: 'other-name', candidate, header };
}

import type { Statement } from '../../syntax/program.ts';

/**
 * Builds the program to judge: what precedes the function in the task's own program, then what the function
 * needs from the answer, then the function. If both define a name, the answer's definition is used.
 */
export function assemble(
  taskStatements: readonly Statement[],
  taskProgram: string,
  name: string,
  definition: Statement,
  context: readonly Statement[],
): string {
  const at = taskStatements.findLastIndex(statement => statement.defines.includes(name));
  const original = taskStatements[at];
  const before = original ? taskProgram.slice(0, taskProgram.lastIndexOf(original.text)) : '';
  const above = taskStatements.slice(0, Math.max(at, 0));
  const below = taskStatements.slice(at + 1);

  const needed = neededStatements(definition, name, [...below, ...context]);
  const added = needed.filter(statement => !above.some(other => other.text === statement.text));
  const replaced = above.filter(statement => isReplaced(statement, added));
  const preamble = replaced.reduce((text, statement) => text.replace(statement.text, ''), before);
  return layOut(preamble, [...added, definition]);
}

/** The statements that a function needs, directly or indirectly, in their original order. */
function neededStatements(definition: Statement, name: string, pool: readonly Statement[]): Statement[] {
  const kept = new Set<Statement>(pool.filter(statement => statement.defines.includes('*')));
  const names = [...definition.needs];
  for (const needed of names) {
    if (needed === name) continue;
    for (const statement of providers(needed, name, pool)) {
      if (statement === definition || kept.has(statement)) continue;
      kept.add(statement);
      names.push(...statement.needs.filter(next => !names.includes(next)));
    }
  }
  return pool.filter(statement => kept.has(statement));
}

/**
 * For functions, classes and imports, the last one with the name; for other statements all, since a table may
 * be filled in steps. A statement that calls the entry point is only an example of its use.
 */
function providers(needed: string, name: string, pool: readonly Statement[]): Statement[] {
  const found = pool.filter(
    statement => statement.defines.includes(needed) && !statement.defines.includes(name),
  );
  const last = found.findLast(statement => statement.kind !== 'other');
  if (last) return [last];
  return found.filter(statement => !statement.needs.includes(name));
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

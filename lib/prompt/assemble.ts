import type { Statement } from '../syntax/program.ts';

/**
 * The program to judge: what stands before the function in the task's own program, then what the
 * function needs of the answer, then the function. Where both define a name, the answer's counts.
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
  const future = added.filter(isFutureImport);
  const helpers = added.filter(statement => !isFutureImport(statement));
  return layOut(future, preamble, [...helpers, definition]);
}

/** The statements that a function needs, directly or through others, in their own order. */
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
 * Of a function, a class or an import the last one of the name; of other statements all, since a
 * table may be filled in steps. A statement that calls the entry point is an example of its use.
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

/** Python wants these first. */
function isFutureImport(statement: Statement): boolean {
  return /^from\s+__future__\b/.test(statement.text);
}

/** Imports stand line by line, everything else two blank lines apart. */
function layOut(future: readonly Statement[], preamble: string, statements: readonly Statement[]): string {
  const head = future.map(statement => `${statement.text}\n`).join('');
  const tail = statements.map((statement, index) => {
    const next = statements[index + 1];
    const gap = statement.kind === 'import' && next?.kind === 'import' ? '\n' : '\n\n\n';
    return statement.text.trimEnd() + (next ? gap : '\n');
  });
  return head + preamble.replace(/^\n+/, '') + tail.join('');
}

import { parse } from 'acorn';
import type { AnyNode } from './syntax-tree.ts';
import { namesIn } from './tests-names.ts';

/** Everything that the task defines apart from the function to repair, ready to run in the judge. */
export interface TaskHelpers {
  /** A function body that returns an object with the helpers; empty if there are none. */
  readonly program: string;
  readonly names: readonly string[];
}

/**
 * Reads the task's helpers from its declaration, which ends in the open header of the entry point. Tests
 * compare with their results, so they must not come from the candidate. A declaration that does not parse has
 * none.
 */
export function taskHelpers(declaration: string, entryPoint: string): TaskHelpers {
  for (const end of ['}', '})', '};', '']) {
    const closed = `${declaration}\n${end}`;
    const names = topLevelNames(closed)?.filter(name => name !== entryPoint);
    if (names === undefined) continue;
    return { program: names.length === 0 ? '' : `${closed}\nreturn { ${names.join(', ')} };`, names };
  }
  return { program: '', names: [] };
}

/** Undefined if it does not parse. */
function topLevelNames(program: string): string[] | undefined {
  try {
    const { body } = parse(program, { ecmaVersion: 'latest', allowReturnOutsideFunction: true });
    return body.flatMap(statement => namesOf(statement as AnyNode));
  } catch {
    return undefined;
  }
}

function namesOf(statement: AnyNode): string[] {
  if (/^(Function|Class)Declaration$/.test(statement.type)) return namesIn(statement.id as AnyNode);
  if (statement.type !== 'VariableDeclaration') return [];
  return (statement.declarations as AnyNode[]).flatMap(({ id }) => namesIn(id as AnyNode));
}

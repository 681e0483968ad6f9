import { parse } from 'acorn';
import { type AnyNode, isNode } from './syntax-tree.ts';

/** The functions that stand beside the one to repair, ready to run in the judge. */
export interface TaskHelpers {
  /** A function body that returns an object of them; empty if there are none. */
  readonly program: string;
  readonly names: readonly string[];
}

/**
 * Reads the task's own helpers from its declaration, which ends in the open header of the entry point. Tests
 * compare with what these give, so they must not be the candidate's. A declaration of another form has none; the
 * tests then see the candidate's.
 */
export function taskHelpers(declaration: string, entryPoint: string): TaskHelpers {
  const closed = `${declaration}\n}`;
  const names = functionNames(closed).filter(name => name !== entryPoint);
  const program = names.length === 0 ? '' : `${closed}\nreturn { ${names.join(', ')} };`;
  return { program, names };
}

function functionNames(program: string): string[] {
  try {
    const { body } = parse(program, { ecmaVersion: 'latest' });
    return body.flatMap(statement => namesOf(statement as AnyNode));
  } catch {
    return [];
  }
}

function namesOf(statement: AnyNode): string[] {
  if (statement.type === 'FunctionDeclaration') return nameOf(statement.id);
  if (statement.type !== 'VariableDeclaration') return [];
  return (statement.declarations as AnyNode[]).flatMap(({ id, init }) =>
    isNode(init) && /^(Arrow)?FunctionExpression$/.test(init.type) ? nameOf(id) : [],
  );
}

function nameOf(id: unknown): string[] {
  return isNode(id) && id.type === 'Identifier' ? [String((id as AnyNode).name)] : [];
}

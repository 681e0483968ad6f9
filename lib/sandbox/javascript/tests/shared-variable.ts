import { type Node as AcornNode, parse } from 'acorn';
import type { PreparedTests } from '../host/job.ts';
import type { AnyNode } from './syntax-tree.ts';
import type { TaskHelpers } from './task-helpers.ts';
import { assignedNames, freeNames } from './tests-names.ts';

/**
 * A variable that tests and candidate share in one process, and that one of them assigns: a global, or one that the
 * task declares. Two processes have one each. Undefined if there is none.
 */
export function sharedVariable(
  program: string,
  tests: Pick<PreparedTests, 'names' | 'assigned'>,
  helpers: Pick<TaskHelpers, 'names'>,
): string | undefined {
  const declared = helpers.names.filter(name => tests.names.includes(name));
  if (declared.length + tests.assigned.length === 0) return undefined;
  const tree = parse(program, {
    ecmaVersion: 'latest',
    allowReturnOutsideFunction: true,
  }) as AcornNode as AnyNode;
  const assigned = assignedNames(tree);
  const free = freeNames(tree);
  return (
    declared.find(name => assigned.has(name) || tests.assigned.includes(name)) ??
    tests.assigned.find(name => free.includes(name))
  );
}

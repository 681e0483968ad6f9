import { parse } from 'acorn';
import { type AnyNode, isNode, nodesIn, requiredBy } from './syntax-tree.ts';
import { namesIn } from './tests-names.ts';

/** Everything that the task defines apart from the function to repair, ready to run in the judge. */
export interface TaskHelpers {
  /** A function body that returns an object with the helpers; empty if there are none. */
  readonly program: string;
  readonly names: readonly string[];
  /** Those that can change: variables, and objects that candidate and tests would share. */
  readonly variables: readonly string[];
  /** Classes whose instances are more than their fields. */
  readonly closedClasses: readonly string[];
}

/**
 * Reads the task's helpers from its declaration, which ends in the open header of the entry point. Tests
 * compare with their results, so they must not come from the candidate. A declaration that does not parse has
 * none.
 */
export function taskHelpers(declaration: string, entryPoint: string): TaskHelpers {
  for (const end of ['}', '})', '};', '']) {
    const closed = `${declaration}\n${end}`;
    const statements = statementsOf(closed);
    if (statements === undefined) continue;
    const names = statements.flatMap(namesOf).filter(name => name !== entryPoint);
    return {
      program: names.length === 0 ? '' : `${closed}\nreturn { ${names.join(', ')} };`,
      names,
      variables: statements.flatMap(variablesOf).filter(name => name !== entryPoint),
      closedClasses: statements
        .filter(
          ({ type, start, end }) => type === 'ClassDeclaration' && CLOSED.test(closed.slice(start, end)),
        )
        .flatMap(namesOf),
    };
  }
  return { program: '', names: [], variables: [], closedClasses: [] };
}

/** Undefined if it does not parse. */
function statementsOf(program: string): AnyNode[] | undefined {
  try {
    return parse(program, { ecmaVersion: 'latest', allowReturnOutsideFunction: true }).body as AnyNode[];
  } catch {
    return undefined;
  }
}

function namesOf(statement: AnyNode): string[] {
  if (/^(Function|Class)Declaration$/.test(statement.type)) return namesIn(statement.id as AnyNode);
  if (statement.type !== 'VariableDeclaration') return [];
  return (statement.declarations as AnyNode[]).flatMap(({ id }) => namesIn(id as AnyNode));
}

function variablesOf(statement: AnyNode): string[] {
  if (statement.type !== 'VariableDeclaration') return [];
  const declared = statement.declarations as AnyNode[];
  const isFixed = ({ init }: AnyNode): boolean =>
    statement.kind === 'const' &&
    isNode(init) &&
    /^(Literal|TemplateLiteral|UnaryExpression)$|Function/.test(init.type);
  // What it loads is not its own.
  const isModule = ({ init }: AnyNode): boolean =>
    isNode(init) && nodesIn(init).some(node => requiredBy(node) !== undefined);
  return declared.filter(one => !isFixed(one) && !isModule(one)).flatMap(({ id }) => namesIn(id as AnyNode));
}

/** Private fields, or those of another class. */
const CLOSED = /#[\w$]|^class [\w$]+ extends\b/;

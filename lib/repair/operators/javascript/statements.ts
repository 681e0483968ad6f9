import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, descendants, memberOf, namedChildren } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement } from '../function-view.ts';
import { insertedBefore, nearbyTests, nearbyValues, statementsOf } from './nearby.ts';

/** Statements that fix commits of JavaScript projects often add, and conditions around existing ones. */

/** Returns early, with a value that the function returns elsewhere, an empty one, or a parameter. */
export function earlyReturns(view: FunctionView): Replacement[] {
  const [first] = view.body.type === 'statement_block' ? namedChildren(view.body) : [];
  const parameters = view.parameters.filter(name => name !== 'this');
  const returned = [...new Set(view.results)].filter(text => text.length < 40 && !text.includes('\n'));
  const values = [
    ...new Set([...returned.slice(0, 3), '', 'undefined', 'null', 'false', ...parameters.slice(0, 1)]),
  ];
  const texts = values.map(value => (value === '' ? 'return;' : `return ${value};`)).slice(0, 6);
  const pairs = parameters.flatMap((left, index) =>
    parameters.slice(index + 1).map(right => `${left} === ${right}`),
  );
  const ofParameters = parameters.flatMap(name => [
    `!${name}`,
    `${name} == null`,
    `${name}.length === 0`,
    `typeof ${name} !== 'string'`,
    `typeof ${name} !== 'object'`,
  ]);
  const atStart =
    first && view.covers(first)
      ? texts.flatMap(text =>
          [...pairs, ...ofParameters].map(test => insertedBefore(view, first, `if (${test}) ${text}`)),
        )
      : [];
  const within = statementsOf(view)
    .filter(({ id }) => id !== first?.id)
    .flatMap(statement => {
      const values = nearbyValues(view, statement, 3);
      const asked = values.flatMap(value => [`!${value}`, value]);
      const tests = [...pairs, ...asked, ...nearbyTests(view, statement, 2)];
      return texts
        .slice(0, 2)
        .flatMap(text => tests.map(test => insertedBefore(view, statement, `if (${test}) ${text}`)));
    });
  return [...atStart, ...within];
}

/** Runs a statement only under a condition. */
export function guardedStatements(view: FunctionView): Replacement[] {
  return statementsOf(view)
    .filter(({ type, text }) => type === 'expression_statement' && !text.includes('\n'))
    .flatMap(statement => {
      const values = nearbyValues(view, statement, 5);
      const tests = [
        ...values,
        ...values.map(value => `!${value}`),
        ...nearbyTests(view, statement, 3),
        ...values
          .slice(0, 3)
          .flatMap(value => [`typeof ${value} === 'function'`, `typeof ${value} === 'string'`]),
      ];
      return [...new Set(tests)].map(test => put(statement, `if (${test}) ${statement.text}`));
    });
}

/** Catches what a call may throw, and continues with an empty value. */
export function caughtErrors(view: FunctionView): Replacement[] {
  return statementsOf(view)
    .filter(({ type, text }) => /^(?:return|expression)_statement$/.test(type) && text.length < 300)
    .filter(mayThrow)
    .flatMap(statement => {
      const instead = statement.type === 'return_statement' ? returnedInstead(view, statement) : [''];
      return instead.map(text => put(statement, `try { ${statement.text} } catch (error) {${text}}`));
    });
}

function returnedInstead(view: FunctionView, statement: Node): string[] {
  const values = nearbyValues(view, statement, 2);
  return [...values, 'null', 'undefined', 'false', "''"].map(value => ` return ${value}; `);
}

function mayThrow(statement: Node): boolean {
  return descendants(statement).some(node => {
    const callee = callOf(node)?.callee;
    return callee && THROWING.test(memberOf(callee)?.name.text ?? callee.text);
  });
}

const THROWING =
  /^(?:parse|stringify|decodeURI|decodeURIComponent|URL|RegExp|require|\w+Sync|from|normalize|compile)$/;

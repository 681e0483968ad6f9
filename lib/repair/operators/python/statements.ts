import { descendants, memberOf } from '../../../syntax/nodes.ts';
import {
  before,
  type FunctionView,
  put,
  type Replacement,
  returnedTexts,
  variablesAt,
} from '../function-view.ts';
import { guardBefore, indentationOf, isStatement, shifted, valuesAt } from './layout.ts';

/** Runs a statement only if a value that it reads is there. */
export function guardedStatements(view: FunctionView): Replacement[] {
  return view.nodes.filter(isStatement).flatMap(statement => {
    const inner = shifted(statement);
    if (inner === null || !/^(?:expression|for|delete|if)_statement$/.test(statement.type)) return [];
    const bound = variablesAt(view, statement);
    const values = descendants(statement).filter(
      node => (node.type === 'identifier' && bound.includes(node.text)) || memberOf(node),
    );
    const names = [...new Set(values.map(({ text }) => text))].filter(
      text => text !== 'self' && text.length < 40 && !text.includes('('),
    );
    const margin = indentationOf(statement.startPosition.column + 4);
    return names
      .flatMap(name => [name, `${name} is not None`, `not ${name}`])
      .map(test => put(statement, `if ${test}:\n${margin}${inner}`));
  });
}

/** Calls a method of the object that takes no arguments. */
export function addedCalls(view: FunctionView): Replacement[] {
  if (!view.parameters.includes('self')) return [];
  return view.nodes
    .filter(isStatement)
    .flatMap(statement => view.file.methods.map(name => before(statement, `self.${name}()`)));
}

/** Number of values that an early return may have. */
const MAX_RETURNS = 8;

/** Returns early for values of a type that the file knows. */
export function typeGuards(view: FunctionView): Replacement[] {
  const types = [...view.file.types, 'str'];
  return view.nodes
    .filter(isStatement)
    .flatMap(statement =>
      valuesAt(view, statement).flatMap(name =>
        types.flatMap(type =>
          [`isinstance(${name}, ${type})`, `not isinstance(${name}, ${type})`].flatMap(test =>
            [...new Set([name, ...returnedTexts(view)])]
              .slice(0, MAX_RETURNS)
              .map(value => guardBefore(statement, test, `return ${value}`)),
          ),
        ),
      ),
    );
}

/** Replaces a missing argument, or one of another form, before it is used. */
export function preparedValues(view: FunctionView): Replacement[] {
  return view.nodes
    .filter(isStatement)
    .flatMap(statement =>
      valuesAt(view, statement).flatMap(name => [
        ...["''", '[]', '{}', '0'].map(value =>
          guardBefore(statement, `${name} is None`, `${name} = ${value}`),
        ),
        ...['strip', 'rstrip', 'lower'].map(method => before(statement, `${name} = ${name}.${method}()`)),
        ...['list', 'str', 'tuple'].map(type => before(statement, `${name} = ${type}(${name})`)),
      ]),
    );
}

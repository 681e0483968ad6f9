import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, namedChildren } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement } from '../function-view.ts';
import { errorTexts } from './errors.ts';
import { guardBefore, indentationOf, isStatement, valuesAt } from './layout.ts';

/** Raises an exception that the failing tests wait for instead of another one. */
export function otherErrors(view: FunctionView): Replacement[] {
  return view.nodes
    .filter(({ type }) => type === 'raise_statement')
    .flatMap(node => {
      const error = node.namedChild(0);
      const called = error && (callOf(error)?.callee ?? error);
      if (!called) return [];
      return view.failures.awaited
        .filter(({ type }) => type !== called.text)
        .map(({ type }) => put(called, type));
    });
}

/**
 * Raises an exception that the failing tests wait for: for a value, in another case, or instead of a jump or a call.
 */
export function raisedErrors(view: FunctionView): Replacement[] {
  return view.failures.awaited.flatMap(awaited => {
    const raising = (saying: string): string[] =>
      errorTexts(view, awaited, saying).map(text => `raise ${text}`);
    const jumps = view.nodes
      .filter(({ type }) => /^(?:return|pass|continue|break)_statement$/.test(type))
      .flatMap(node => raising('invalid value').map(text => put(node, text)));
    // `warnings.warn('…')` becomes `raise ValueError('…')`.
    const calls = view.nodes.flatMap(node => {
      const call = node.type === 'expression_statement' && node.firstChild && callOf(node.firstChild);
      if (!call) return [];
      const [said] = call.args.filter(({ type }) => /string$/.test(type));
      return said && awaited.message === null
        ? [put(node, `raise ${awaited.type}(${said.text})`)]
        : raising('invalid value').map(text => put(node, text));
    });
    const otherwise = view.nodes.flatMap(node =>
      raising('invalid value').flatMap(text => elseRaising(node, text)),
    );
    const guards = view.nodes
      .filter(isStatement)
      .flatMap(statement =>
        guardTests(view, statement).flatMap(({ test, name }) =>
          raising(`invalid ${name}`).map(text => guardBefore(statement, test, text)),
        ),
      );
    return [...jumps, ...calls, ...otherwise, ...guards];
  });
}

function elseRaising(node: Node, text: string): Replacement[] {
  if (node.type !== 'if_statement') return [];
  if (namedChildren(node).some(({ type }) => type === 'else_clause')) return [];
  const margin = indentationOf(node.startPosition.column);
  return [{ start: node.endIndex, end: node.endIndex, text: `\n${margin}else:\n${margin}    ${text}` }];
}

function guardTests(view: FunctionView, place: Node): { test: string; name: string }[] {
  const names = valuesAt(view, place);
  const each = names.flatMap(name =>
    [
      `not ${name}`,
      `${name} is None`,
      `${name} < 0`,
      `${name} <= 0`,
      ...(view.parameters.includes('self') ? [`${name} is self`] : []),
      ...[...new Set([...view.file.types, 'str', 'int'])].map(type => `not isinstance(${name}, ${type})`),
      `isinstance(${name}, bool)`,
    ].map(test => ({ test, name })),
  );
  const pairs = names.flatMap(name =>
    names
      .filter(other => other !== name)
      .flatMap(other => [
        { test: `${name} in ${other}`, name },
        { test: `${name} not in ${other}`, name },
        { test: `${name} > ${other}`, name },
      ]),
  );
  return [...each, ...pairs];
}

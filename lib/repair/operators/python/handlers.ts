import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, namedChildren, subscriptOf } from '../../../syntax/nodes.ts';
import { type FunctionView, put, type Replacement } from '../function-view.ts';
import { errorTexts } from './errors.ts';
import { indentationOf, shifted } from './layout.ts';

/** Exceptions that a handler often lacks, if the failing tests do not say which. */
const usual = ['ValueError', 'TypeError', 'KeyError', 'AttributeError', 'OSError', 'OverflowError'];

/** Lets a handler catch one more exception, that of the failing tests first, or any. */
export function widerHandlers(view: FunctionView): Replacement[] {
  const types = view.failures.raised.length > 0 ? view.failures.raised : usual;
  return view.nodes
    .filter(({ type }) => type === 'except_clause')
    .flatMap(clause => {
      const [first] = namedChildren(clause);
      const caught = first?.type === 'as_pattern' ? first.namedChild(0) : first;
      if (!caught || caught.type === 'block') return [];
      const caughtTypes =
        caught.type === 'tuple' ? namedChildren(caught).map(({ text }) => text) : [caught.text];
      const added = types.filter(name => !caughtTypes.includes(name));
      return [
        ...added.map(name => put(caught, `(${[...caughtTypes, name].join(', ')})`)),
        ...(caughtTypes.includes('Exception') ? [] : [put(caught, 'Exception')]),
      ];
    });
}

/**
 * Turns the exception of the failing tests into the one that they wait for, where a statement raises it, unless a
 * handler is there to be widened. No handler just goes on: that often passes and is rarely meant.
 */
export function caughtErrors(view: FunctionView): Replacement[] {
  const { raised, awaited } = view.failures;
  if (raised.length === 0) return [];
  const texts = awaited.flatMap(error => errorTexts(view, error, 'invalid value'));
  return view.nodes
    .filter(node => mayRaise(view, node) && !isHandled(node))
    .flatMap(statement => {
      const inner = shifted(statement);
      if (inner === null) return [];
      const margin = indentationOf(statement.startPosition.column);
      return raised.flatMap(type =>
        texts.map(text =>
          put(statement, `try:\n${margin}    ${inner}\n${margin}except ${type}:\n${margin}    raise ${text}`),
        ),
      );
    });
}

/** Whether a statement stands directly in a `try` that catches something. */
function isHandled(statement: Node): boolean {
  const outer = statement.parent?.parent;
  if (outer?.type !== 'try_statement' || outer.childForFieldName('body')?.id !== statement.parent?.id)
    return false;
  return namedChildren(outer).some(({ type }) => type === 'except_clause');
}

function mayRaise(view: FunctionView, node: Node): boolean {
  if (!/^(?:expression|return|delete)_statement$/.test(node.type)) return false;
  return view.nodes.some(
    other =>
      node.startIndex <= other.startIndex &&
      other.endIndex <= node.endIndex &&
      (callOf(other) ?? subscriptOf(other) ?? (other.type === 'attribute' ? other : null)) !== null,
  );
}

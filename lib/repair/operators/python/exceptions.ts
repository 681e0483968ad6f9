import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, namedChildren, subscriptOf } from '../../../syntax/nodes.ts';
import type { AwaitedError } from '../facts.ts';
import { type FunctionView, put, type Replacement } from '../function-view.ts';
import { guardBefore, indentationOf, isStatement, shifted, valuesAt } from './layout.ts';

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

/** How to make an error: as its file does elsewhere, or with the message that the test wants. */
export function errorTexts(view: FunctionView, { type, message }: AwaitedError, saying: string): string[] {
  const elsewhere = view.file.errors.filter(text => text.startsWith(`${type}(`) && isPlain(text));
  const exception = `${type}(${quoted(message ?? saying)})`;
  return message === null && elsewhere[0] ? [elsewhere[0]] : [exception];
}

/** Without names of another function. */
function isPlain(text: string): boolean {
  return /^[\w.]+\((?:(?:"[^"{}%\\]*"|'[^'{}%\\]*')?)\)$/.test(text);
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

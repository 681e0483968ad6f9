import type { Node } from '@vscode/tree-sitter-wasm';
import { callOf, conditionOf, operand, resultOf, subscriptOf } from '../../../syntax/shapes.ts';
import {
  binaries,
  type FunctionView,
  put,
  type Replacement,
  returnedTexts,
  variablesAt,
} from '../function-view.ts';

/** Inserts what was left out, assembled from names, calls and expressions in scope. */

/** Adds a term or a factor to a value. */
export function addedTerms(view: FunctionView): Replacement[] {
  const places = [
    ...view.nodes.flatMap(node => resultOf(node) ?? []),
    ...view.nodes.flatMap(node => (callOf(node)?.args ?? []).filter(({ type }) => type === 'identifier')),
    ...binaries(view).flatMap(({ kind, left, right }) => (kind === 'comparison' ? [left, right] : [])),
  ].filter(
    node =>
      !/^(?:true|false|none|null|list|array|dictionary|object|lambda|arrow_function|boolean_operator|not_operator|comparison_operator|expression_list)$/.test(
        node.type,
      ),
  );
  return places.flatMap(node => {
    const names = variablesAt(view, node).filter(name => name !== node.text);
    const terms = [...names, ...view.numbers.filter(text => text !== '0')];
    return [
      ...names.flatMap(name => [
        `${node.text} + ${name}`,
        `${operand(node)} - ${name}`,
        `${operand(node)} * ${name}`,
        `${operand(node)} % ${name}`,
      ]),
      ...terms.flatMap(term =>
        names.includes(term)
          ? []
          : [
              `${node.text} + ${term}`,
              `${node.text} - ${term}`,
              `${operand(node)} * ${term}`,
              `${operand(node)} % ${term}`,
            ],
      ),
      ...(view.language === 'python'
        ? names.map(name => `${operand(node)} // ${name}`)
        : names.map(name => `${operand(node)} / ${name}`)),
    ].map(text => put(node, text));
  });
}

/**
 * Adds a part to a condition: a comparison of two names, of a name and a number, or a condition from
 * elsewhere in the function.
 */
export function addedConditions(view: FunctionView): Replacement[] {
  const { and, or } = view.words;
  return view.nodes.flatMap(node => {
    const condition = conditionOf(node);
    if (!condition) return [];
    const parts = conditionParts(view, condition).filter(part => part !== condition.text);
    const whole = /^(?:boolean_operator|binary_expression)$/.test(condition.type)
      ? `(${condition.text})`
      : condition.text;
    return parts.flatMap(part => [
      put(condition, `${whole} ${and} ${part}`),
      put(condition, `${whole} ${or} ${part}`),
    ]);
  });
}

function conditionParts(view: FunctionView, place: Node): string[] {
  const { equals, differs } = view.words;
  const names = variablesAt(view, place);
  const numbers = [...new Set(['0', '1', ...view.numbers])];
  const pairs = names.flatMap((left, index) => names.slice(index + 1).map(right => [left, right] as const));
  const compared = (left: string, right: string) =>
    [differs, equals, '<', '>', '<=', '>='].map(operator => `${left} ${operator} ${right}`);
  return [
    ...pairs.flatMap(([left, right]) => compared(left, right)),
    ...names.flatMap(name => [name, view.words.not(name)]),
    ...names.flatMap(name => numbers.flatMap(number => compared(name, number))),
    ...names.flatMap(name => {
      const length = view.language === 'js' ? `${name}.length` : `len(${name})`;
      return numbers.flatMap(number => [`${length} ${equals} ${number}`, `${length} > ${number}`]);
    }),
    ...view.conditions,
    ...view.conditions.map(text => view.words.not(`(${text})`)),
    ...view.strings.flatMap(text => names.map(name => `${name} ${equals} ${text}`)),
  ];
}

/** Adds a subscript to a variable: an index that the function uses, 0 or, in Python, -1. */
export function addedSubscripts(view: FunctionView): Replacement[] {
  const indices = view.nodes.flatMap(node => subscriptOf(node)?.index.text ?? []);
  const texts = [...new Set([...indices, '0', ...(view.language === 'js' ? [] : ['-1'])])].filter(
    text => text.length < 12,
  );
  return view.nodes
    .filter(node => node.type === 'identifier' && view.variables.includes(node.text))
    .filter(node => subscriptOf(node.parent ?? node)?.object.id !== node.id)
    .flatMap(node =>
      texts.filter(text => text !== node.text).map(text => put(node, `${node.text}[${text}]`)),
    );
}

/** Returns another value: a variable, what the function returns elsewhere, a usual value, or the opposite. */
export function otherReturns(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const value = node.type === 'return_statement' ? node.namedChild(0) : null;
    if (!value) return [];
    const { yes, no } = view.words;
    const others = [
      ...variablesAt(view, node),
      ...returnedTexts(view),
      yes,
      no,
      view.words.not(operand(value)),
    ];
    return [...new Set(others)].filter(text => text !== value.text).map(text => put(value, text));
  });
}

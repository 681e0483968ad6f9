import { conditionOf } from '../../../syntax/shapes.ts';
import { binaries, type FunctionView, put, type Replacement, variablesAt } from '../function-view.ts';

/** Negates whole conditions, and the operands of `and` and `or`. */
export function negatedConditions(view: FunctionView): Replacement[] {
  const parts = binaries(view).flatMap(({ kind, left, right }) => (kind === 'logical' ? [left, right] : []));
  const conditions = [...view.nodes.flatMap(node => conditionOf(node) ?? []), ...parts];
  return conditions.map(condition => put(condition, view.words.not(`(${condition.text})`)));
}

/** Tests for presence instead of truth, and adds such a test to a condition. */
export function guardedConditions(view: FunctionView): Replacement[] {
  const isJs = view.language === 'js';
  const asked = view.nodes.flatMap(node => conditionOf(node) ?? []);
  const inner = asked.flatMap(node => (/^(?:not_operator|unary_expression)$/.test(node.type) ? [] : [node]));
  const existence = inner
    .filter(({ type }) =>
      /^(?:identifier|attribute|call|call_expression|member_expression|subscript)/.test(type),
    )
    .flatMap(node =>
      (isJs ? ['!== undefined', '!== null', '!= null'] : ['is not None', 'is None']).map(text =>
        put(node, `${node.text} ${text}`),
      ),
    );
  const negated = asked.flatMap(node => {
    const argument = node.childForFieldName('argument');
    return argument && /^(?:not_operator|unary_expression)$/.test(node.type)
      ? [put(node, isJs ? `${argument.text} == null` : `${argument.text} is None`)]
      : [];
  });
  const before = asked.flatMap(node =>
    variablesAt(view, node)
      .filter(name => name !== 'self')
      .map(name =>
        put(
          node,
          `${name} ${view.words.and} ${/(?:boolean|binary)/.test(node.type) && !/comparison/.test(node.type) ? `(${node.text})` : node.text}`,
        ),
      ),
  );
  return [...existence, ...negated, ...before];
}

/** Turns a comparison around where another variable is negative: counting down instead of up. */
export function mirroredComparisons(view: FunctionView): Replacement[] {
  return binaries(view).flatMap(({ node, left, operator, right }) => {
    const mirrored = opposites.get(operator.text);
    if (mirrored === undefined) return [];
    const other = `${left.text} ${mirrored} ${right.text}`;
    return variablesAt(view, node)
      .filter(name => name !== left.text && name !== right.text && name !== 'self')
      .map(name =>
        put(
          node,
          view.language === 'js'
            ? `(${name} > 0 ? ${node.text} : ${other})`
            : `(${node.text} if ${name} > 0 else ${other})`,
        ),
      );
  });
}

const opposites: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
]);

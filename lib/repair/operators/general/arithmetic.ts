import type { Node } from '@vscode/tree-sitter-wasm';
import { bare, namedChildren, operand, resultOf } from '../../../syntax/nodes.ts';
import { binaries, type FunctionView, put, type Replacement, variablesAt } from '../function-view.ts';

/** Regroups, rounds and negates, and adds terms in parentheses. */

/**
 * Adds a variable or one to an operand, in parentheses, and a fraction or a multiple of a variable to a
 * result.
 */
export function groupedTerms(view: FunctionView): Replacement[] {
  const within = binaries(view)
    .filter(({ kind }) => kind === 'arithmetic')
    .flatMap(({ left, right }) => [left, right])
    .filter(({ type }) => type === 'identifier')
    .flatMap(node =>
      [...variablesAt(view, node), '1']
        .filter(text => text !== node.text)
        .flatMap(text => [put(node, `(${node.text} - ${text})`), put(node, `(${node.text} + ${text})`)]),
    );
  const factors = [...new Set(['2', ...view.numbers.filter(text => text !== '0' && text !== '1')])];
  const results = view.nodes
    .flatMap(node => resultOf(node) ?? [])
    .filter(node => /binary|identifier|attribute|member/.test(node.type));
  const scaled = results.flatMap(node => {
    const texts = [
      ...factors.flatMap(factor => [`${operand(node)} / ${factor}`, `${operand(node)} * ${factor}`]),
      ...variablesAt(view, node).flatMap(name =>
        factors.flatMap(factor => [
          `${node.text} + ${name} / ${factor}`,
          `${node.text} + ${name} * ${factor}`,
          `${node.text} - ${name} / ${factor}`,
        ]),
      ),
    ];
    return texts.map(text => put(node, text));
  });
  return [...within, ...scaled];
}

/** Moves a term into or out of parentheses. */
export function regrouped(view: FunctionView): Replacement[] {
  const arithmetic = binaries(view).filter(({ kind }) => kind === 'arithmetic');
  return arithmetic.flatMap(({ node, left, operator, right }) => {
    const group = leftmost(node);
    const inner = group.type === 'parenthesized_expression' ? bare(group) : null;
    const [sum] = inner ? binaries({ ...view, nodes: [inner] }) : [];
    const rest = view.code.slice(group.endIndex, node.endIndex);
    const [leftSum] = binaries({ ...view, nodes: [left] });
    return [
      ...(sum ? [put(node, `${sum.left.text}${rest} ${sum.operator.text} ${sum.right.text}`)] : []),
      ...(inner ? [put(group, inner.text)] : []),
      ...(leftSum?.kind === 'arithmetic'
        ? [
            put(
              node,
              `${leftSum.left.text} ${leftSum.operator.text} (${leftSum.right.text} ${operator.text} ${right.text})`,
            ),
          ]
        : []),
    ];
  });
}

/** Rounds a quotient up; negates an item of a tuple or a list. */
export function roundedOrNegated(view: FunctionView): Replacement[] {
  const quotients = binaries(view).flatMap(({ node, left, operator, right }) => {
    const isUp = view.language === 'python' && operator.text === '//';
    return isUp
      ? [node, sumAround(node)].flatMap(place =>
          place ? [put(place, `-(-${operand(left)} // ${right.text})`)] : [],
        )
      : [];
  });
  const items = view.nodes
    .filter(({ type }) => /^(?:tuple|array|list)$/.test(type))
    .flatMap(node => namedChildren(node))
    .filter(({ type }) => /^(?:identifier|attribute|call|subscript|member_expression)$/.test(type));
  return [...quotients, ...items.map(node => put(node, `-${node.text}`))];
}

function leftmost(node: Node): Node {
  const left = /^binary/.test(node.type) ? node.childForFieldName('left') : null;
  return left ? leftmost(left) : node;
}

/** `a // b + 1` around `a // b`. */
function sumAround(node: Node): Node | null {
  const { parent } = node;
  const isSum = parent?.type === 'binary_operator' && parent.childForFieldName('operator')?.text === '+';
  return isSum && parent?.childForFieldName('right')?.text === '1' ? parent : null;
}

import type { Node } from '@vscode/tree-sitter-wasm';
import {
  binaries,
  type FunctionView,
  put,
  type Replacement,
  reads,
  variablesAt,
} from '../../repair/operators/function-view.ts';
import { descendants, namedChildren } from '../../syntax/nodes.ts';
import { bare, callOf, memberOf, operand, resultOf, subscriptOf } from '../../syntax/shapes.ts';
import type { ProjectNames } from './project-names.ts';

/** Replaces the attribute in `a.b`, and values by their attributes; adds an attribute as a term. */
export function otherAttributes(view: FunctionView, names: ProjectNames): Replacement[] {
  const members = membersIn(view);
  const receiver = view.language === 'js' ? 'this' : 'self';
  const isMethod = view.parameters.includes('self') || members.some(({ text }) => text.startsWith('this.'));
  const own = isMethod ? names.attributes.map(name => `${receiver}.${name}`) : [];
  const texts = [...new Set([...members.map(({ text }) => text), ...own])].slice(0, 16);
  const swapped = members.flatMap(node => {
    const object = `${memberOf(node)?.object.text}.`;
    const others = [...texts.filter(text => text.startsWith(object)), ...variablesAt(view, node)];
    return others.filter(text => text !== node.text && text !== receiver).map(text => put(node, text));
  });
  const places = operands(view).filter(node => !/^(?:string|true|false|none|null)$/.test(node.type));
  const terms = places.flatMap(node =>
    texts
      .filter(text => text !== node.text)
      .flatMap(text => [
        put(node, inside(node, `${node.text} + ${text}`)),
        put(node, inside(node, `${node.text} - ${text}`)),
        put(node, `${operand(node)} * ${text}`),
      ]),
  );
  const named = places
    .filter(({ type }) => /^(?:identifier|integer|float|number)$/.test(type))
    .flatMap(node => texts.map(text => put(node, text)));
  return [...swapped, ...named, ...terms];
}

/** Replaces a call, an attribute or an item by a variable, 0 or 1. */
export function simplerOperands(view: FunctionView): Replacement[] {
  return operands(view)
    .filter(node => callOf(node) ?? memberOf(node) ?? subscriptOf(node))
    .flatMap(node => ['1', '0', ...variablesAt(view, node)].map(text => put(node, text)));
}

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

/** Rounds a quotient up; negates an item of a tuple. */
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

/** Shifts a variable by one, or replaces it by another, throughout a statement. */
export function renamedThroughout(view: FunctionView): Replacement[] {
  const statements = view.nodes.filter(
    ({ type, text }) =>
      /^(?:return_statement|expression_statement|lexical_declaration)$/.test(type) && !text.includes('\n'),
  );
  return statements.flatMap(statement => {
    const inside = reads({ ...view, nodes: descendants(statement) });
    const names = [...new Set(inside.map(({ text }) => text))].filter(
      name => inside.filter(({ text }) => text === name).length > 1,
    );
    return names.flatMap(name =>
      [`(${name} - 1)`, `(${name} + 1)`, ...variablesAt(view, statement).filter(other => other !== name)].map(
        text => {
          const changed = inside
            .filter(node => node.text === name)
            .toSorted((a, b) => b.startIndex - a.startIndex)
            .reduce(
              (code, node) =>
                code.slice(0, node.startIndex - statement.startIndex) +
                text +
                code.slice(node.endIndex - statement.startIndex),
              statement.text,
            );
          return put(statement, changed);
        },
      ),
    );
  });
}

function membersIn(view: FunctionView): Node[] {
  return view.nodes.filter(
    node =>
      memberOf(node) && callOf(node.parent ?? node)?.callee.id !== node.id && !memberOf(node.parent ?? node),
  );
}

/** Operands of arithmetic and comparisons, arguments and results. */
function operands(view: FunctionView): Node[] {
  const all = [
    ...binaries(view).flatMap(({ kind, left, right }) => (kind === 'logical' ? [] : [left, right])),
    ...view.nodes.flatMap(node => callOf(node)?.args ?? []),
    ...view.nodes.flatMap(node => resultOf(node) ?? []),
  ];
  return [...new Map(all.map(node => [node.id, node])).values()];
}

/** A sum needs parentheses as an operand of a product. */
function inside(node: Node, text: string): string {
  return /^binary/.test(node.parent?.type ?? '') ? `(${text})` : text;
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

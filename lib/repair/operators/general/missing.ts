import type { Node } from '@vscode/tree-sitter-wasm';
import {
  bare,
  callOf,
  conditionOf,
  isBlock,
  memberOf,
  namedChildren,
  operand,
  resultOf,
  subscriptOf,
} from '../../../syntax/nodes.ts';
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
  const { and, or } = view.syntax;
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
  const { equals, differs } = view.syntax;
  const names = variablesAt(view, place);
  const numbers = [...new Set(['0', '1', ...view.numbers])];
  const pairs = names.flatMap((left, index) => names.slice(index + 1).map(right => [left, right] as const));
  const compared = (left: string, right: string) =>
    [differs, equals, '<', '>', '<=', '>='].map(operator => `${left} ${operator} ${right}`);
  return [
    ...pairs.flatMap(([left, right]) => compared(left, right)),
    ...names.flatMap(name => [name, view.syntax.not(name)]),
    ...names.flatMap(name => numbers.flatMap(number => compared(name, number))),
    ...names.flatMap(name => {
      const length = view.language === 'js' ? `${name}.length` : `len(${name})`;
      return numbers.flatMap(number => [`${length} ${equals} ${number}`, `${length} > ${number}`]);
    }),
    ...view.conditions,
    ...view.conditions.map(text => view.syntax.not(`(${text})`)),
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
    const { yes, no } = view.syntax;
    const others = [
      ...variablesAt(view, node),
      ...returnedTexts(view),
      yes,
      no,
      view.syntax.not(operand(value)),
    ];
    return [...new Set(others)].filter(text => text !== value.text).map(text => put(value, text));
  });
}

/** Keeps one side of an expression: removes a term, a factor or a condition. */
export function droppedTerms(view: FunctionView): Replacement[] {
  return binaries(view)
    .filter(({ kind }) => kind !== 'comparison')
    .flatMap(({ node, left, right }) => [put(node, left.text), put(node, right.text)]);
}

/** `f(x)` becomes `x`, `x.m()` becomes `x`, `x[i]` becomes `x`, `-x` and `not x` become `x`. */
export function droppedWrappers(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const call = callOf(node);
    if (call) {
      const object = memberOf(call.callee)?.object;
      return [...call.args, ...(object ? [object] : [])].map(inner => put(node, inner.text));
    }
    const subscript = subscriptOf(node);
    if (subscript) return [put(node, subscript.object.text)];
    const argument = /^(?:not_operator|unary_operator|unary_expression)$/.test(node.type)
      ? (node.childForFieldName('argument') ?? node.childForFieldName('operand'))
      : null;
    const inner = bare(argument);
    return inner ? [put(node, argument?.text ?? inner.text)] : [];
  });
}

/** Removes an argument, or an item of a list. */
export function droppedArguments(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const items =
      callOf(node)?.args ?? (/^(?:list|array|tuple|set)$/.test(node.type) ? namedChildren(node) : []);
    return items.map((item, index) => {
      const before = items[index - 1];
      const after = items[index + 1];
      if (before) return { start: before.endIndex, end: item.endIndex, text: '' };
      return { start: item.startIndex, end: after ? after.startIndex : item.endIndex, text: '' };
    });
  });
}

/** Removes whole statements; a block that becomes empty gets `pass`. */
export function droppedStatements(view: FunctionView): Replacement[] {
  return view.blocks.filter(isBlock).flatMap(block => {
    const statements = namedChildren(block).filter(({ type }) => !/comment$/.test(type));
    const only = statements.length === 1 && view.language === 'python';
    return statements
      .filter(view.covers)
      .filter(({ type }) => !/^(?:function_definition|function_declaration|pass_statement)$/.test(type))
      .map(statement => (only ? put(statement, 'pass') : withoutLines(view.code, put(statement, ''))));
  });
}

/** Removes an `else`, an `elif` or the `if` of a comprehension. */
export function droppedClauses(view: FunctionView): Replacement[] {
  return view.nodes
    .filter(({ type }) => /^(?:else_clause|elif_clause|if_clause)$/.test(type))
    .map(clause => put(clause, ''));
}

/** Lets a condition always or never hold, and replaces a ternary by one of its branches. */
export function droppedConditions(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const condition = conditionOf(node);
    if (!condition) return [];
    if (/^(?:conditional_expression|ternary_expression)$/.test(node.type)) {
      return namedChildren(node)
        .filter(child => child.id !== condition.id)
        .map(branch => put(node, branch.text));
    }
    return node.type === 'if_clause' ? [] : [put(condition, view.syntax.yes), put(condition, view.syntax.no)];
  });
}

/** If the statement was alone on its line, the line is removed too. */
function withoutLines(code: string, { start, end }: Replacement): Replacement {
  const lineStart = code.lastIndexOf('\n', start - 1) + 1;
  const rest = /[^\S\n]*(?:;[^\S\n]*)?(?:\n|$)/y;
  rest.lastIndex = end;
  const tail = rest.exec(code);
  if (code.slice(lineStart, start).trim() !== '' || !tail) return { start, end, text: '' };
  return { start: lineStart, end: end + tail[0].length, text: '' };
}

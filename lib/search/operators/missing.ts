import type { Node } from '@vscode/tree-sitter-wasm';
import { namedChildren } from '../../syntax/nodes.ts';
import { binaries, type FunctionView, put, type Replacement, variablesAt } from '../function-view.ts';
import {
  bare,
  callOf,
  conditionOf,
  isBlock,
  isLoop,
  isNumber,
  operand,
  resultOf,
  subscriptOf,
} from '../shapes.ts';

/** What was left out: assembled from names, calls and expressions that are in scope. */

/** A value goes through a function or a method first. */
export function addedWrappers(view: FunctionView): Replacement[] {
  const wraps = view.language === 'js' ? javascriptWraps : pythonWraps;
  return wrapPlaces(view).flatMap(node => wraps(operand(node), node.text).map(text => put(node, text)));
}

function wrapPlaces(view: FunctionView): Node[] {
  const values = view.nodes.flatMap(node => resultOf(node) ?? []);
  const operands = binaries(view).flatMap(({ node, kind, left, right }) =>
    kind === 'logical' ? [] : kind === 'arithmetic' ? [node, left, right] : [left, right],
  );
  const iterated = view.nodes.flatMap(node =>
    /^(?:for_statement|for_in_clause|for_in_statement)$/.test(node.type)
      ? (node.childForFieldName('right') ?? [])
      : [],
  );
  const args = view.nodes.flatMap(node => callOf(node)?.args ?? []);
  const all = [...values, ...operands, ...iterated, ...args].filter(
    node =>
      !isNumber(node) &&
      !/^(?:true|false|none|null|string|keyword_argument|lambda|arrow_function|spread_element)$/.test(
        node.type,
      ),
  );
  return [...new Map(all.map(node => [`${node.startIndex}-${node.endIndex}`, bare(node) ?? node])).values()];
}

function pythonWraps(object: string, text: string): string[] {
  const functions = [
    'abs',
    'len',
    'sorted',
    'set',
    'int',
    'str',
    'list',
    'sum',
    'round',
    'max',
    'min',
    'float',
    'tuple',
    'reversed',
    'bool',
  ];
  return [
    ...functions.map(name => `${name}(${text})`),
    `sorted(set(${text}))`,
    `list(set(${text}))`,
    `${object}[::-1]`,
    `${object}[1:]`,
    `${object}[:-1]`,
    ...['lower', 'upper', 'strip', 'copy', 'split'].map(name => `${object}.${name}()`),
    `-${object}`,
    `not ${object}`,
  ];
}

function javascriptWraps(object: string, text: string): string[] {
  return [
    ...[
      'Math.abs',
      'Math.floor',
      'Math.ceil',
      'Math.round',
      'Number',
      'String',
      'parseInt',
      'Boolean',
      'Math.sqrt',
    ].map(name => `${name}(${text})`),
    ...[
      'length',
      'toLowerCase()',
      'toUpperCase()',
      'trim()',
      'slice()',
      'sort()',
      'reverse()',
      'toString()',
      'slice(1)',
      'slice(0, -1)',
    ].map(name => `${object}.${name}`),
    `[...new Set(${text})]`,
    `-${object}`,
    `!${object}`,
  ];
}

/** A value lacks a term or a factor. */
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

/** A condition lacks a part: one of two names, of a name and a number, or one that the function asks elsewhere. */
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

/** A statement is missing: an update of a variable, a guard, a step of a loop, one like those that are there. */
export function addedStatements(view: FunctionView): Replacement[] {
  return gaps(view).flatMap(({ at, before, node, inLoop }) => {
    const names = variablesAt(view, node);
    const changed = view.nodes
      .filter(({ type }) => /assignment/.test(type))
      .flatMap(({ text }) => (text.includes('\n') ? [] : [text]));
    const updates = names.flatMap(name => [`${name} += 1`, `${name} -= 1`]);
    const collected = view.methods.flatMap(method =>
      /^(?:append|add|push|extend)$/.test(method)
        ? pairsOf(names).map(([list, item]) => `${list}.${method}(${item})`)
        : [],
    );
    const calls = view.nodes.flatMap(({ type, text }) =>
      type === 'expression_statement' && !text.includes('\n') ? [text.replace(/;$/, '')] : [],
    );
    const sums = pairsOf(names).flatMap(([total, item]) => [`${total} += ${item}`, `${total} = ${item}`]);
    const loops = inLoop ? ['continue', 'break'] : [];
    const all = [...new Set([...changed, ...calls, ...updates, ...loops, ...collected, ...sums])];
    return [...all, ...guards(view, node)].map(text => ({ start: at, end: at, text: before(text) }));
  });
}

/** `if not x: return []` and its like. */
function guards(view: FunctionView, place: Node): string[] {
  const values = returned(view);
  const tests = view.parameters
    .filter(name => variablesAt(view, place).includes(name))
    .flatMap(name => guardTests(view, name));
  if (view.language === 'js')
    return tests.flatMap(test => values.map(value => `if (${test}) return ${value}`));
  return tests.flatMap(test => values.map(value => `if ${test}: return ${value}`));
}

function guardTests(view: FunctionView, name: string): string[] {
  if (view.language === 'js')
    return [`!${name}`, `${name}.length === 0`, `${name} < 2`, `${name} < 0`, `${name} <= 1`];
  return [`not ${name}`, `${name} < 2`, `${name} < 0`, `${name} <= 1`];
}

function returned(view: FunctionView): string[] {
  const own = view.nodes.flatMap(node =>
    node.type === 'return_statement' ? namedChildren(node).map(({ text }) => text) : [],
  );
  const { yes, no, nothing } = view.words;
  const short = own.filter(text => text.length < 25 && !text.includes('\n'));
  return [...new Set([...short, no, nothing, '0', '[]', "''", yes, '1', '-1', ...view.parameters])];
}

function pairsOf(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap(left => names.filter(right => right !== left).map(right => [left, right] as const));
}

interface Gap {
  readonly at: number;
  /** The text to put in for a statement. */
  readonly before: (statement: string) => string;
  /** What stands there. */
  readonly node: Node;
  readonly inLoop: boolean;
}

/** Where a statement may be put: before each statement of a block, and after its last. */
function gaps(view: FunctionView): Gap[] {
  const { end } = view.words;
  return [view.body, ...view.nodes]
    .filter((node, index, all) => isBlock(node) && all.findIndex(other => other.id === node.id) === index)
    .flatMap(block => {
      const statements = namedChildren(block).filter(({ type }) => type !== 'comment');
      const inLoop = isInLoop(block);
      const last = statements.at(-1);
      const indented = (node: Node) => ' '.repeat(node.startPosition.column);
      const starts = statements.map(
        (node): Gap => ({
          at: node.startIndex,
          node,
          inLoop,
          before: text => `${text}${end}\n${indented(node)}`,
        }),
      );
      if (!last || /^(?:return|break|continue|raise|throw)_statement$/.test(last.type)) return starts;
      return [
        ...starts,
        { at: last.endIndex, node: last, inLoop, before: text => `\n${indented(last)}${text}${end}` },
      ];
    });
}

function isInLoop(block: Node): boolean {
  for (let above = block.parent; above && !/function|lambda/.test(above.type); above = above.parent) {
    if (isLoop(above)) return true;
  }
  return false;
}

/** A subscript is missing: of a name that is indexed elsewhere, or by a counter that is in scope. */
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

/** Another value that the function already computes, in place of what it returns. */
export function otherReturns(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const value = node.type === 'return_statement' ? node.namedChild(0) : null;
    if (!value) return [];
    const { yes, no } = view.words;
    const others = [...variablesAt(view, node), ...returned(view), yes, no, view.words.not(operand(value))];
    return [...new Set(others)].filter(text => text !== value.text).map(text => put(value, text));
  });
}

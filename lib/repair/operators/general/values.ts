import type { Node } from '@vscode/tree-sitter-wasm';
import { withoutRepeats } from '../../../core/without-repeats.ts';
import {
  binariesOf,
  callOf,
  descendants,
  isNumber,
  isString,
  isTarget,
  memberOf,
  namedChildren,
  operand,
  resultOf,
  subscriptOf,
} from '../../../syntax/nodes.ts';
import { isCompiled } from '../../enumerate/words.ts';
import { isBoundary } from '../facts.ts';
import { binaries, type FunctionView, put, type Replacement, reads, variablesAt } from '../function-view.ts';

/**
 * Replaces a number: by those that the docstring, a comment or a name says, plus or minus one, a boundary by those of
 * tests, its negative, a multiple, small numbers, and the function's other numbers. Elsewhere than in a boundary, a number
 * of a test passes by chance. A boundary that is said may also be included where it was not, or the other way round.
 */
export function otherNumbers(view: FunctionView): Replacement[] {
  return view.nodes.filter(isNumber).flatMap(node => {
    const value = Number(node.text.replaceAll('_', ''));
    const near = Number.isInteger(value)
      ? [value + 1, value - 1, 0, 1, 2, 10, value * 10, -value]
      : [value + 1, value - 1, value / 2, value * 2, -value];
    // 2.0 and 2 are of different types.
    const written = (number: number) =>
      isCompiled(view.language) && node.text.includes('.') && Number.isInteger(number)
        ? `${number}.0`
        : `${number}`;
    const neighbours = Number.isFinite(value) ? near.map(written) : [];
    const { numbers, otherNumbers } = view.failures;
    const tested = isBoundary(view.code, put(node, '')) ? [...numbers, ...otherNumbers] : [];
    const isOther = (text: string) => text !== node.text && text !== '-0';
    const said = (texts: readonly string[]): Replacement[] =>
      texts.filter(isOther).flatMap(text => [put(node, text), ...includedOrNot(view, node, text)]);
    const plain = (texts: readonly string[]) => texts.filter(isOther).map(text => put(node, text));
    return withoutRepeats([
      ...[...said(view.documented), ...plain(neighbours.slice(0, 2))],
      ...[...said(tested), ...plain(neighbours.slice(2)), ...plain(view.numbers)],
    ]);
  });
}

const otherStrictness: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

/** `total > 40` → `total >= 50`: the comparison of a boundary with another number, which counts as the other side. */
function includedOrNot(view: FunctionView, number: Node, text: string): Replacement[] {
  const { parent } = number;
  const compared = parent ? binariesOf(parent) : [];
  return compared
    .filter(({ left, right }) => left.id === number.id || right.id === number.id)
    .flatMap(({ left, operator, right }) => {
      const other = otherStrictness[operator.text];
      if (other === undefined) return [];
      const between = (from: Node, to: Node) => view.code.slice(from.endIndex, to.startIndex);
      return left.id === number.id
        ? [{ start: left.startIndex, end: operator.endIndex, text: text + between(left, operator) + other }]
        : [
            {
              start: operator.startIndex,
              end: right.endIndex,
              text: other + between(operator, right) + text,
            },
          ];
    });
}

/** Replaces a constant by a variable in scope, and vice versa. */
export function constantsForVariables(view: FunctionView): Replacement[] {
  const constants = [...new Set(['0', '1', ...view.numbers, ...view.strings])];
  return [
    ...view.nodes
      .filter(node => isNumber(node) || isString(node))
      .flatMap(node => variablesAt(view, node).map(text => put(node, text))),
    ...reads(view).flatMap(node => constants.map(text => put(node, text))),
  ];
}

/** Changes a variable's initial value. */
export function otherBeginnings(view: FunctionView): Replacement[] {
  const usual = view.language === 'js' ? javascriptBeginnings : pythonBeginnings;
  return view.nodes.flatMap(node => {
    const value = /^(?:assignment|variable_declarator)$/.test(node.type) ? resultOf(node) : null;
    if (!value || !/^(?:number|integer|float|none|null|-\d+|''|""|\[\]|\{\})$/.test(kindOf(value))) return [];
    const parameterValues = view.parameters.flatMap(name => [
      name,
      `${name}[0]`,
      view.language === 'js' ? `${name}.length` : `len(${name})`,
    ]);
    return [...usual, ...parameterValues].filter(text => text !== value.text).map(text => put(value, text));
  });
}

function kindOf({ type, text }: { readonly type: string; readonly text: string }): string {
  return /^(?:number|integer|float|none|null)$/.test(type) ? type : text;
}

const pythonBeginnings = ['0', '1', '-1', "''", '[]', '{}', 'set()', 'None', "float('inf')", "float('-inf')"];
const javascriptBeginnings = ['0', '1', '-1', "''", '[]', '{}', 'null', 'Infinity', '-Infinity'];

export function otherBooleans(view: FunctionView): Replacement[] {
  const { yes, no, nothing } = view.syntax;
  return view.nodes.flatMap(node => {
    if (node.type === 'true' || node.text === 'true') return [put(node, no)];
    if (node.type === 'false' || node.text === 'false') return [put(node, yes)];
    return node.type === 'none' || node.type === 'null'
      ? [put(node, no), put(node, '0')].filter(({ text }) => text !== nothing)
      : [];
  });
}

/** Replaces a variable by another one in scope. */
export function otherVariables(view: FunctionView): Replacement[] {
  return reads(view).flatMap(node =>
    variablesAt(view, node)
      .filter(name => name !== node.text)
      .map(name => put(node, name)),
  );
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

/** The target of an assignment. */
export function otherTargets(view: FunctionView): Replacement[] {
  return view.nodes
    .filter(node => node.type === 'identifier' && isTarget(node))
    .flatMap(node => view.variables.filter(name => name !== node.text).map(name => put(node, name)));
}

/** Swaps two arguments, or two items of a tuple. */
export function swappedArguments(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const items =
      callOf(node)?.args ??
      (/^(?:tuple|expression_list|list|array)$/.test(node.type) ? namedChildren(node) : []);
    return items.slice(1).flatMap((right, index) => {
      const left = items[index];
      if (!left) return [];
      const between = view.code.slice(left.endIndex, right.startIndex);
      return [{ start: left.startIndex, end: right.endIndex, text: right.text + between + left.text }];
    });
  });
}

/** Replaces a function or method by others of its kind, and by others that are called here. */
export function otherFunctions(view: FunctionView): Replacement[] {
  const kinds =
    view.language === 'js' ? javascriptKinds : view.language === 'python' ? pythonKinds : compiledKinds;
  return view.nodes.flatMap(node => {
    const call = callOf(node);
    if (!call) return [];
    const member = memberOf(call.callee);
    const name = member?.name ?? call.callee;
    const relatives = kinds.filter(kind => kind.includes(name.text)).flat();
    const here = member ? view.methods : view.functions;
    return [...new Set([...relatives, ...here])]
      .filter(other => other !== name.text)
      .map(other => put(name, other));
  });
}

/**
 * Shifts an index by one, or counts it from the other end; moves, removes or adds the bounds and the step of
 * a slice.
 */
export function otherIndices(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const subscript = subscriptOf(node);
    if (!subscript) return [];
    const { index } = subscript;
    if (index.type === 'slice') return slices(index.text).map(text => put(index, text));
    const reversed = view.language === 'python' ? [`-${operand(index)}`, `-${operand(index)} - 1`] : [];
    return [`${index.text} + 1`, `${index.text} - 1`, ...reversed].map(text => put(index, text));
  });
}

function slices(text: string): string[] {
  const [start = '', end = '', step = ''] = text.split(':').map(part => part.trim());
  if (/[[({]/.test(text)) return [];
  const joined = (from: string, to: string, by: string) => `${from}:${to}${by === '' ? '' : `:${by}`}`;
  const moved = (bound: string) => (bound === '' ? ['1', '-1'] : ['', `${bound} + 1`, `${bound} - 1`]);
  return [
    ...moved(start).map(from => joined(from, end, step)),
    ...moved(end).map(to => joined(start, to, step)),
    ...(step === '' ? [joined(start, end, '-1'), joined(start, end, '2')] : [joined(start, end, '')]),
    joined(end, start, step),
  ];
}

/** Adds or subtracts one: in a bound, an operand, or an argument of a call. */
export function offByOne(view: FunctionView): Replacement[] {
  const places = [
    ...view.nodes.flatMap(node => callOf(node)?.args ?? []),
    ...binaries(view).flatMap(({ kind, left, right }) => (kind === 'logical' ? [] : [left, right])),
    ...view.nodes.flatMap(node => (node.type === 'return_statement' ? namedChildren(node) : [])),
    ...view.nodes.flatMap(node => (node.type === 'slice' ? namedChildren(node) : [])),
  ].filter(node =>
    /^(?:identifier|call|call_expression|subscript|subscript_expression|binary_operator|binary_expression|member_expression|attribute)$/.test(
      node.type,
    ),
  );
  return places.flatMap(node => [put(node, `${node.text} + 1`), put(node, `${node.text} - 1`)]);
}

/** Names that are confused with each other: same arguments, another meaning. */
const pythonKinds: readonly (readonly string[])[] = [
  ['min', 'max', 'sum', 'len', 'sorted'],
  ['any', 'all'],
  ['int', 'float', 'round', 'str', 'abs', 'bool'],
  ['list', 'set', 'tuple', 'sorted', 'reversed', 'dict'],
  ['ord', 'chr'],
  ['bin', 'hex', 'oct', 'str'],
  ['range', 'enumerate', 'zip'],
  ['ceil', 'floor', 'round', 'trunc'],
  ['sqrt', 'log', 'exp'],
  ['append', 'extend', 'insert', 'remove', 'add', 'discard'],
  ['add', 'remove', 'discard', 'update'],
  ['upper', 'lower', 'title', 'capitalize', 'swapcase'],
  ['isupper', 'islower', 'isalpha', 'isdigit', 'isalnum', 'isspace', 'isnumeric'],
  ['strip', 'lstrip', 'rstrip'],
  ['startswith', 'endswith'],
  ['find', 'rfind', 'index', 'rindex', 'count'],
  ['split', 'rsplit', 'splitlines', 'partition', 'rpartition'],
  ['ljust', 'rjust', 'center', 'zfill'],
  ['keys', 'values', 'items'],
  ['get', 'pop', 'setdefault'],
  ['intersection', 'union', 'difference', 'symmetric_difference'],
  ['issubset', 'issuperset', 'isdisjoint'],
  ['pop', 'popleft'],
  ['append', 'appendleft'],
];

const javascriptKinds: readonly (readonly string[])[] = [
  ['min', 'max', 'abs', 'floor', 'ceil', 'round', 'trunc', 'sqrt'],
  ['push', 'unshift', 'pop', 'shift', 'concat'],
  ['some', 'every', 'find', 'findIndex', 'filter', 'includes'],
  ['map', 'filter', 'forEach', 'flatMap'],
  ['toUpperCase', 'toLowerCase'],
  ['startsWith', 'endsWith', 'includes'],
  ['indexOf', 'lastIndexOf', 'includes'],
  ['slice', 'splice', 'substring', 'substr'],
  ['trim', 'trimStart', 'trimEnd'],
  ['padStart', 'padEnd'],
  ['charCodeAt', 'charAt', 'codePointAt', 'at'],
  ['parseInt', 'parseFloat', 'Number', 'String', 'Boolean'],
  ['keys', 'values', 'entries'],
  ['replace', 'replaceAll'],
  ['has', 'get', 'add', 'delete'],
  ['union', 'intersection', 'difference'],
];

/** Of Go, Rust, C++ and Java; a compiler refuses the names of another language. */
const compiledKinds: readonly (readonly string[])[] = [
  ['min', 'max'],
  ['Min', 'Max'],
  ['abs', 'floor', 'ceil', 'round', 'sqrt'],
  ['Abs', 'Floor', 'Ceil', 'Round', 'Trunc', 'Sqrt'],
  ['toUpperCase', 'toLowerCase'],
  ['isUpperCase', 'isLowerCase', 'isLetter', 'isDigit', 'isLetterOrDigit'],
  ['ToUpper', 'ToLower', 'Title'],
  ['IsUpper', 'IsLower', 'IsLetter', 'IsDigit', 'IsSpace'],
  ['toupper', 'tolower'],
  ['isupper', 'islower', 'isalpha', 'isdigit', 'isalnum', 'isspace'],
  ['to_uppercase', 'to_lowercase', 'to_ascii_uppercase', 'to_ascii_lowercase'],
  ['is_uppercase', 'is_lowercase', 'is_alphabetic', 'is_numeric', 'is_alphanumeric', 'is_ascii_digit'],
  ['startsWith', 'endsWith', 'contains'],
  ['HasPrefix', 'HasSuffix', 'Contains'],
  ['starts_with', 'ends_with', 'contains'],
  ['indexOf', 'lastIndexOf'],
  ['Index', 'LastIndex', 'Count'],
  ['find', 'rfind'],
  ['add', 'remove', 'addAll', 'removeAll'],
  ['push_back', 'push_front'],
  ['push', 'insert'],
  ['front', 'back'],
  ['first', 'last'],
  ['getFirst', 'getLast'],
  ['begin', 'rbegin'],
  ['end', 'rend'],
  ['any', 'all'],
  ['anyMatch', 'allMatch', 'noneMatch'],
  ['keySet', 'values'],
  ['keys', 'values'],
  ['trim', 'trim_start', 'trim_end'],
  ['skip', 'take'],
];

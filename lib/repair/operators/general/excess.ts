import { namedChildren } from '../../../syntax/nodes.ts';
import { bare, callOf, conditionOf, isBlock, memberOf, subscriptOf } from '../../../syntax/shapes.ts';
import { binaries, type FunctionView, put, type Replacement } from '../function-view.ts';

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
    return node.type === 'if_clause' ? [] : [put(condition, view.words.yes), put(condition, view.words.no)];
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

import { callOf, namedChildren } from '../../../syntax/nodes.ts';
import { binaries, type FunctionView, put, type Replacement } from '../function-view.ts';

const usual = ['str', 'bytes', 'list', 'tuple', 'dict', 'set', 'int', 'float'];

/** Lets a test for types accept one more. */
export function moreTypes(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const call = callOf(node);
    const types = call?.args[1];
    if (!call || !types || !/^(?:isinstance|issubclass)$/.test(call.callee.text)) return [];
    const checked = (types.type === 'tuple' ? namedChildren(types) : [types]).map(({ text }) => text);
    return [...new Set([...view.file.types.filter(name => /^[\w.]+$/.test(name)), ...usual])]
      .filter(name => !checked.includes(name))
      .map(name => put(types, `(${[...checked, name].join(', ')})`));
  });
}

/** Formats a value that may be a tuple: `'%s' % (value,)`. */
export function formattedTuples(view: FunctionView): Replacement[] {
  return binaries(view)
    .filter(({ left, operator, right }) => {
      const isText = /string$/.test(left.type) || left.type === 'parenthesized_expression';
      return operator.text === '%' && isText && !/^(?:tuple|dictionary|integer)$/.test(right.type);
    })
    .map(({ right }) => put(right, `(${right.text},)`));
}

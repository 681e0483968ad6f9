import type { Node } from '@vscode/tree-sitter-wasm';
import { literalPattern } from '../../../core/text.ts';
import {
  callOf,
  descendants,
  isBlock,
  isLoop,
  memberOf,
  namedChildren,
  subscriptOf,
} from '../../../syntax/nodes.ts';
import {
  before,
  type FunctionView,
  put,
  type Replacement,
  returnedTexts,
  variablesAt,
} from '../function-view.ts';

/** Turns a single action into a loop, and the reverse. */
export function loopsAndBranches(view: FunctionView): Replacement[] {
  return view.nodes.flatMap(node => {
    const start = node.startIndex;
    if (node.type === 'if_statement') return [{ start, end: start + 2, text: 'while' }];
    return node.type === 'while_statement' ? [{ start, end: start + 5, text: 'if' }] : [];
  });
}

/** Adds to an item's value, and inserts at an index instead of the end. */
export function otherUpdates(view: FunctionView): Replacement[] {
  const isJs = view.language === 'js';
  return view.nodes.flatMap(node => {
    if (/^assignment(?:_expression)?$/.test(node.type)) {
      const left = node.childForFieldName('left');
      const right = node.childForFieldName('right');
      const item = left && subscriptOf(left);
      if (!left || !right || !item) return [];
      const current = isJs ? `(${left.text} ?? 0)` : `${item.object.text}.get(${item.index.text}, 0)`;
      return [
        put(node, `${left.text} = ${current} + ${right.text}`),
        put(node, `${left.text} += ${right.text}`),
      ];
    }
    const call = callOf(node);
    const member = call && memberOf(call.callee);
    const [value] = call?.args ?? [];
    if (!member || !value || !/^(?:append|push)$/.test(member.name.text)) return [];
    return variablesAt(view, node)
      .filter(name => name !== member.object.text)
      .map(name => put(node, `${member.object.text}[${name}] = ${value.text}`));
  });
}

/**
 * Adds guards for missing or empty values, and copies of parameters, at the start of a function and before it
 * returns.
 */
export function guardsAndCopies(view: FunctionView): Replacement[] {
  const isJs = view.language === 'js';
  const statements = namedChildren(view.body).filter(
    ({ type, text }) => type !== 'comment' && !/^(?:"""|''')/.test(text),
  );
  const starts = statements.slice(0, 1).filter(view.covers);
  const parameters = view.parameters.filter(name => name !== 'self' && name !== 'cls');
  const copies = parameters.flatMap(name =>
    isJs
      ? [`${name} = [...${name}]`, `${name} = { ...${name} }`]
      : ['list', 'dict', 'set'].map(kind => `${name} = ${kind}(${name})`),
  );
  const values = [...new Set([isJs ? 'null' : 'None', '0', '[]', "''", '{}', ...returnedTexts(view)])].slice(
    0,
    12,
  );
  const returns = view.nodes.filter(({ type }) => type === 'return_statement');
  const guards = [...starts, ...returns].flatMap(node =>
    variablesAt(view, node)
      .filter(name => name !== 'self')
      .flatMap(name => (isJs ? [`!${name}`, `${name}.length === 0`] : [`not ${name}`, `${name} is None`]))
      .flatMap(test =>
        values.map(value =>
          before(node, isJs ? `if (${test}) return ${value};` : `if ${test}: return ${value}`),
        ),
      ),
  );
  const copied = starts.flatMap(first => copies.map(text => before(first, text + view.syntax.end)));
  return [...copied, ...guards, ...skips(view)];
}

/** Skips empty items of a loop. */
function skips(view: FunctionView): Replacement[] {
  return view.nodes.filter(isLoop).flatMap(loop => {
    const body = loop.childForFieldName('body');
    const first = body && isBlock(body) ? namedChildren(body)[0] : null;
    const left = loop.childForFieldName('left');
    if (!first || !left) return [];
    const names = descendants(left)
      .concat(left)
      .filter(({ type }) => type === 'identifier')
      .map(({ text }) => text);
    return [...new Set(names)].flatMap(name =>
      view.language === 'js'
        ? [before(first, `if (!${name}) continue;`), before(first, `if (${name} === '') continue;`)]
        : [before(first, `if not ${name}: continue`), before(first, `if ${name} is None: continue`)],
    );
  });
}

/** Repeats an action of a loop after it, for the items collected last. */
export function flushes(view: FunctionView): Replacement[] {
  const isJs = view.language === 'js';
  return view.nodes.filter(isLoop).flatMap(loop => {
    const inner = descendants(loop).filter(
      ({ type, text }) => type === 'expression_statement' && !text.includes('\n'),
    );
    return inner.flatMap(statement => {
      const text = statement.text.replace(/;$/, '');
      const names = variablesAt(view, statement).filter(name =>
        new RegExp(`\\b${literalPattern(name)}\\b`).test(text),
      );
      const guarded = names.map(name => (isJs ? `if (${name}.length > 0) ${text};` : `if ${name}: ${text}`));
      return [...guarded, text + view.syntax.end].map(added => behind(loop, added));
    });
  });
}

function behind(node: Node, statement: string): Replacement {
  return {
    start: node.endIndex,
    end: node.endIndex,
    text: `\n${' '.repeat(node.startPosition.column)}${statement}`,
  };
}

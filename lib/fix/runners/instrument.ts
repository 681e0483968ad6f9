import { type Node, parse } from 'acorn';

/**
 * A JavaScript program that calls `__hefix('FILE:LINE')` before each statement of its functions and in each
 * pass of its loops, to record lines and to stop code that never ends. Line numbers do not change. Null if
 * the program does not parse.
 */
export function instrumented(path: string, code: string): string | null {
  const tree = parsed(code);
  if (!tree) return null;
  const insertions: Insertion[] = [];
  const call = (node: Node): string => `__hefix(${JSON.stringify(`${path}:${lineAt(node)}`)})`;
  const starts = lineStarts(code);
  const lineAt = ({ start }: Node): number => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= start) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const block = (node: Node): void => {
    const { body } = node as Node & { readonly body: readonly Node[] };
    for (const statement of body)
      if (!/Declaration$/.test(statement.type) || statement.type === 'VariableDeclaration')
        if (!isDirective(statement)) insertions.push({ at: statement.start, text: `${call(statement)};` });
  };
  const visit = (node: Node, isInFunction: boolean): void => {
    const { body } = node as Node & { readonly body?: Node | null };
    const isFunction = /Function/.test(node.type);
    const inside = isInFunction || isFunction;
    if (node.type === 'BlockStatement' && inside) block(node);
    if (isFunction && body && body.type !== 'BlockStatement')
      around(insertions, body, `(${call(body)},`, ')');
    const isLoop = /^(?:For|While|DoWhile)/.test(node.type);
    if (isLoop && body && body.type !== 'BlockStatement') around(insertions, body, `{${call(body)};`, '}');
    if (isLoop && body?.type === 'BlockStatement')
      insertions.push({ at: body.start + 1, text: `${call(body)};` });
    for (const child of childrenOf(node)) visit(child, inside);
  };
  visit(tree, false);
  return insertions
    .toSorted((a, b) => b.at - a.at || (b.rank ?? 0) - (a.rank ?? 0))
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), code);
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** Of insertions at the same position, the smaller comes first. */
  readonly rank?: number;
}

/** The expression may already have parentheses; text that is inserted before it stays outside of them. */
function around(insertions: Insertion[], { start, end }: Node, before: string, after: string): void {
  insertions.push({ at: start, text: before }, { at: end, text: after });
}

function isDirective(node: Node): boolean {
  return 'directive' in node;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value?.type === 'string' && typeof value.start === 'number');
}

function parsed(code: string): Node | null {
  const options = { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true } as const;
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parse(code, { ...options, sourceType, allowAwaitOutsideFunction: sourceType === 'module' });
    } catch {
      // It is the other kind of source, or not a program.
    }
  }
  return null;
}

function lineStarts(code: string): number[] {
  return [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

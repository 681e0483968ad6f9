import type { Node } from '@vscode/tree-sitter-wasm';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { FileNames } from './file-names.ts';
import { viewOf } from './function-view.ts';
import { operators } from './operators.ts';

/** An edited program, and the operator that made it. */
export interface Mutant {
  /** Name of the operator. */
  readonly operator: string;
  readonly code: string;
}

/**
 * The programs that result from a single edit of the function's syntax tree, each tree once, in a fixed
 * order: operators from likely to unlikely, each from the top of the function to its end. Yields null for an
 * edit without a result, so that a caller can pause.
 * @param file names of the project's file that the function is from; null for a task, where operators of projects are
 * not used
 */
export function* enumerateEdits(
  parser: SyntaxParser,
  code: string,
  name: string,
  limit: number,
  file: FileNames | null = null,
): Generator<Mutant | null> {
  const tree = parser.open(code);
  try {
    const view = viewOf(tree.root, code, name, parser.language, file ?? { attributes: [], functions: [] });
    const seen = new Set<string>();
    const texts = new Set<string>([code]);
    const places = new Set<string>();
    let found = 0;
    for (const operator of operators) {
      const { languages = [parser.language], projectsOnly = false } = operator;
      if (!view || found >= limit) break;
      if (!languages.includes(parser.language) || (projectsOnly && !file)) continue;
      for (const { start, end, text } of operator.edits(view)) {
        if (found >= limit) break;
        const edited = code.slice(0, start) + text + code.slice(end);
        if (texts.has(edited)) continue;
        texts.add(edited);
        const print = tree.readEdited(start, end, text, other =>
          other.hasError ? null : changedPart(parser, other, edited.length, start, start + text.length),
        );
        const place = `${start}-${end}`;
        if (!places.has(place)) seen.add(changedPart(parser, tree.root, code.length, start, end));
        places.add(place);
        const isNew = print !== null && !seen.has(print);
        if (isNew) {
          seen.add(print);
          found++;
        }
        yield isNew ? { operator: operator.name, code: edited } : null;
      }
    }
  } finally {
    tree.close();
  }
}

/**
 * The statement that contains a change, its fingerprint and its position between the unchanged parts:
 * programs that are one edit away from the same one are equal if these are equal, which is faster to check.
 */
function changedPart(parser: SyntaxParser, root: Node, length: number, start: number, end: number): string {
  let node = root.descendantForIndex(start, end) ?? root;
  while (
    node.parent &&
    !/^(?:block|statement_block|statement_list|compound_statement)$/.test(node.parent.type)
  )
    node = node.parent;
  return `${node.startIndex} ${length - node.endIndex} ${parser.fingerprintOf(node)}`;
}

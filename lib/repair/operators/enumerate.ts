import type { Node } from '@vscode/tree-sitter-wasm';
import type { Repairable } from '../../../machines/project-actors.ts';
import { changeOf } from '../../syntax/edits/text-change.ts';
import type { OpenTree, SyntaxParser } from '../../syntax/parser.ts';
import type { ProposedEdit } from './best-first.ts';
import type { FailureFacts } from './failure-facts.ts';
import type { FileNames } from './file-names.ts';
import { type FunctionView, type Replacement, viewOf } from './function-view.ts';
import { mayBePlainer, plainerPart } from './plain-form.ts';
import { taskOperators } from './task-operators.ts';

/** An edited program, and the operator that made it. */
export interface Mutant {
  /** Name of the operator. */
  readonly operator: string;
  readonly code: string;
}

/** What a project says about the function or constant to edit. */
export interface ProjectHints {
  readonly kind: Repairable;
  /** Names of the file that it is from. */
  readonly names: FileNames;
  /** What its failing tests say. */
  readonly failures: FailureFacts;
  /** What is said about it elsewhere than in its code: its docstring, comments above it. */
  readonly documentation?: string;
  /** Suspicion of a row of the code, 0-based. */
  readonly weightOf: (row: number) => number;
  /** The edits to try, in their order, and null in between; see projectEdits. */
  edits(view: FunctionView, hints: ProjectHints): Iterable<ProposedEdit | null>;
}

/**
 * The programs that result from a single edit of the function's syntax tree, each tree once, in a fixed
 * order: operators from likely to unlikely, with the edits of each as it lists them; for a project, those that
 * are likeliest to repair it first. Yields null for an edit without a result, so that a caller can pause.
 * @param project null for a task, where operators of projects are not used
 */
export function* enumerateEdits(
  parser: SyntaxParser,
  code: string,
  name: string,
  limit: number,
  project: ProjectHints | null = null,
): Generator<Mutant | null> {
  const tree = parser.open(code);
  try {
    const { names = null, failures, kind, documentation } = project ?? {};
    const view = viewOf(tree.root, code, name, parser.language, names, failures, kind, documentation);
    if (!view) return;
    const seen = new Set<string>();
    const texts = new Set<string>([code]);
    const places = new Set<string>();
    let found = 0;
    const edits = project ? project.edits(view, project) : inOrder(view);
    for (const proposed of edits) {
      if (found >= limit) break;
      if (proposed === null) {
        yield null;
        continue;
      }
      const { operator } = proposed;
      const edit = project === null ? proposed.edit : plainEdit(tree, code, proposed.edit);
      if (edit === null) {
        yield null;
        continue;
      }
      const { start, end, text } = edit;
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
      yield isNew ? { operator, code: edited } : null;
    }
  } finally {
    tree.close();
  }
}

/** Most parts of one edit that are made plain. */
const MAX_PLAINER = 3;

/** The edit in its plainest form, so that equal ones are one; null if it does nothing. */
function plainEdit(tree: OpenTree, code: string, edit: Replacement): Replacement | null {
  let { start, end, text } = edit;
  for (let found = 0; found < MAX_PLAINER; found++) {
    const edited = code.slice(0, start) + text + code.slice(end);
    if (!mayBePlainer(edited.slice(Math.max(0, start - NEAR), start + text.length + NEAR))) break;
    const part = tree.readEdited(start, end, text, root =>
      root.hasError ? null : plainerPart(root, start, start + text.length),
    );
    if (part === null) break;
    if (part.text === null) return null;
    const plain = changeOf(code, edited.slice(0, part.start) + part.text + edited.slice(part.end));
    ({ start, end, replacement: text } = plain);
  }
  return { ...edit, start, end, text };
}

/** Characters around an edit that may belong to the same operation. */
const NEAR = 6;

function* inOrder(view: FunctionView): Generator<ProposedEdit> {
  const applicable = taskOperators.filter(({ languages }) => languages?.includes(view.language) ?? true);
  for (const operator of applicable)
    for (const edit of operator.edits(view)) yield { operator: operator.name, edit };
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

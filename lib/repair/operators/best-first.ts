import type { Node } from '@vscode/tree-sitter-wasm';
import type { FunctionView, Replacement } from './function-view.ts';
import type { Operator } from './operator.ts';

/** An edit, and the operator that makes it. */
export interface ProposedEdit {
  readonly operator: string;
  readonly edit: Replacement;
}

/** How many more edits of one operator are tried before the next operator gets its turn. */
const SPREAD = 4;

/** How many operators odd edits wait for. */
const ODD_WAIT = 20;

/**
 * The edits of a function, those that are likeliest to repair it first: of suspicious lines before others, of earlier
 * operators before later ones, and of each operator those that it lists first. An operator that lists many edits of a
 * line leaves room for the others, odd edits come later, and what nobody writes is left out. Edits are assembled only
 * as far as they are needed.
 * @param weightOf suspicion of the 0-based rows of the code
 */
export function* bestFirst(
  view: FunctionView,
  operators: readonly Operator[],
  weightOf: (row: number) => number,
): Generator<ProposedEdit> {
  const waiting: Entry[] = [];
  for (const [row, nodes] of byRow(view.nodes)) {
    const covers = (statement: Node) => statement.startPosition.row === row;
    const line = { view: { ...view, nodes, covers }, weight: weightOf(row) };
    add(waiting, { line, place: 0, wait: 0, count: 0, edits: null });
  }
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { line, place, wait, count } = next;
    const operator = operators[place];
    if (!operator) continue;
    let { edits } = next;
    if (edits === null) {
      add(waiting, { line, place: place + 1, wait: 0, count: 0, edits: null });
      const made = operator.edits(line.view).map(each => ({ each, oddness: oddnessOf(view.code, each) }));
      const withOddness = (wanted: string) =>
        made.filter(({ oddness }) => oddness === wanted).map(({ each }) => each);
      edits = withOddness('plain');
      const odd = withOddness('odd');
      if (odd.length > 0) add(waiting, { line, place, wait: ODD_WAIT, count: 0, edits: odd });
    }
    const edit = edits[count];
    if (!edit) continue;
    yield { operator: operator.name, edit };
    add(waiting, { line, place, wait, count: count + 1, edits });
  }
}

/** The next edit of an operator on a line. */
interface Entry {
  readonly line: { readonly view: FunctionView; readonly weight: number };
  readonly place: number;
  /** How many places it is put back. */
  readonly wait: number;
  readonly count: number;
  /** Null if they are not assembled yet. */
  readonly edits: readonly Replacement[] | null;
}

function costOf({ line, place, wait, count }: Entry): number {
  return ((place + wait) * SPREAD + count + 1) / line.weight;
}

/** Inserts an entry before those that cost more. */
function add(waiting: Entry[], entry: Entry): void {
  const cost = costOf(entry);
  let [from, to] = [0, waiting.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = waiting[middle];
    if (other && costOf(other) <= cost) from = middle + 1;
    else to = middle;
  }
  waiting.splice(from, 0, entry);
}

function byRow(nodes: readonly Node[]): Map<number, Node[]> {
  const rows = new Map<number, Node[]>();
  for (const node of nodes) {
    const { row } = node.startPosition;
    const found = rows.get(row);
    if (found) found.push(node);
    else rows.set(row, [node]);
  }
  return rows;
}

/** How plausible an edit is to be meant. `null`: nobody writes that; edits that are odd come after plain ones. */
export function oddnessOf(code: string, { start, end, text }: Replacement): 'plain' | 'odd' | null {
  const [before, old, after] = [code.slice(0, start), code.slice(start, end), code.slice(end)];
  if (comparesText(before, text, after) && !comparesText(before, old, after)) return null;
  // Such edits are rarely meant, but often pass a test by chance.
  const isOtherDivisor = NUMBER.test(text) && NUMBER.test(old) && DIVIDED.test(before);
  const losesTypeTest = TYPE_TEST.test(old) && (/^[\w.]+$/.test(text) || PRESENCE.test(text));
  const isOrderOfUnknown =
    EQUALITY.test(old) && ORDER.test(text) && !/\d\s*$/.test(before) && !/^\s*-?\d/.test(after);
  return isOtherDivisor || losesTypeTest || isOrderOfUnknown ? 'odd' : 'plain';
}

const EQUALITY = /^[!=]==?$/;
const ORDER = /^[<>]=?$/;
const TYPE_TEST = /^(?:isinstance|issubclass|hasattr|callable|Array\.isArray)\(/;
const PRESENCE = /\) (?:is not None|!=+ (?:null|undefined))$/;
const NUMBER = /^\d[\d_.]*$/;
const DIVIDED = /[^/](?:\/\/?|%)=?\s*$/;

/** Whether a text literal gets compared with `<`, `<=`, `>` or `>=`. */
function comparesText(before: string, text: string, after: string): boolean {
  if (!ORDER.test(text)) return /\s[<>]=?\s+[rbfu]?["'`]|["'`]\s+[<>]=?\s/.test(text);
  return /^\s*[rbfu]?["'`]/.test(after) || /["'`]\s*$/.test(before);
}

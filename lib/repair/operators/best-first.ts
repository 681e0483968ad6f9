import type { Node } from '@vscode/tree-sitter-wasm';
import type { Language } from '../../core/task.ts';
import { isBoundary } from './facts.ts';
import type { FunctionView, Replacement } from './function-view.ts';
import type { Operator } from './task-operators.ts';

/** An edit, and the operator that makes it. */
export interface ProposedEdit {
  readonly operator: string;
  readonly edit: Replacement;
}

/** Cost of an edit of an operator on a line: the `count`th that it lists, from 0, of the plain or of the odd ones. */
export type EditCost = (count: number, isOdd: boolean) => number;

/** An operator with what its edits cost; the first plain edit of one costs no more than that of the next operator. */
export interface RankedOperator {
  readonly operator: Operator;
  readonly costOf: EditCost;
}

/**
 * The edits of a function, those that are likeliest to repair it first: of suspicious lines before others, and those
 * that cost less. Unusual edits come later, and edits that nobody would write are left out. Edits are assembled only as
 * they are needed. Yields null in between, so that a caller can pause.
 * @param weightOf suspicion of the 0-based rows of the code
 */
export function* bestFirst(
  view: FunctionView,
  ranked: readonly RankedOperator[],
  weightOf: (row: number) => number,
): Generator<ProposedEdit | null> {
  const waiting = createQueue<Entry>((one, other) => one.cost - other.cost);
  const wait = (entry: Omit<Entry, 'cost'>): void => {
    const { line, place, count, isOdd } = entry;
    const cost = ranked[place]?.costOf(count, isOdd);
    if (cost !== undefined) waiting.add({ ...entry, cost: cost / line.weight });
  };
  for (const [row, nodes] of byRow(view.nodes)) {
    const covers = (statement: Node) => statement.startPosition.row === row;
    const line = { view: { ...view, nodes, covers }, weight: weightOf(row) };
    wait({ line, place: 0, count: 0, isOdd: false, edits: null });
  }
  for (let next = waiting.take(); next; next = waiting.take()) {
    const { line, place, count, isOdd } = next;
    const operator = ranked[place]?.operator;
    if (!operator) continue;
    let { edits } = next;
    if (edits === null) {
      wait({ line, place: place + 1, count: 0, isOdd: false, edits: null });
      const made = operator.edits(line.view).map(each => ({
        each,
        oddness: oddnessIn(view, each),
      }));
      const withOddness = (wanted: string) =>
        made.filter(({ oddness }) => oddness === wanted).map(({ each }) => each);
      edits = withOddness('plain');
      wait({ line, place, count: 0, isOdd: true, edits: withOddness('odd') });
    }
    const edit = edits[count];
    if (!edit) {
      yield null;
      continue;
    }
    yield { operator: operator.name, edit };
    wait({ line, place, count: count + 1, isOdd, edits });
  }
}

/** The next edit of an operator on a line. */
interface Entry {
  readonly line: { readonly view: FunctionView; readonly weight: number };
  readonly place: number;
  readonly count: number;
  readonly isOdd: boolean;
  /** Null if they are not assembled yet. */
  readonly edits: readonly Replacement[] | null;
  readonly cost: number;
}

function byRow(nodes: readonly Node[]): Map<number, Node[]> {
  const rows = new Map<number, Node[]>();
  for (const node of nodes) {
    const { row } = node.startPosition;
    const group = rows.get(row);
    if (group) group.push(node);
    else rows.set(row, [node]);
  }
  return rows;
}

function oddnessIn(view: FunctionView, edit: Replacement): ReturnType<typeof oddnessOf> {
  const oddness = oddnessOf(view.code, edit, view.language);
  return oddness === 'plain' && isArbitraryBoundary(view, edit) ? 'odd' : oddness;
}

/** Numbers up to this one stand in most tests, so that this says little. */
const SMALL = 2;

/**
 * Whether an edit changes a boundary that the docstring, a comment or a failing test names, or makes it one that none of
 * them names and the function does not use: such edits often pass a test by chance, and are rarely meant.
 */
function isArbitraryBoundary(view: FunctionView, edit: Replacement): boolean {
  const { code, numbers } = view;
  const { start, end } = edit;
  const replaced = code.slice(start, end);
  const [old, text] = [withoutComparison(replaced), withoutComparison(edit.text)];
  if (!NUMBER.test(old) || !NUMBER.test(text.replace(/^-/, '')) || Number(old) <= SMALL) return false;
  if (old === replaced && !isBoundary(code, edit)) return false;
  const said = [...view.documented, ...view.failures.numbers];
  const mentioned = [...said, ...view.failures.otherNumbers, ...numbers];
  return said.includes(old) || (said.length > 0 && !mentioned.includes(text));
}

function withoutComparison(text: string): string {
  return text.replace(/^[<>]=?|[<>]=?$/g, '').trim();
}

/** How plausible an edit is to be meant. `null`: nobody writes that; edits that are odd come after plain ones. */
export function oddnessOf(
  code: string,
  { start, end, text }: Replacement,
  language: Language,
): 'plain' | 'odd' | null {
  const before = code.slice(Math.max(0, start - AROUND), start);
  const [old, after] = [code.slice(start, end), code.slice(end, end + AROUND)];
  if (comparesText(before, text, after) && !comparesText(before, old, after)) return null;
  if (TYPE_QUESTION.test(old) && !TYPE_QUESTION.test(text) && after.startsWith('(')) return null;
  if ((TYPE_TEST.test(old) || TRUTH_TEST.test(old)) && PRESENCE.test(text)) return null;
  if (IDENTITY.test(before) && old === 'None' && text !== 'None') return null;
  if (SHIFTED.test(`${text}${after}`) && !SHIFTED.test(`${old}${after}`)) return null;
  if (/^(?:self|this)$/.test(text) && CONDITION.test(before) && !/^\??[.([]/.test(after)) return null;
  // Such edits are rarely meant, but often pass a test by chance.
  const isOtherDivisor = NUMBER.test(text) && NUMBER.test(old) && DIVIDED.test(before);
  const losesTypeTest = TYPE_TEST.test(old) && /^[\w.]+$/.test(text);
  const isOrderOfUnknown =
    EQUALITY.test(old) && ORDER.test(text) && !/\d\s*$/.test(before) && !/^\s*-?\d/.test(after);
  // Of 136 fixes of Python packages, none reverses a comparison.
  const isReversed = language === 'python' && ORDER.test(old) && ORDER.test(text) && old[0] !== text[0];
  return isOtherDivisor || losesTypeTest || isOrderOfUnknown || isReversed ? 'odd' : 'plain';
}

/** How much code around an edit is looked at. */
const AROUND = 40;

const EQUALITY = /^[!=]==?$/;
const ORDER = /^[<>]=?$/;
const TYPE_QUESTION = /^(?:isinstance|issubclass)$/;
const TRUTH_TEST = /^(?:all|any|bool|Boolean)\(/;
const TYPE_TEST = /^(?:isinstance|issubclass|hasattr|callable|Array\.isArray)\(/;
const PRESENCE = /\) (?:is not None|!=+ (?:null|undefined))$/;
const IDENTITY = /\bis (?:not )?$/;
const CONDITION = /(?:\b(?:if|elif|while|and|or|not) |&& |\|\| |!|\bif \()$/;
/** `x + 5 < 60`: with another number it says the same. */
const SHIFTED = /^[^<>]*[^\s(,] [-+] \d[\d.]* [<>]=? -?\d/;
const NUMBER = /^\d[\d_.]*$/;
const DIVIDED = /[^/](?:\/\/?|%)=?\s*$/;

/** Whether a text literal gets compared with `<`, `<=`, `>` or `>=`. */
function comparesText(before: string, text: string, after: string): boolean {
  if (!ORDER.test(text)) return /\s[<>]=?\s+[rbfu]?["'`]|["'`]\s+[<>]=?\s/.test(text);
  return /^\s*[rbfu]?["'`]/.test(after) || /["'`]\s*$/.test(before);
}

/** Values in the order of their costs, and those of equal costs in the order in which they were added. */
interface Queue<Value> {
  add(value: Value): void;
  /** Removes and gives the first value. */
  take(): Value | undefined;
}

/** A binary heap: both take time logarithmic in the number of values, of which a long function has 100,000. */
export function createQueue<Value>(compare: (one: Value, other: Value) => number): Queue<Value> {
  const heap: { readonly value: Value; readonly number: number }[] = [];
  let count = 0;
  const isBefore = (index: number, other: number): boolean => {
    const [a, b] = [heap[index], heap[other]];
    if (!a || !b) return a !== undefined;
    return (compare(a.value, b.value) || a.number - b.number) < 0;
  };
  const swap = (index: number, other: number): void => {
    const [a, b] = [heap[index], heap[other]];
    if (a && b) [heap[index], heap[other]] = [b, a];
  };
  return {
    add(value) {
      let index = heap.push({ value, number: count++ }) - 1;
      for (let above = (index - 1) >> 1; index > 0 && isBefore(index, above); above = (index - 1) >> 1) {
        swap(index, above);
        index = above;
      }
    },
    take() {
      swap(0, heap.length - 1);
      const taken = heap.pop();
      for (let index = 0; ; ) {
        const [left, right] = [2 * index + 1, 2 * index + 2];
        const below = isBefore(right, left) ? right : left;
        if (!isBefore(below, index)) return taken?.value;
        swap(index, below);
        index = below;
      }
    },
  };
}

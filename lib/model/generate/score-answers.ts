import type { Logits, Sequence } from '../onnx/sequence.ts';
import { logLikelihoodOf, logSumExp } from './logits.ts';
import { sharedLength } from './prefixes.ts';

export interface ScoreInput {
  /** The prompt's keys and values; restored to the same length afterwards. */
  readonly prompt: Sequence;
  /** Logits of the prompt's last token. */
  readonly logits: Logits;
  /** The tokens of each answer, without an end token. */
  readonly answers: readonly (readonly number[])[];
  /** Tokens that end an answer; null if no end token is scored. */
  readonly endIds: ReadonlySet<number> | null;
  /** How many of the likeliest answers to score; all if omitted. */
  readonly limit?: number | undefined;
  readonly onInvalidLogits: (position: number) => Error;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The log probability of each answer, in order. Answers are the paths of a prefix tree; each pass follows
 * one branch. If only the likeliest answers are needed, the likeliest branch is followed first. An answer is
 * never likelier than its prefix, so scoring stops when no branch is likelier than the answers found; the
 * others get minus infinity.
 */
export async function scoreAnswers(
  input: ScoreInput,
): Promise<{ readonly logLikelihoods: readonly number[]; readonly newTokens: number }> {
  const { prompt, endIds, limit, signal } = input;
  const promptLength = prompt.ids.length;
  const root = treeOf(input.answers);
  const waiting = createQueue<Start>(({ branch }) => (limit === undefined ? 0 : branch.logLikelihood));
  const ended = createQueue<Branch>(branch => branch.ended);
  let newTokens = 0;

  const weigh = (branch: Branch, logits: Float32Array): void => {
    const total = logSumExp(logits);
    if (Number.isNaN(total)) throw input.onInvalidLogits(prompt.ids.length);
    for (const [id, child] of branch.children) {
      child.logLikelihood = branch.logLikelihood + (logits[id] ?? Number.NEGATIVE_INFINITY) - total;
    }
    if (!branch.isAnswer) return;
    branch.ended = branch.logLikelihood + (endIds === null ? 0 : logLikelihoodOf(endIds, logits, total));
    ended.add(branch);
    if (limit !== undefined && ended.size > limit) ended.takeLowest();
  };
  const leave = (branch: Branch, before: readonly number[], taken?: Branch): void => {
    for (const [id, child] of branch.children)
      if (child !== taken) waiting.add({ id, branch: child, before });
  };

  weigh(root, input.logits.row(0));
  leave(root, []);
  for (let start = waiting.takeHighest(); start !== undefined; start = waiting.takeHighest()) {
    signal?.throwIfAborted();
    if (ended.size === limit && start.branch.logLikelihood <= (ended.lowest?.ended ?? 0)) break;
    const { ids, branches } = downward(start);
    const done = sharedLength(prompt.ids.slice(promptLength), start.before);
    prompt.truncate(promptLength + done);
    const before = start.before.slice(done);
    const logits = await prompt.append([...before, ...ids], ids.length);
    newTokens += before.length + ids.length;
    branches.forEach((branch, index) => {
      weigh(branch, logits.row(index));
      leave(branch, [...start.before, ...ids.slice(0, index + 1)], branches[index + 1]);
    });
  }
  prompt.truncate(promptLength);
  const logLikelihoods = input.answers.map(ids => ids.reduce<Branch>(childOf, root).ended);
  return { logLikelihoods, newTokens };
}

/** What may follow a sequence of tokens. */
interface Branch {
  readonly children: Map<number, Branch>;
  /** Whether an answer may end here. */
  isAnswer: boolean;
  /** Log probability of the tokens that lead here. */
  logLikelihood: number;
  /** The same including an end token; minus infinity until known. */
  ended: number;
}

interface Start {
  readonly id: number;
  readonly branch: Branch;
  /** The answer's tokens up to `id`. */
  readonly before: readonly number[];
}

function treeOf(answers: readonly (readonly number[])[]): Branch {
  const root = newBranch();
  for (const ids of answers) {
    let branch = root;
    for (const id of ids) {
      const child = branch.children.get(id) ?? newBranch();
      branch.children.set(id, child);
      branch = child;
    }
    branch.isAnswer = true;
  }
  return root;
}

function newBranch(): Branch {
  return { children: new Map(), isAnswer: false, logLikelihood: 0, ended: Number.NEGATIVE_INFINITY };
}

function childOf(branch: Branch, id: number): Branch {
  const child = branch.children.get(id);
  if (child === undefined) throw new Error(`the tree has no branch ${id}`);
  return child;
}

/** From a branch down to a leaf, always by the first child. */
function downward({ id, branch }: Start): { ids: number[]; branches: Branch[] } {
  const ids = [id];
  const branches = [branch];
  for (let [next] = branch.children; next !== undefined; [next] = next[1].children) {
    ids.push(next[0]);
    branches.push(next[1]);
  }
  return { ids, branches };
}

interface Queue<Item> {
  readonly size: number;
  readonly lowest: Item | undefined;
  add(item: Item): void;
  takeHighest(): Item | undefined;
  takeLowest(): Item | undefined;
}

/** Priority queue, highest number first; among equals the item added last comes first. */
function createQueue<Item>(weightOf: (item: Item) => number): Queue<Item> {
  const items: { readonly item: Item; readonly weight: number }[] = [];
  return {
    get size() {
      return items.length;
    },
    get lowest() {
      return items[0]?.item;
    },
    add(item: Item) {
      const weight = weightOf(item);
      let from = 0;
      for (let to = items.length; from < to; ) {
        const middle = (from + to) >> 1;
        if ((items[middle]?.weight ?? 0) <= weight) from = middle + 1;
        else to = middle;
      }
      items.splice(from, 0, { item, weight });
    },
    takeHighest: () => items.pop()?.item,
    takeLowest: () => items.shift()?.item,
  };
}

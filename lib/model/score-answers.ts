import { logLikelihoodOf, logSumExp } from './log-softmax.ts';
import type { Logits, Sequence } from './sequence.ts';

export interface ScoreInput {
  /** Of the prompt; afterwards it is as long again. */
  readonly prompt: Sequence;
  /** Of the prompt's last token. */
  readonly logits: Logits;
  /** The tokens of each answer, without an end token. */
  readonly answers: readonly (readonly number[])[];
  /** An answer is over if any of these follows. */
  readonly endIds: ReadonlySet<number>;
  readonly onInvalidLogits: (position: number) => Error;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The natural logarithm of each answer's probability, in order. The answers are the leaves of a tree in which
 * common beginnings are one; each pass goes down one branch, so that no beginning is computed twice.
 */
export async function scoreAnswers(input: ScoreInput): Promise<readonly number[]> {
  const { prompt, endIds, signal } = input;
  const promptLength = prompt.ids.length;
  const root = treeOf(input.answers);

  const weigh = (branch: Branch, logits: Float32Array): void => {
    const total = logSumExp(logits);
    if (Number.isNaN(total)) throw input.onInvalidLogits(prompt.ids.length);
    branch.ended = branch.logLikelihood + logLikelihoodOf(endIds, logits, total);
    for (const [id, child] of branch.children) {
      child.logLikelihood = branch.logLikelihood + (logits[id] ?? Number.NEGATIVE_INFINITY) - total;
    }
  };

  weigh(root, input.logits.row(0));
  const waiting: Start[] = [];
  const leave = (branch: Branch, depth: number): void => {
    for (const [id, child] of branch.children) waiting.push({ id, branch: child, depth });
  };
  leave(root, 0);
  // The last that was put there comes first: what it needs of the sequence is still there.
  for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
    signal?.throwIfAborted();
    const { ids, branches } = downward(start);
    prompt.truncate(promptLength + start.depth);
    const logits = await prompt.append(ids, ids.length);
    branches.forEach((branch, index) => {
      weigh(branch, logits.row(index));
      const next = branches[index + 1];
      const others = new Map([...branch.children].filter(([, child]) => child !== next));
      leave({ ...branch, children: others }, start.depth + index + 1);
    });
  }
  prompt.truncate(promptLength);
  return input.answers.map(ids => ids.reduce<Branch>(childOf, root).ended);
}

/** What comes after some tokens. */
interface Branch {
  readonly children: Map<number, Branch>;
  /** Of the tokens that lead here. */
  logLikelihood: number;
  /** Of those and an end token. */
  ended: number;
}

interface Start {
  readonly id: number;
  readonly branch: Branch;
  /** Tokens of the answer before `id`. */
  readonly depth: number;
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
  }
  return root;
}

function newBranch(): Branch {
  return { children: new Map(), logLikelihood: 0, ended: 0 };
}

function childOf(branch: Branch, id: number): Branch {
  const child = branch.children.get(id);
  if (child === undefined) throw new Error(`the tree has no branch ${id}`);
  return child;
}

/** From a branch to a leaf, always by the first child. */
function downward({ id, branch }: Start): { ids: number[]; branches: Branch[] } {
  const ids = [id];
  const branches = [branch];
  for (let [next] = branch.children; next !== undefined; [next] = next[1].children) {
    ids.push(next[0]);
    branches.push(next[1]);
  }
  return { ids, branches };
}

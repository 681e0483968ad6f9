import type { Contract, ContractInput } from './contract.ts';
import type { Input } from './generate.ts';
import { observe } from './observe.ts';
import { type Outcome, sameOutcome } from './outcome.ts';

export interface Comparison {
  /** Inputs that the program was called with; fewer than the contract's if several calls did not end. */
  readonly tried: number;
  readonly different: number;
  /** The shortest input on which it does something else. */
  readonly first: { readonly input: Input; readonly expected: Outcome; readonly actual: Outcome } | null;
}

/** Runs a program on the inputs of a contract. It may take many more steps than the reference. */
export async function compareBehaviour(
  { inputs, outcomes, terms }: Contract,
  program: string,
  { parser, sandbox, task, signal }: Pick<ContractInput, 'parser' | 'sandbox' | 'task' | 'signal'>,
): Promise<Comparison> {
  const limits = outcomes.map(({ steps }) => Math.max(MIN_STEPS, STEPS_PER_STEP * steps));
  const found = await observe({ parser, sandbox, task, program, inputs, limits, budget: BUDGET, signal });
  const apart = found.flatMap((actual, index) => {
    const [input, expected] = [inputs[index], outcomes[index]];
    if (!input || !expected || sameOutcome(expected, actual, terms)) return [];
    return [{ input, expected, actual }];
  });
  const length = ({ input }: { readonly input: Input }) => JSON.stringify(input).length;
  const [first = null] = apart.toSorted((a, b) => length(a) - length(b));
  return { tried: found.length, different: apart.length, first };
}

const MIN_STEPS = 5_000;
const STEPS_PER_STEP = 10;
const BUDGET = 2_000_000;

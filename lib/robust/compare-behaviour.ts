import type { Input } from '../behaviour/generate.ts';
import { observe } from '../behaviour/observe.ts';
import { type Outcome, OVERRAN, sameOutcome } from '../behaviour/outcome.ts';
import type { Contract, ContractInput } from './contract.ts';

export interface Comparison {
  /** Inputs that the program was called with; fewer than the contract's if several calls did not end. */
  readonly tried: number;
  readonly different: number;
  /** The shortest input on which it does something else. */
  readonly first: { readonly input: Input; readonly expected: Outcome; readonly actual: Outcome } | null;
}

/**
 * Runs a program on the inputs of a contract. It may take many more steps than the reference. Of calls that take more,
 * one gets enough steps to tell a slow program from one that does not end; those of a slow one are left out.
 */
export async function compareBehaviour(
  { inputs, outcomes, terms }: Contract,
  program: string,
  { parser, sandbox, task, signal }: Pick<ContractInput, 'parser' | 'sandbox' | 'task' | 'signal'>,
): Promise<Comparison> {
  const shared = { parser, sandbox, task, program, signal };
  const limits = outcomes.map(({ steps }) => Math.max(MIN_STEPS, STEPS_PER_STEP * steps));
  const found = await observe({ ...shared, inputs, limits, budget: BUDGET });
  const pairs = found.flatMap((actual, index) => {
    const [input, expected] = [inputs[index], outcomes[index]];
    return input && expected ? [{ input, expected, actual }] : [];
  });
  const length = ({ input }: { readonly input: Input }) => JSON.stringify(input).length;
  const [overran] = pairs
    .filter(({ actual }) => actual.raised === OVERRAN)
    .toSorted((a, b) => length(a) - length(b));
  const isSlow = async ({ input, expected }: { readonly input: Input; readonly expected: Outcome }) => {
    const enough = { inputs: [input], limits: [ENOUGH_STEPS], budget: ENOUGH_STEPS };
    const [again] = await observe({ ...shared, ...enough });
    return again !== undefined && sameOutcome(expected, again, terms);
  };
  // A program that passes the tests ends; if no other call does, it is only very slow.
  const isEveryOverrun = pairs.every(({ actual }) => actual.raised === OVERRAN);
  const leavesOut = overran !== undefined && (isEveryOverrun || (await isSlow(overran)));
  const compared = pairs.filter(({ actual }) => !leavesOut || actual.raised !== OVERRAN);
  const apart = compared.filter(({ expected, actual }) => !sameOutcome(expected, actual, terms));
  const [first = null] = apart.toSorted((a, b) => length(a) - length(b));
  return { tried: compared.length, different: apart.length, first };
}

const MIN_STEPS = 5_000;
const STEPS_PER_STEP = 10;
const BUDGET = 2_000_000;
const ENOUGH_STEPS = 3_000_000;

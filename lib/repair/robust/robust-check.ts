import { HefixError } from '../../core/errors.ts';
import type { Sandbox } from '../../core/ports.ts';
import type { Robust } from '../../core/record.ts';
import type { Task } from '../../core/task.ts';
import { openParser } from '../../syntax/parser.ts';
import type { Input } from '../behaviour/generate.ts';
import { type Outcome, OVERRAN, observe, sameOutcome } from '../behaviour/outcome.ts';
import { shownCall, shownOutcome } from '../behaviour/shown.ts';
import { type Contract, type ContractInput, contractOf, type NoContract } from './contract.ts';

/** Compares candidates that passed with their tasks' references. */
export interface RobustCheck {
  /** The same task and candidate give the same result. Rejects with the signal's reason if aborted. */
  check(task: Task, candidate: string, signal?: AbortSignal): Promise<Robust>;
  close(): Promise<void>;
}

/** References that are kept, since samples of one task follow each other. */
const KEPT = 8;

/** @param openOther opens a sandbox whose Python has other hash seeds; called once, when it is needed */
export function createRobustCheck(
  sandbox: Pick<Sandbox, 'execute'>,
  openOther: () => Promise<Pick<Sandbox, 'execute' | 'close'>>,
): RobustCheck {
  const contracts = new Map<string, Promise<Contract | NoContract>>();
  let other: ReturnType<typeof openOther> | undefined;
  const contractFor = (task: Task, signal?: AbortSignal): Promise<Contract | NoContract> => {
    const cached = contracts.get(task.id);
    if (cached) return cached;
    const find = async () => {
      other ??= openOther();
      const [parser, otherSandbox] = await Promise.all([openParser(task.language), other]);
      return await contractOf({ parser, sandbox, otherSandbox, task, signal });
    };
    const pending = find();
    contracts.set(task.id, pending);
    pending.catch(() => contracts.delete(task.id));
    const [oldest] = contracts.keys();
    if (contracts.size > KEPT && oldest !== undefined) contracts.delete(oldest);
    return pending;
  };
  return {
    async check(task, candidate, signal) {
      try {
        const contract = await contractFor(task, signal);
        if ('reason' in contract) return { tried: 0, different: 0, unchecked: contract.reason };
        const parser = await openParser(task.language);
        return robustOf(task, await compareBehaviour(contract, candidate, { parser, sandbox, task, signal }));
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof HefixError)) throw error;
        return { tried: 0, different: 0, unchecked: error.message };
      }
    },
    async close() {
      await (await other)?.close();
    },
  };
}

function robustOf(
  { entryPoint, language }: Task,
  { tried, different, first }: Awaited<ReturnType<typeof compareBehaviour>>,
): Robust {
  if (tried === 0) return { tried, different, unchecked: 'it takes too many steps' };
  if (first === null) return { tried, different };
  return {
    tried,
    different,
    first: {
      call: shownCall(entryPoint, first.input, language),
      expected: shownOutcome(first.expected, language),
      actual: shownOutcome(first.actual, language),
    },
  };
}

interface Comparison {
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
async function compareBehaviour(
  { inputs, outcomes, terms }: Contract,
  program: string,
  { parser, sandbox, task, signal }: Pick<ContractInput, 'parser' | 'sandbox' | 'task' | 'signal'>,
): Promise<Comparison> {
  const shared = { parser, sandbox, task, program, signal };
  const limits = outcomes.map(({ steps }) => Math.max(MIN_STEPS, STEPS_PER_STEP * steps));
  const actualOutcomes = await observe({ ...shared, inputs, limits, budget: BUDGET });
  const pairs = actualOutcomes.flatMap((actual, index) => {
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

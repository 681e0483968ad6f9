import { shownCall, shownOutcome } from '../behaviour/shown.ts';
import { HefixError } from '../core/errors.ts';
import type { Sandbox } from '../core/ports.ts';
import type { Robust } from '../core/robust.ts';
import type { Task } from '../core/task.ts';
import { openParser } from '../syntax/parser.ts';
import { compareBehaviour } from './compare-behaviour.ts';
import { type Contract, contractOf, type NoContract } from './contract.ts';

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
    const known = contracts.get(task.id);
    if (known) return known;
    const find = async () => {
      other ??= openOther();
      const [parser, otherSandbox] = await Promise.all([openParser(task.language), other]);
      return await contractOf({ parser, sandbox, otherSandbox, task, signal });
    };
    const found = find();
    contracts.set(task.id, found);
    found.catch(() => contracts.delete(task.id));
    const [oldest] = contracts.keys();
    if (contracts.size > KEPT && oldest !== undefined) contracts.delete(oldest);
    return found;
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

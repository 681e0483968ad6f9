import { closingAll } from '../../core/async.ts';
import type { Attempt } from '../../core/attempt.ts';
import type { AgentName } from '../../core/choices.ts';
import type { JudgeKind, Sandbox, TextModel } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import type { IsolationLevel, Verdict } from '../../core/verdict.ts';
import { readProgram } from '../../fix/function/program.ts';
import { repairProgram } from '../../fix/function/repair-program.ts';
import { parseRunOptions } from '../../options/tables/run-options.ts';
import { repairTask } from '../../repair/repair-task.ts';
import { createSandbox, loadModel } from './models-and-sandboxes.ts';
import { repairOptions } from './run-parts.ts';

export interface RepairInput {
  /** The program that contains the broken function. */
  readonly code: string;
  /** Assertions that call its functions, or a function `check(candidate)`. */
  readonly tests: string;
  /**
   * The broken function; by default, the functions that the tests use are tried, then those that they call.
   */
  readonly entryPoint?: string;
  /** Detected from the code by default. */
  readonly language?: Language;
  /** Defaults to the bundled model. A model that is passed in stays open. */
  readonly model?: TextModel;
  /** Defaults to a sandbox with the strongest isolation that works here. One that is passed in stays open. */
  readonly sandbox?: Sandbox;
  /** Defaults to `reflect`. */
  readonly agent?: AgentName;
  /** Repair iterations after the first candidate of each function; defaults to the agent's own number. */
  readonly iters?: number;
  /** Defaults to 0: the same input gives the same result. */
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

export interface Repaired {
  readonly outcome: 'repaired' | 'not-repaired' | 'nothing-to-repair';
  /** The program, repaired or unchanged. */
  readonly code: string;
  /** Unified diff; empty if nothing changed. */
  readonly diff: string;
  /**
   * Verdict of `code` if it was repaired or needed no repair, otherwise of the candidate that passes most assertions, or of
   * the last one.
   */
  readonly verdict: Verdict;
  /** How the verdict was reached: a pass that is `isolated` could be forged. */
  readonly judge: JudgeKind;
  readonly attempts: readonly Attempt[];
  readonly isolation: IsolationLevel;
}

/**
 * Repairs a broken function by its tests. Where `judge` is `proven`, the process that ran the tests never ran the code.
 *
 * ```ts
 * import { repair } from 'hefix';
 *
 * const { outcome, code, diff } = await repair({
 *   code: 'def area(width, height):\n    return width + height\n',
 *   tests: 'assert area(2, 3) == 6\nassert area(1, 5) == 5\n',
 * });
 * console.log(outcome, code, diff);
 * ```
 *
 * @throws HefixError `CODE_WITHOUT_FUNCTION`, `ENTRY_POINT_UNKNOWN`, `TESTS_INVALID`, and those of model and sandbox;
 * rejects with the signal's reason if aborted.
 */
export async function repair(input: RepairInput): Promise<Repaired> {
  const { agent, iters, seed = 0, signal = new AbortController().signal } = input;
  const program = await readProgram(input);
  const options = parseRunOptions({ ...(agent && { agent }), ...(iters !== undefined && { iters }) });
  return await closingAll(
    async opened => {
      const sandbox = input.sandbox ?? opened(await createSandbox({ language: program.language }));
      const {
        execution,
        path: _,
        ...repaired
      } = await repairProgram(program, {
        sandbox,
        signal,
        openModel: async () => input.model ?? opened(await loadModel()),
        repairTask: taskInput => repairTask({ ...taskInput, options: { ...repairOptions(options), seed } }),
      });
      const { verdict, judge = 'proven', isolation } = execution;
      return { ...repaired, verdict, judge, isolation };
    },
    () => {},
  );
}

import { repairTask } from '../agent/repair-task.ts';
import { repairOptions } from '../commands/run-parts.ts';
import type { Attempt } from '../core/attempt.ts';
import type { AgentName } from '../core/choices.ts';
import { closingAll } from '../core/close-all.ts';
import { HefixError } from '../core/errors.ts';
import type { Sandbox, TextModel } from '../core/ports.ts';
import { unifiedDiff } from '../core/record.ts';
import type { Language } from '../core/task.ts';
import type { IsolationLevel, Verdict } from '../core/verdict.ts';
import { parseRunOptions } from '../options/run-options.ts';
import { type CodeTask, type Program, readProgram } from './code-task.ts';
import { createSandbox } from './create-sandbox.ts';
import { loadModel } from './load-model.ts';

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
  /** Verdict of `code` if it was repaired or needed no repair, otherwise of the last candidate. */
  readonly verdict: Verdict;
  readonly attempts: readonly Attempt[];
  readonly isolation: IsolationLevel;
}

/**
 * Repairs a broken function by its tests. A pass is proven: the process that runs the tests never runs the code.
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
  const program = await readProgram(input.code, input.tests, input);
  return await closingAll(async opened => {
    const sandbox = input.sandbox ?? opened(await createSandbox({ language: program.language }));
    const before = await judged(program, sandbox, input.signal);
    const unchanged = { code: program.code, diff: '', isolation: sandbox.isolation };
    if (before.kind === 'passed') {
      return { ...unchanged, outcome: 'nothing-to-repair', verdict: before, attempts: [] };
    }
    const model = input.model ?? opened(await loadModel());
    return { ...unchanged, ...(await tryFunctions(input, program, { model, sandbox, before })) };
  }, noWarning);
}

type Found = Omit<Repaired, 'code' | 'diff' | 'isolation'> & Partial<Repaired>;

async function tryFunctions(
  { agent, iters, seed = 0, signal }: RepairInput,
  program: Program,
  { model, sandbox, before }: { model: TextModel; sandbox: Sandbox; before: Verdict },
): Promise<Found> {
  const options = repairOptions(
    parseRunOptions({ ...(agent && { agent }), ...(iters !== undefined && { iters }) }),
  );
  const attempts: Attempt[] = [];
  for (const one of program.functions) {
    const { task, codeWith } = one;
    const found = await repairTask({
      task,
      model,
      sandbox: testing(sandbox, program, one),
      options: { ...options, seed },
      ...(signal && { signal }),
    });
    attempts.push(...found.attempts);
    if (found.cause) throw new HefixError(found.cause.code, found.cause.message, TRY_AGAIN);
    const candidate = found.score?.candidate ?? found.attempts.at(-1)?.candidate;
    if (found.state !== 'solved' || candidate == null) continue;
    const code = codeWith(candidate);
    if (code === null) continue;
    // The returned program is judged, not only the candidate.
    const verdict = await judged({ ...program, code }, sandbox, signal);
    if (verdict.kind !== 'passed') continue;
    const diff = code === program.code ? '' : unifiedDiff(program.code, code, ['before', 'after']);
    return { outcome: 'repaired', code, diff, verdict, attempts };
  }
  const last = attempts.findLast(({ verdict }) => verdict !== null)?.verdict ?? before;
  return { outcome: 'not-repaired', verdict: last, attempts };
}

const TRY_AGAIN = 'Run hefix doctor to check this system.';

async function judged(
  { language, code, tests, names }: Pick<Program, 'language' | 'code' | 'tests' | 'names'>,
  sandbox: Sandbox,
  signal?: AbortSignal,
): Promise<Verdict> {
  const request = { language, candidate: code, tests, entryPoint: names };
  return (await sandbox.execute(request, signal)).verdict;
}

/**
 * Judges the whole program with a candidate's function in it: the tests may use several functions, but a task
 * names only one.
 */
function testing(sandbox: Sandbox, { names }: Program, { task, codeWith }: CodeTask): Sandbox {
  return {
    isolation: sandbox.isolation,
    runtime: sandbox.runtime,
    checkSyntax: (...given) => sandbox.checkSyntax(...given),
    execute(request, signal) {
      if (request.tests !== task.tests) return sandbox.execute(request, signal);
      const { declaration: _, ...judged } = request;
      const candidate = codeWith(request.candidate) ?? request.candidate;
      return sandbox.execute({ ...judged, candidate, entryPoint: names }, signal);
    },
    close: async () => {},
  };
}

function noWarning(): void {}

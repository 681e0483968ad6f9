import { indexToImprove } from '../../../machines/verdicts.ts';
import { signalWithin } from '../../core/async.ts';
import type { Attempt, TaskOutcome } from '../../core/attempt.ts';
import type { Execution, Sandbox, TextModel } from '../../core/ports.ts';
import { unifiedDiff } from '../../core/record.ts';
import type { Task } from '../../core/task.ts';
import { repairBroke } from '../errors.ts';
import type { CodeTask } from './code-task.ts';
import type { Program } from './program.ts';
import { type ProgramQuestion, programQuestion } from './program-question.ts';

export interface RepairProgramParts {
  readonly sandbox: Sandbox;
  /** Opened once there is something to repair. */
  readonly openModel: () => Promise<TextModel>;
  /** Repairs one task with the agent. */
  readonly repairTask: (input: RepairTaskInput) => Promise<TaskOutcome>;
  readonly signal: AbortSignal;
  /** Seconds to look for a call on which other repairs differ; by default 0, which looks for none. */
  readonly questionSeconds?: number;
  /** Called with each attempt once it has its verdict. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

export interface RepairTaskInput {
  readonly task: Task;
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly onAttempt: (attempt: Attempt) => void;
}

export interface RepairedProgram {
  readonly outcome: 'repaired' | 'not-repaired' | 'nothing-to-repair';
  /** The program, repaired or unchanged, with the line endings that were given. */
  readonly code: string;
  /** Unified diff; empty if nothing changed. */
  readonly diff: string;
  /**
   * That of `code` if it was repaired or needed no repair, otherwise of the candidate that passes most assertions, or of
   * the last one.
   */
  readonly execution: Execution;
  readonly attempts: readonly Attempt[];
  /** A call on which other repairs differ that pass as well; null if none was looked for, or found. */
  readonly question: ProgramQuestion | null;
  /** States of the machine, one function after another. */
  readonly path: readonly string[];
}

/**
 * Repairs a program by its tests: its functions are tried one after another, and the whole program is judged with each
 * candidate in its place. Rejects with the signal's reason if aborted.
 * @throws HefixError if the model or the sandbox failed
 */
export async function repairProgram(program: Program, parts: RepairProgramParts): Promise<RepairedProgram> {
  const { sandbox, signal, onAttempt = () => {} } = parts;
  const before = await judged(program, program.code, parts);
  const unchanged = { code: program.asGiven(program.code), diff: '', question: null };
  if (before.verdict.kind === 'passed') {
    return { ...unchanged, outcome: 'nothing-to-repair', execution: before, attempts: [], path: [] };
  }
  const model = await parts.openModel();
  const attempts: Attempt[] = [];
  const path: string[] = [];
  for (const one of program.functions) {
    const outcome = await parts.repairTask({
      ...{ task: one.task, model, signal, onAttempt },
      sandbox: testing(sandbox, program, one),
    });
    attempts.push(...outcome.attempts);
    path.push(...outcome.path);
    if (outcome.cause) throw repairBroke(outcome.cause);
    const candidate = outcome.score?.candidate ?? outcome.attempts.at(-1)?.candidate;
    const code = outcome.state === 'solved' && candidate != null ? one.codeWith(candidate) : null;
    if (code === null) continue;
    // The returned program is judged, not only the candidate.
    const execution = await judged(program, code, parts);
    if (execution.verdict.kind !== 'passed') continue;
    const [original, fixed] = [unchanged.code, program.asGiven(code)];
    const diff = fixed === original ? '' : unifiedDiff(original, fixed, ['before', 'after']);
    const question = await questionAfter(program, one, code, parts);
    return { outcome: 'repaired', code: fixed, diff, execution, attempts, question, path };
  }
  const judgedAttempts = attempts.filter(attempt => attempt.verdict !== null);
  const closest = judgedAttempts[indexToImprove(judgedAttempts)];
  const { verdict, counts } = closest ?? before;
  const execution = { ...before, verdict: verdict ?? before.verdict, ...(counts && { counts }) };
  return { ...unchanged, outcome: 'not-repaired', execution, attempts, path };
}

/** The repair does not depend on it: if it fails or takes too long, there is none. */
async function questionAfter(
  program: Program,
  one: CodeTask,
  code: string,
  parts: RepairProgramParts,
): Promise<ProgramQuestion | null> {
  const { questionSeconds: seconds = 0, sandbox, signal } = parts;
  if (seconds === 0) return null;
  const limited = signalWithin(seconds, signal);
  const within = { ...parts, signal: limited.signal };
  const passes = async (other: string) => (await judged(program, other, within)).verdict.kind === 'passed';
  try {
    return await programQuestion(program, one, code, { sandbox, signal: limited.signal, passes });
  } catch {
    signal.throwIfAborted();
    return null;
  } finally {
    limited.release();
  }
}

async function judged(
  { language, tests, names, declaration }: Program,
  candidate: string,
  { sandbox, signal }: RepairProgramParts,
): Promise<Execution> {
  return await sandbox.execute(
    { language, candidate, tests, entryPoint: names, ...(declaration && { declaration }) },
    signal,
  );
}

/**
 * Judges the whole program with a candidate's function in it: the tests may use several functions, but a task
 * names only one.
 */
function testing(sandbox: Sandbox, { names, declaration }: Program, { task, codeWith }: CodeTask): Sandbox {
  return {
    isolation: sandbox.isolation,
    runtime: sandbox.runtime,
    checkSyntax: (...parameters) => sandbox.checkSyntax(...parameters),
    execute(request, signal) {
      if (request.tests !== task.tests) return sandbox.execute(request, signal);
      const { declaration: _, reference, ...judged } = request;
      const whole = (part: string) => codeWith(part) ?? part;
      return sandbox.execute(
        {
          ...{ ...judged, entryPoint: names, candidate: whole(request.candidate) },
          ...(declaration && { declaration }),
          reference: reference && whole(reference),
        },
        signal,
      );
    },
    close: async () => {},
  };
}

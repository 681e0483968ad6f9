import type { ExecuteInput, Judgement } from '../../../machines/actors.ts';
import type { ExecuteRequest, Execution, Sandbox } from '../../core/ports.ts';
import { referenceOf } from '../../core/task.ts';

/** Judges a candidate with tests in the sandbox; see `ExecuteRequest` for seed and counts. */
export async function judge(
  sandbox: Pick<Sandbox, 'execute'>,
  { task, candidate, suite }: ExecuteInput,
  settings: Pick<ExecuteRequest, 'seed' | 'judge' | 'counts'>,
  signal: AbortSignal,
): Promise<Judgement> {
  const { language, entryPoint, declaration } = task;
  const tests = suite === 'tests' ? task.tests : task.exampleTests;
  const reference = referenceOf(task);
  const request = { language, candidate, tests, entryPoint, declaration, reference, ...settings };
  return judgementOf(await sandbox.execute(request, signal));
}

/** The part of an execution that an attempt records. */
export function judgementOf(execution: Execution): Judgement {
  const { verdict, seconds, stdout, stderr, exitCode, judge, counts } = execution;
  const hasOutput = stdout !== '' || stderr !== '' || exitCode !== null;
  return {
    verdict,
    seconds,
    ...(counts && { counts }),
    ...(hasOutput && { output: { stdout, stderr, exit_code: exitCode } }),
    ...(judge !== undefined && judge !== 'proven' && { judge }),
  };
}

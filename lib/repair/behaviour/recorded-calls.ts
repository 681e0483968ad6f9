import type { Sandbox } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { withoutRepeats } from '../../core/without-repeats.ts';
import type { Input } from './generate.ts';
import { recordingProgram } from './observed-program.ts';
import { isOpaque, isValue } from './value.ts';

/** The arguments of the calls that suites of tests make, judged with a program. */
export async function recordedCalls(
  sandbox: Pick<Sandbox, 'execute'>,
  task: Pick<Task, 'language' | 'entryPoint' | 'declaration'>,
  program: string,
  suites: readonly string[],
  signal?: AbortSignal,
): Promise<Input[]> {
  const { language, entryPoint, declaration } = task;
  const candidate = recordingProgram(task, program);
  const calls: Input[] = [];
  for (const suite of suites) {
    const request = { language, candidate, tests: suite, entryPoint, declaration };
    const { stdout } = await sandbox.execute(request, signal);
    calls.push(...callsIn(stdout));
  }
  return withoutRepeats(calls);
}

/** The different calls in the output of a program that records them, as far as their arguments are plain data. */
export function callsIn(output: string): Input[] {
  return withoutRepeats(
    [...output.matchAll(/^@call (\[.*\])$/gm)].flatMap(([, text = '']) => readCall(text)),
  );
}

function readCall(text: string): Input[] {
  try {
    const call: unknown = JSON.parse(text);
    return Array.isArray(call) && call.every(part => isValue(part) && !isOpaque(part)) ? [call] : [];
  } catch {
    return [];
  }
}

import { sumOf } from '../core/numbers.ts';
import type { Sandbox } from '../core/ports.ts';
import type { Task } from '../core/task.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { type ObservedCalls, observedProgram } from './observed-program.ts';
import { ENDED, type Outcome, OVERRAN, readOutcome } from './outcome.ts';

export interface ObserveInput extends ObservedCalls {
  readonly parser: SyntaxParser;
  readonly sandbox: Pick<Sandbox, 'execute'>;
  readonly task: Pick<Task, 'language' | 'entryPoint'>;
  readonly program: string;
  readonly signal?: AbortSignal | undefined;
}

/** Executions that a call ends, or that take too long, before the rest is left out. */
const PATIENCE = 3;

/**
 * What a program does on each input, in order, as plain data: the process that compares runs none of it. An execution
 * ends with the limit of its output or a call that ends the process, and another one continues. Shorter than the
 * inputs if the budget is spent, or several calls do not end.
 */
export async function observe({ inputs, ...given }: ObserveInput): Promise<Outcome[]> {
  const { parser, sandbox, task, program, limits, signal } = given;
  const { language, entryPoint } = task;
  const outcomes: Outcome[] = [];
  let ended = 0;
  while (outcomes.length < inputs.length && ended < PATIENCE) {
    const first = outcomes.length;
    const budget = given.budget - sumOf(outcomes, ({ steps }) => steps);
    if (budget < 0) break;
    const [from, to] = [first, first + AT_ONCE];
    const { seconds } = given;
    const calls = { inputs: inputs.slice(from, to), limits: limits.slice(from, to), budget, seconds };
    const request = observedProgram(parser, entryPoint, program, calls, first);
    const { stdout, verdict, droppedBytes } = await sandbox.execute({ language, ...request }, signal);
    const found = linesOf(stdout, first);
    outcomes.push(...found);
    if (verdict.kind === 'passed' && found.length === 0) break;
    if (verdict.kind === 'passed' || (droppedBytes > 0 && found.length > 0)) continue;
    ended++;
    outcomes.push({ raised: verdict.kind === 'timeout' ? OVERRAN : ENDED, steps: 0 });
  }
  return outcomes.slice(0, inputs.length);
}

/** Maximum number of inputs of an execution; its output holds the results of no more. */
const AT_ONCE = 1000;

/** The outcomes from `first` on without a gap. */
function linesOf(stdout: string, first: number): Outcome[] {
  const found: Outcome[] = [];
  for (const [, number, text = ''] of stdout.matchAll(/^@(\d+) (\{.*\})$/gm)) {
    const outcome = Number(number) === first + found.length ? readOutcome(text) : null;
    if (outcome !== null) found.push(outcome);
  }
  return found;
}

import type { CompareInput, Comparison } from '../../../machines/actors.ts';
import { derivedSeed } from '../../core/random.ts';
import { declaredTypes, generateInputs } from '../behaviour/generate.ts';
import { alikeProgram, isObserved } from '../behaviour/observed-program.ts';
import { recordedCalls } from '../behaviour/recorded-calls.ts';
import { createSearchClock } from '../enumerate/search-clock.ts';
import { knownChecks } from '../examples/examples.ts';
import type { ActorParts } from './actor-parts.ts';

const MAX_INPUTS = 200;
const [STEPS_OF_CALL, STEPS] = [5_000, 50_000];

/**
 * Which candidates do the same as the buggy program, or as an attempt that failed, with inputs that resemble those of
 * the known checks. Python and JavaScript; in other languages none does.
 */
export async function compared(
  { parser, sandbox, options }: Pick<ActorParts, 'parser' | 'sandbox' | 'options'>,
  { task, attempts, candidates, time }: CompareInput,
  signal: AbortSignal,
): Promise<Comparison> {
  const clock = createSearchClock(time);
  const none = () => ({ alike: candidates.map(() => false), time: clock.time() });
  if (!isObserved(task.language)) return none();
  const { feedback, examples = true } = options;
  const checks = await knownChecks(parser, task, attempts, { feedback, examples });
  const tests = checks.map(({ code }) => `${code}\n`).join('');
  const calls = await recordedCalls(sandbox, task, task.buggy, [tests], signal);
  const declared = declaredTypes(parser, task.buggy, task.entryPoint, task.docstring);
  const seed = derivedSeed('inputs', task.id);
  const inputs = [...calls, ...generateInputs(calls, { limit: MAX_INPUTS, seed, declared })];
  if (inputs.length === calls.length) return none();
  const failed = [task.buggy, ...attempts.flatMap(({ candidate }) => candidate ?? [])];
  const programs = candidates.map(({ code }) => code ?? '');
  const observation = { inputs, limits: inputs.map(() => STEPS_OF_CALL), budget: STEPS };
  const request = alikeProgram(parser, task.entryPoint, { failed, programs }, observation);
  const { stdout, seconds } = await sandbox.execute({ language: task.language, ...request }, signal);
  clock.spend(seconds);
  const alikeNumbers = new Set([...stdout.matchAll(/^@(\d+)$/gm)].map(([, number]) => Number(number)));
  return { alike: candidates.map((_, index) => alikeNumbers.has(index)), time: clock.time() };
}

import type { Attempt } from '../../core/attempt.ts';
import type { Sandbox } from '../../core/ports.ts';
import { derivedSeed } from '../../core/random.ts';
import type { Agreeing } from '../../core/record.ts';
import type { Task } from '../../core/task.ts';
import { openParser } from '../../syntax/parser.ts';
import { declaredTypes, generateInputs } from '../behaviour/generate.ts';
import { isObserved } from '../behaviour/observed-program.ts';
import { observe } from '../behaviour/outcome.ts';
import { behavioursOf } from '../behaviour/question.ts';
import { recordedCalls } from '../behaviour/recorded-calls.ts';
import { createSearchClock } from '../enumerate/search-clock.ts';
import { knownChecks } from '../examples/examples.ts';
import { prescreenPrograms } from '../screen/screen.ts';

export interface AgreeingInput {
  readonly task: Task;
  /** The final answer. */
  readonly program: string;
  readonly attempts: readonly Attempt[];
  /** Candidates that may agree as well, the likeliest first. */
  readonly others: readonly string[];
  readonly sandbox: Pick<Sandbox, 'execute'>;
  readonly signal?: AbortSignal | undefined;
}

const [MAX_PROGRAMS, MAX_INPUTS] = [12, 200];
/** Of processor time, for running the examples. */
const SECONDS = 1;
const [STEPS_OF_CALL, STEPS] = [5_000, 100_000];

/**
 * How many of the candidates agree with the examples, and how many behaviours they have on inputs that resemble those
 * of the examples. The hidden tests are not used. Undefined for other languages than Python and JavaScript, without
 * examples or such inputs, and if the program does not agree itself.
 */
export async function agreeingPrograms(input: AgreeingInput): Promise<Agreeing | undefined> {
  const { task, program, attempts, others, sandbox, signal } = input;
  if (!isObserved(task.language)) return undefined;
  const parser = await openParser(task.language);
  const checks = await knownChecks(parser, task, attempts, { feedback: 'examples', examples: true });
  if (checks.length === 0) return undefined;
  const tests = checks.map(({ code }) => `${code}\n`).join('');
  const candidates = [...new Set([program, ...others])];
  const clock = createSearchClock(SECONDS);
  const screening = { clock, signal, allWithin: SECONDS };
  const trials = await prescreenPrograms(parser, sandbox, task, candidates, tests, screening);
  if (trials[0]?.outcome !== 'passed') return undefined;
  const agreeing = candidates
    .filter((_, index) => trials[index]?.outcome === 'passed')
    .slice(0, MAX_PROGRAMS);
  const calls = await recordedCalls(sandbox, task, program, [tests], signal);
  const seed = derivedSeed('inputs', task.id);
  const declared = declaredTypes(parser, program, task.entryPoint, task.docstring);
  const inputs = generateInputs(calls, { limit: MAX_INPUTS, seed, declared });
  if (inputs.length === 0) return undefined;
  const limits = inputs.map(() => STEPS_OF_CALL);
  const shared = { parser, sandbox, task, inputs, limits, budget: STEPS, signal };
  const outcomes = await Promise.all(agreeing.map(each => observe({ ...shared, program: each })));
  return {
    programs: agreeing.length,
    behaviours: behavioursOf({ inputs, outcomes }, task.language).length,
  };
}

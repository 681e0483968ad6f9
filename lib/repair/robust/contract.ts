import type { Sandbox } from '../../core/ports.ts';
import { derivedSeed } from '../../core/random.ts';
import type { Task } from '../../core/task.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { declaredTypes, generateInputs, type Input } from '../behaviour/generate.ts';
import { isObserved } from '../behaviour/observed-program.ts';
import { type Outcome, observe, sameOutcome, saysNothing, type Terms } from '../behaviour/outcome.ts';
import { recordedCalls } from '../behaviour/recorded-calls.ts';
import { isOpaque } from '../behaviour/value.ts';
import { suitesWithCalls } from '../examples/examples.ts';

/** What a task's reference does on inputs that its tests do not try. */
export interface Contract {
  readonly inputs: readonly Input[];
  /** Of the reference, for each input. */
  readonly outcomes: readonly Outcome[];
  readonly terms: Terms;
}

/** Why a task has no contract; a phrase to show. */
export interface NoContract {
  readonly reason: string;
}

export interface ContractInput {
  readonly parser: SyntaxParser;
  readonly sandbox: Pick<Sandbox, 'execute'>;
  /** Another sandbox with other hash seeds, which tells whether results depend on them. */
  readonly otherSandbox: Pick<Sandbox, 'execute'>;
  readonly task: Task;
  readonly signal?: AbortSignal | undefined;
  /** The most inputs; 1,000 by default. */
  readonly limit?: number;
}

/** Steps that the reference may take for a call of the tests, a generated input, and all of these. */
const MAX_STEPS_OF_CALL = 50_000;
const [MIN_STEPS, MAX_STEPS] = [1_000, 20_000];
const BUDGET = 300_000;
/** Of processor time for one call, such as a power of large numbers. */
const MAX_SECONDS = 0.25;

/**
 * Runs the reference on generated inputs. Inputs on which it raises, takes long, or returns nothing where no test's
 * call does, are outside of what the task specifies and are dropped. A function whose results vary has no contract.
 */
export async function contractOf(input: ContractInput): Promise<Contract | NoContract> {
  const { parser, sandbox, otherSandbox, task, signal, limit = 1000 } = input;
  if (!isObserved(task.language)) return { reason: `values of ${task.language} cannot be compared` };
  if (task.canonical === '') return { reason: 'there is no reference' };
  const calls = await recordedCalls(
    sandbox,
    task,
    task.canonical,
    await suitesWithCalls(parser, task),
    signal,
  );
  if (calls.length === 0) return { reason: 'the tests make no call with plain data' };
  const terms = { language: task.language, tolerance: toleranceOf(task.tests) };
  const declared = declaredTypes(parser, task.canonical, task.entryPoint, task.docstring);
  const generated = generateInputs(calls, { limit, seed: derivedSeed('inputs', task.id), declared });
  const run = (inputs: readonly Input[], maxSteps: number, budget: number, within = sandbox) => {
    const limits = inputs.map(() => maxSteps);
    return observe({
      parser,
      sandbox: within,
      task,
      program: task.canonical,
      inputs,
      limits,
      budget,
      // What ends in this time once ends in the longer one of later runs.
      seconds: inputs === generated ? MAX_SECONDS : undefined,
      signal,
    });
  };
  const recorded = await run(calls, MAX_STEPS_OF_CALL, BUDGET);
  const slowest = recorded.reduce((max, { steps }) => Math.max(max, steps), 0);
  const maxSteps = Math.min(MAX_STEPS, Math.max(MIN_STEPS, 4 * slowest));
  const answersNothing = recorded.some(isNothing);
  const generatedOutcomes = await run(generated, maxSteps, BUDGET);
  const usable = generatedOutcomes.flatMap((outcome, index) => {
    const input = generated[index];
    if (input === undefined || outcome.value === undefined) return [];
    if (isOpaque(outcome.value) || (outcome.changed ?? []).some(isOpaque)) return [];
    return isNothing(outcome) && !answersNothing ? [] : [{ input, outcome }];
  });
  if (usable.length === 0) return { reason: 'it returns plain data for no generated input' };
  // In another order, process and time, with other hashes, so that results that depend on more than the input differ.
  const reversed = usable.toReversed();
  const again = await run(
    reversed.map(({ input }) => input),
    maxSteps,
    2 * BUDGET,
    otherSandbox,
  );
  const varies = reversed.some(({ outcome }, index) => {
    const other = again[index];
    return other === undefined || !sameOutcome(outcome, other, terms);
  });
  if (varies) return { reason: 'its results vary' };
  return { inputs: usable.map(({ input }) => input), outcomes: usable.map(({ outcome }) => outcome), terms };
}

function isNothing({ value }: Outcome): boolean {
  return value !== undefined && saysNothing(value);
}

/** The largest tolerance with which the tests compare numbers; 0 if they compare exactly. */
function toleranceOf(tests: string): number {
  if (/\bapprox\(|\bisclose\(|AlmostEqual\(|toBeCloseTo\(/.test(tests)) return APPROXIMATE;
  const tolerances = [...tests.matchAll(/<=?\s*(?:1\s*\/\s*(\d+)|(\d*\.?\d+(?:e-?\d+)?))/gi)].map(
    ([, divisor, text]) => (divisor === undefined ? Number(text) : 1 / Number(divisor)),
  );
  const small = tolerances.filter(tolerance => tolerance > 0 && tolerance <= 0.1);
  return /\babs\(/.test(tests) ? Math.max(0, ...small) : 0;
}

/** What pytest and unittest grant, roughly. */
const APPROXIMATE = 1e-6;

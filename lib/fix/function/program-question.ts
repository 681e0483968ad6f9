import { isPassing } from '../../../machines/pool.ts';
import type { Sandbox } from '../../core/ports.ts';
import { derivedSeed } from '../../core/random.ts';
import { unifiedDiff } from '../../core/record.ts';
import { isObserved } from '../../repair/behaviour/observed-program.ts';
import { observe, sameOutcome } from '../../repair/behaviour/outcome.ts';
import { questionAbout } from '../../repair/behaviour/question.ts';
import { recordedCalls } from '../../repair/behaviour/recorded-calls.ts';
import { singleEdits } from '../../repair/candidates.ts';
import { collected, createSearchClock } from '../../repair/enumerate/search-clock.ts';
import { suitesWithCalls } from '../../repair/examples/examples.ts';
import { prescreenPrograms } from '../../repair/screen/screen.ts';
import { openParser } from '../../syntax/parser.ts';
import { comparedInputs } from '../question/compared-inputs.ts';
import { testText } from '../question/test-text.ts';
import type { CodeTask } from './code-task.ts';
import type { Program } from './program.ts';

/** A call on which repairs of a program differ that all pass its tests. */
export interface ProgramQuestion {
  /** As the language writes it: `median([])`. */
  readonly call: string;
  /** Number of repairs that were compared, and of different behaviours among them. */
  readonly repairs: number;
  readonly behaviours: number;
  /** The first is that of the repair. */
  readonly answers: readonly {
    /** `returns 0`, `raises IndexError`. */
    readonly does: string;
    readonly repairs: number;
    /** Unified, from the given program to the likeliest repair that gives this answer. */
    readonly diff: string;
    /** An assertion of it; null if it cannot be said in one. */
    readonly test: string | null;
  }[];
}

export interface ProgramQuestionParts {
  readonly sandbox: Pick<Sandbox, 'execute'>;
  readonly signal: AbortSignal;
  /** Whether the program's tests pass with other code. */
  readonly passes: (code: string) => Promise<boolean>;
}

const [MAX_EDITS, MAX_REPAIRS] = [300, 8];
/** Of processor time, for trying the edits. */
const SECONDS = 2;
const [STEPS_OF_CALL, STEPS] = [5_000, 200_000];

/**
 * Looks for other repairs among the edits of the function, and for an input on which they differ; null if there is none.
 * Python and JavaScript.
 * @param code the repaired program
 */
export async function programQuestion(
  { language, code: initial, asGiven }: Program,
  { task, codeWith }: CodeTask,
  code: string,
  { sandbox, signal, passes }: ProgramQuestionParts,
): Promise<ProgramQuestion | null> {
  if (!isObserved(language)) return null;
  const parser = await openParser(language);
  const clock = createSearchClock(SECONDS);
  const candidates = await collected(singleEdits(parser, task, MAX_EDITS), clock, signal);
  const screening = { clock, signal, allWithin: SECONDS };
  const trials = await prescreenPrograms(parser, sandbox, task, candidates, task.tests, screening);
  const codes = [code];
  for (const [index, trial] of trials.entries()) {
    const other = isPassing(trial) ? codeWith(candidates[index] ?? '') : null;
    if (other === null || codes.includes(other) || !(await passes(other))) continue;
    if (codes.push(other) >= MAX_REPAIRS) break;
  }
  if (codes.length === 1) return null;
  const calls = await recordedCalls(sandbox, task, code, await suitesWithCalls(parser, task), signal);
  const seed = derivedSeed('inputs', task.entryPoint);
  const inputs = comparedInputs(calls, { parser, name: task.entryPoint, codes, text: code, seed });
  const limits = inputs.map(() => STEPS_OF_CALL);
  const shared = { parser, sandbox, task, inputs, limits, budget: STEPS, signal };
  // The first twice: inputs on which it varies tell nothing.
  const [again = [], ...outcomes] = await Promise.all(
    [code, ...codes].map(program => observe({ ...shared, program })),
  );
  const isStable = (index: number) => {
    const [one, two] = [outcomes[0]?.[index], again[index]];
    return one && two && sameOutcome(one, two, { language, tolerance: 0 });
  };
  const stable = [...inputs.keys()].filter(isStable);
  const observed = {
    inputs: stable.flatMap(index => (inputs[index] ? [inputs[index]] : [])),
    outcomes: outcomes.map(each => stable.map(index => each[index])),
  };
  const asked = questionAbout(observed, task.entryPoint, language, calls);
  if (!asked) return null;
  const style = language === 'python' ? 'python-script' : 'assert-script';
  const text = { style, register: '', called: task.entryPoint, input: asked.input, quote: "'" } as const;
  const changed = (program = code) => unifiedDiff(asGiven(initial), asGiven(program), ['before', 'after']);
  return {
    ...{ call: asked.call, repairs: codes.length, behaviours: asked.behaviours },
    answers: asked.answers.map(answer => ({
      does: answer.does,
      repairs: answer.programs.length,
      diff: changed(codes[answer.programs[0] ?? 0]),
      test: testText(text, answer)?.trimEnd() ?? null,
    })),
  };
}

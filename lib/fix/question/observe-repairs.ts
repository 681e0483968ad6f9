import { derivedSeed } from '../../core/random.ts';
import type { Input } from '../../repair/behaviour/generate.ts';
import { type Outcome, readOutcome, sameOutcome } from '../../repair/behaviour/outcome.ts';
import type { Observed } from '../../repair/behaviour/question.ts';
import { callsIn } from '../../repair/behaviour/recorded-calls.ts';
import type { ProjectFunction } from '../localise/functions.ts';
import { encoded, type SourceFile } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { Runner } from '../runners/runner.ts';
import { comparedInputs } from './compared-inputs.ts';
import {
  observingJavaScript,
  observingJavaScriptMethod,
  observingMethod,
  observingPython,
  recordingJavaScript,
  recordingJavaScriptMethod,
  recordingMethod,
  recordingPython,
} from './observed-module.ts';

export interface ObserveRepairs {
  readonly project: OpenProject;
  readonly runner: Runner;
  /** The repaired file, with the function in it. */
  readonly file: SourceFile;
  readonly repairedFunction: ProjectFunction;
  /** Versions of the function on its own; the first is that of the file. */
  readonly codes: readonly string[];
  /** What is said about it elsewhere. */
  readonly documentation: string;
  /** Tests that execute the function. */
  readonly ids: readonly string[];
  /** Limit of one test. */
  readonly seconds: number;
  readonly signal: AbortSignal;
}

const [STEPS_OF_CALL, STEPS] = [5_000, 200_000];
const MAX_TESTS = 50;

/** What versions of a function did, and the calls of the tests that the inputs resemble. */
export interface ObservedRepairs extends Observed {
  readonly calls: readonly Input[];
}

/**
 * Calls versions of a function with inputs that resemble those of the tests, where the tests run, in two runs: one that
 * records the tests' calls, and one in which the module calls all versions. Null if the tests' calls cannot be recorded.
 */
export async function observeRepairs(input: ObserveRepairs): Promise<ObservedRepairs | null> {
  const { project, file, repairedFunction, codes, documentation, ids } = input;
  const { parser, language } = project;
  const isPython = language === 'python';
  if (!isComparable(repairedFunction)) return null;
  const [owner = ''] = repairedFunction.qualified.split('.');
  const isMethod = owner !== repairedFunction.name;
  if (isMethod && codes.some(code => /\bsuper\b|\b__class__\b/.test(code))) return null;
  const { name } = repairedFunction;
  const recording = isPython
    ? isMethod
      ? recordingMethod(file.text, owner, name)
      : recordingPython(file.text, name)
    : isMethod
      ? recordingJavaScriptMethod(parser, file.text, repairedFunction)
      : recordingJavaScript(parser, file.text, repairedFunction);
  if (recording === null) return null;
  const recorded = callsIn(await notesOf(input, recording, ids.slice(0, MAX_TESTS)));
  const made = isMethod ? mostFrequent(recorded.map(([count]) => Number(count))) : 0;
  const calls = isMethod ? recorded.filter(([count]) => count === made).map(([, ...call]) => call) : recorded;
  const seed = derivedSeed('inputs', file.path, repairedFunction.qualified);
  const inputs = comparedInputs(calls, { parser, name, codes, documentation, text: file.text, seed });
  if (inputs.length === 0) return null;
  // The first version twice: inputs on which it varies tell nothing.
  const observed = {
    ...{ codes: [...codes, ...codes.slice(0, 1)], inputs, budget: STEPS },
    limits: inputs.map(() => STEPS_OF_CALL),
  };
  const methodOf = { owner, name, made };
  const observing = isPython
    ? isMethod
      ? observingMethod(file.text, methodOf, observed)
      : observingPython(file.text, name, observed)
    : isMethod
      ? observingJavaScriptMethod(parser, file.text, methodOf, observed)
      : observingJavaScript(parser, file.text, name, observed);
  const outcomes = outcomesIn(
    await notesOf(input, observing, ids.slice(0, 1)),
    codes.length + 1,
    inputs.length,
  );
  const again = outcomes.at(-1) ?? [];
  const stable = inputs.flatMap((_, index) => {
    const [one, two] = [outcomes[0]?.[index], again[index]];
    return one && two && sameOutcome(one, two, { language, tolerance: 0 }) ? [index] : [];
  });
  return {
    calls,
    inputs: stable.flatMap((index): Input[] => (inputs[index] ? [inputs[index]] : [])),
    outcomes: outcomes.slice(0, -1).map(each => stable.map(index => each[index])),
    object: isMethod ? { method: repairedFunction.name, made } : undefined,
  };
}

function mostFrequent(numbers: readonly number[]): number {
  const count = (number: number) => numbers.filter(each => each === number).length;
  return numbers.reduce((most, each) => (count(each) > count(most) ? each : most), numbers[0] ?? 0);
}

/**
 * Whether versions of a function may be called: one of the module, or a method of a class without decorators, whose objects
 * are built as the tests build them.
 */
export function isComparable({ qualified, name, firstLine, headerLine }: ProjectFunction): boolean {
  if (qualified === name) return true;
  const isDecorated = firstLine !== headerLine;
  return /^[\w$]+\.(?!__|constructor$)[\w$]+$/.test(qualified) && !isDecorated;
}

/** What a changed file writes while tests run. */
async function notesOf(
  { runner, file, seconds, signal }: ObserveRepairs,
  text: string,
  only: readonly string[],
): Promise<string> {
  const bytes = encoded(file, text);
  if (bytes === null) return '';
  const files = new Map([[file.path, bytes]]);
  const { notes = '' } = await runner.run({ files, only, trace: false, stop: false, seconds }, signal);
  return notes;
}

/** Outcomes by version and input; those after the last that was called are missing. */
function outcomesIn(notes: string, versions: number, inputs: number): (Outcome | undefined)[][] {
  const outcomes = Array.from({ length: versions }, (): (Outcome | undefined)[] => []);
  for (const [, number, text = ''] of notes.matchAll(/^@(\d+) (\{.*\})$/gm)) {
    const row = outcomes[Math.floor(Number(number) / inputs)];
    if (row) row[Number(number) % inputs] = readOutcome(text) ?? undefined;
  }
  return outcomes;
}

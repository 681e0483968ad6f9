import { readFileSync } from 'node:fs';
import type { AgentActors, Candidate, ScreenInput, Screening, Trial } from '../../../machines/actors.ts';
import { isPassing, unchecked, unfinished } from '../../../machines/pool.ts';
import type { Check } from '../../core/attempt.ts';
import type { Sandbox } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { packageFile } from '../../files/package.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { ActorParts } from '../actors/actor-parts.ts';
import { isObserved, stepsProgram, withSteps } from '../behaviour/observed-program.ts';
import { createSearchClock, type SearchClock } from '../enumerate/search-clock.ts';
import { isCompiled } from '../enumerate/words.ts';
import { knownChecks } from '../examples/examples.ts';

/** Processor time: for a task whose examples take longer, only the likeliest candidates are tried. */
const ALL_SECONDS = 5;

/** Runs candidates on what is known about the task, in the sandbox. @param examine reads samples */
export async function screen(
  parts: Pick<ActorParts, 'parser' | 'sandbox' | 'options'>,
  examine: AgentActors['examine'],
  input: ScreenInput,
  signal: AbortSignal,
): Promise<Screening> {
  const { task, attempts, suite, candidates, time } = input;
  const { feedback, examples = true } = parts.options;
  const checks =
    suite === 'known' ? await knownChecks(parts.parser, task, attempts, { feedback, examples }) : [];
  const isEmpty = suite === null || (suite === 'known' && checks.length === 0);
  const clock = createSearchClock(time);
  const codes = await Promise.all(candidates.map(each => codeOf(examine, input, each, signal)));
  const trials: Trial[] = [];
  let passesUnchanged: boolean | undefined;
  while (trials.length < codes.length) {
    const end = codes.indexOf(null, trials.length);
    const programs = codes.slice(trials.length, end === -1 ? undefined : end).flatMap(code => code ?? []);
    // Run at the end, so that it takes no time from the others.
    const withBuggy = mayCompare(input, isEmpty, end) ? [...programs, task.buggy] : programs;
    const run = isEmpty
      ? programs.map(() => unchecked)
      : await runAll(parts, input, checks, withBuggy, { clock, signal });
    const tried = run.slice(0, programs.length);
    if (withBuggy !== programs) passesUnchanged = isPassing(run[programs.length]);
    trials.push(...tried);
    const isOver = tried.length < programs.length || (input.until === 'first' && isPassing(tried.at(-1)));
    if (isOver || end === -1) break;
    trials.push(notRun);
  }
  return { trials, checks, isEmpty, passesUnchanged, time: clock.time() };
}

/** Whether it matters that the buggy program passes, and can be known. */
function mayCompare({ task, suite, until }: ScreenInput, isEmpty: boolean, end: number): boolean {
  return suite === 'known' && until === 'all' && !isEmpty && end === -1 && isObserved(task.language);
}

const notRun: Trial = { outcome: 'not run', assertionsPassed: 0, firstFailing: null, overran: false };

/** The program; null for a sample that cannot be run, or is not new. */
async function codeOf(
  examine: AgentActors['examine'],
  { task, attempts }: ScreenInput,
  { code, answer = '', origin }: Candidate,
  signal: AbortSignal,
): Promise<string | null> {
  if (origin.kind !== 'sample') return code;
  const seen = await examine({ task, completion: answer, code, attempts }, signal);
  return seen.verdict === null && !seen.repeated ? seen.candidate : null;
}

async function runAll(
  { parser, sandbox }: Pick<ActorParts, 'parser' | 'sandbox'>,
  { task, suite, until }: ScreenInput,
  checks: readonly Check[],
  programs: readonly string[],
  options: ScreenOptions,
): Promise<readonly Trial[]> {
  const whole = suite === 'tests' ? task.tests : task.exampleTests;
  if (isCompiled(task.language)) {
    const { judgePrograms, suitesOf } = await import('./judge-programs.ts');
    const suites = suite === 'known' ? await suitesOf(task, checks) : [{ tests: whole, checks: [] }];
    return await judgePrograms(sandbox, task, programs, suites, options);
  }
  const tests = suite === 'known' ? checks.map(({ code }) => `${code}\n`).join('') : whole;
  const allWithin = until === 'all' ? ALL_SECONDS : undefined;
  return await prescreenPrograms(parser, sandbox, task, programs, tests, { ...options, allWithin });
}

/** A program that ends the process also costs the start of the next one. */
const OVERRUNS_OF_ENDED = 4;

/** Programs per execution: they share the cost of its start, and little is lost if one of them ends it. */
const AT_ONCE = 250;

/**
 * Tries programs in order until one passes all assertions or the time limit is reached, many per execution.
 * The result is not a verdict: the programs share a process with the code that counts. A program that ends
 * the execution counts as having passed nothing. For languages without a compiler.
 * @param allWithin processor seconds to try all programs; if omitted, only up to the first that passes
 */
export async function prescreenPrograms(
  parser: SyntaxParser,
  sandbox: Pick<Sandbox, 'execute'>,
  task: Task,
  programs: readonly string[],
  tests: string,
  { clock, signal, allWithin }: ScreenOptions & { readonly allWithin?: number | undefined },
): Promise<Trial[]> {
  const begun = clock.left();
  const left = () => clock.left() - (allWithin === undefined ? 0 : Math.max(0, begun - allWithin));
  const trials: Trial[] = [];
  while (trials.length < programs.length && left() > 0) {
    const batch = programs.slice(trials.length, trials.length + AT_ONCE);
    const limits = {
      overruns: clock.overruns,
      skipsFirst: clock.skipsFirst,
      seconds: left(),
      all: allWithin !== undefined,
    };
    const request = prescreenProgram(parser, task, batch, tests, limits);
    const { stdout, verdict, seconds } = await sandbox.execute(
      { language: task.language, ...request },
      signal,
    );
    const lines = linesOf(stdout, batch.length);
    const last = lines.at(-1);
    trials.push(...lines.map((line, index) => trialOf(line, lines[index - 1]?.overruns ?? limits.overruns)));
    clock.overruns = Math.max(clock.overruns, last?.overruns ?? 0);
    const isThrough = verdict.kind === 'passed';
    clock.spend(isThrough && last ? last.milliseconds / 1000 : seconds);
    const isEnough = last?.ended && last.assertionsPassed > 0 && last.assertionsPassed === last.assertionsRun;
    if (!limits.all && isEnough) return trials;
    if (!isThrough && !clock.skipsFirst && !stdout.includes(FIRST_IS_THROUGH)) {
      clock.skipsFirst = true;
      continue;
    }
    // The next program ended the process; if the execution timed out, it may just have been one too many.
    const isEnded = lines.length < batch.length && verdict.kind !== 'timeout' && !isThrough;
    if (!isEnded && lines.length > 0) continue;
    if (isThrough) break;
    clock.overruns += OVERRUNS_OF_ENDED;
    trials.push(unfinished);
  }
  return trials;
}

function trialOf({ assertionsPassed, firstFailing, overruns }: Line, before: number): Trial {
  const outcome = firstFailing === null ? 'passed' : 'failed';
  return { outcome, assertionsPassed, firstFailing, overran: overruns > before };
}

interface Line {
  readonly assertionsPassed: number;
  readonly assertionsRun: number;
  /** Null for none. */
  readonly firstFailing: number | null;
  /** Whether the program came to the end of the assertions. */
  readonly ended: boolean;
  readonly milliseconds: number;
  readonly overruns: number;
}

function linesOf(stdout: string, limit: number): Line[] {
  const lines = /^@(\d+) (\d+) (\d+) (\d+|none) (ended|stopped) (\d+) (\d+)$/gm;
  const parsed = [...stdout.matchAll(lines)].map(([, number, passed, run, failing, end, time, overruns]) => ({
    number: Number(number),
    assertionsPassed: Number(passed),
    assertionsRun: Number(run),
    firstFailing: failing === 'none' ? null : Number(failing),
    ended: end === 'ended',
    milliseconds: Number(time),
    overruns: Number(overruns),
  }));
  return parsed.filter(({ number }, index) => number === index).slice(0, limit);
}

interface ScreenOptions {
  readonly clock: SearchClock;
  readonly signal?: AbortSignal | undefined;
}

/** Marks an execution that tries many programs instead of judging one. */
export const PRESCREEN_ENTRY_POINT = 'prescreen_all';

/**
 * What is executed to try many programs at once: a candidate with the function `prescreen`, and a test that
 * calls it.
 */
interface PrescreenProgram {
  readonly candidate: string;
  readonly tests: string;
  readonly entryPoint: typeof PRESCREEN_ENTRY_POINT;
  /** Tries nothing. */
  readonly reference: string;
}

/** Limits of an execution. */
interface PrescreenLimits {
  /** Programs that exceeded their steps or time in earlier executions. */
  readonly overruns: number;
  /** Whether the buggy program, whose cost sets the steps of the others, is left out. */
  readonly skipsFirst: boolean;
  /** Processor time for all programs. */
  readonly seconds: number;
  /** Whether to continue after a program that passes. */
  readonly all: boolean;
}

/** Printed when the buggy program has been run. */
export const FIRST_IS_THROUGH = '@first';

/**
 * First it prints FIRST_IS_THROUGH. For each program that is through it prints
 * `@number assertionsPassed assertionsRun firstFailing end milliseconds overruns`: `firstFailing` is the index of the first
 * assertion that did not hold, or `none`; `end` is `ended` or `stopped`.
 */
function prescreenProgram(
  parser: SyntaxParser,
  task: Task,
  programs: readonly string[],
  tests: string,
  limits: PrescreenLimits,
): PrescreenProgram {
  return parser.language === 'js'
    ? javascriptProgram(parser, programs, tests, limits)
    : pythonProgram(parser, task, programs, tests, limits);
}

function pythonProgram(
  parser: SyntaxParser,
  task: Task,
  programs: readonly string[],
  tests: string,
  { overruns, skipsFirst, seconds, all }: PrescreenLimits,
): PrescreenProgram {
  // A string of JSON is also one of Python. Mentioning the names makes the sandbox provide them.
  const needs = [...new Set(parser.statements(task.buggy).flatMap(statement => statement.needs))].filter(
    name => !/^(?:prescreen|prescreen_all)$/.test(name),
  );
  const named = needs.map(
    name => `    try: names[${JSON.stringify(name)}] = ${name}\n    except NameError: pass\n`,
  );
  const literals = [skipsFirst ? null : task.buggy, programs, tests].map(value =>
    JSON.stringify(JSON.stringify(value)),
  );
  const candidate = [
    stepsProgram(),
    readFileSync(packageFile('lib/repair/screen/prescreen.py'), 'utf8'),
    'import json',
    `def prescreen_all():\n    names = {}\n${named.join('')}    prescreen(json.loads(${literals[0]}), json.loads(${literals[1]}), json.loads(${literals[2]}), names, ${overruns}, ${seconds}, ${all ? 'True' : 'False'})\n`,
  ].join('\n\n');
  return {
    ...{ candidate, tests: 'assert prescreen_all() is None\n', entryPoint: PRESCREEN_ENTRY_POINT },
    reference: 'def prescreen_all():\n    pass\n',
  };
}

function javascriptProgram(
  parser: SyntaxParser,
  programs: readonly string[],
  tests: string,
  { overruns, seconds, all }: PrescreenLimits,
): PrescreenProgram {
  const counted = programs.map(program => withSteps(parser, program));
  const candidate = `
const programs = ${JSON.stringify(counted)};
const tests = ${JSON.stringify(tests)};
const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const prescreen_all = () => {
  console.log('${FIRST_IS_THROUGH}');
  let overruns = ${overruns};
  const begun = used();
  for (const [number, program] of programs.entries()) {
    let steps = 0, assertionsRun = 0, assertionsPassed = 0, firstFailing = null, ended = false;
    const limit = Math.max(${MIN_STEPS}, ${MAX_STEPS} * 0.5 ** Math.floor(overruns / ${PATIENCE}));
    const step = () => { if (++steps > limit) throw new RangeError('too many steps'); };
    const assert = holds => {
      assertionsRun++;
      if (holds) assertionsPassed++;
      else firstFailing ??= assertionsRun - 1;
    };
    const silent = { assert, log() {}, error() {}, warn() {} };
    const load = typeof require === 'undefined' ? undefined : require;
    try {
      new Function('$step', 'console', 'require', program + '\\n' + tests)(step, silent, load);
      ended = true;
    } catch {
      // The current assertion raised before it could be counted.
      firstFailing ??= assertionsRun;
    }
    if (steps > limit) overruns++;
    const spent = used() - begun;
    console.log('\\n@' + [number, assertionsPassed, assertionsRun, firstFailing ?? 'none', ended ? 'ended' : 'stopped', Math.ceil(spent), overruns].join(' '));
    if (spent >= ${1000 * seconds} || (${!all} && ended && assertionsPassed === assertionsRun && assertionsRun > 0)) break;
  }
  return 1;
};
`;
  return {
    ...{ candidate, tests: 'console.assert(prescreen_all() === 1)\n', entryPoint: PRESCREEN_ENTRY_POINT },
    reference: 'const prescreen_all = () => 1;\n',
  };
}

/** Maximum loop iterations and calls of a program; without it, an endless one would end the whole execution. */
const MAX_STEPS = 40_000;
const MIN_STEPS = 2_000;
/** Number of programs that may exceed their steps before the limit of the others is halved. */
const PATIENCE = 4;

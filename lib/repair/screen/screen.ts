import type { AgentActors, Candidate, ScreenInput, Screening, Trial } from '../../../machines/actors.ts';
import { isPassing, unchecked } from '../../../machines/pool.ts';
import type { Check } from '../../core/attempt.ts';
import type { ActorParts } from '../actors/actor-parts.ts';
import { isObserved } from '../behaviour/observed-program.ts';
import { createSearchClock } from '../enumerate/search-clock.ts';
import { isCompiled } from '../enumerate/words.ts';
import { knownChecks } from '../examples/known-checks.ts';
import { prescreenPrograms, type ScreenOptions } from './prescreen.ts';

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

import type { Trial } from '../../../machines/actors.ts';
import { isPassing, unchecked } from '../../../machines/pool.ts';
import type { Check } from '../../core/attempt.ts';
import { HefixError } from '../../core/errors.ts';
import type { Sandbox } from '../../core/ports.ts';
import { referenceOf, type Task } from '../../core/task.ts';
import type { Verdict } from '../../core/verdict.ts';
import type { SearchClock } from '../enumerate/search-clock.ts';
import { testsOf } from '../examples/examples.ts';

/** Tests of a compiled language. */
interface Suite {
  readonly tests: string;
  /** The checks that it makes; without any, its lines are not counted. */
  readonly checks: readonly Check[];
}

/** Processor time of compiling a small program. */
const BUILD_SECONDS = 0.15;

/** The checks as few programs: the dataset's example tests are one of their own. */
export async function suitesOf(
  { language }: Pick<Task, 'language'>,
  checks: readonly Check[],
): Promise<Suite[]> {
  const lines = checks.filter(({ source }) => source !== 'dataset');
  const tests = await testsOf(
    language,
    lines.map(({ code }) => code),
  );
  return [
    ...(lines.length > 0 ? [{ tests, checks: lines }] : []),
    ...checks.filter(check => !lines.includes(check)).map(check => ({ tests: check.code, checks: [check] })),
  ];
}

/**
 * Judges programs of a compiled language one by one, until one passes all suites or the time is up. A suite ends with
 * its first failure, so the checks before that have passed. Suites made of assertions that do not compile are left
 * out.
 */
export async function judgePrograms(
  sandbox: Pick<Sandbox, 'execute'>,
  task: Task,
  programs: readonly string[],
  suites: readonly Suite[],
  { clock, signal }: { readonly clock: SearchClock; readonly signal?: AbortSignal | undefined },
): Promise<Trial[]> {
  const { language, entryPoint, declaration } = task;
  const reference = referenceOf(task);
  const trials: Trial[] = [];
  const invalid = new Set<Suite>();
  /** Null if the suite does not compile. */
  const judge = async (candidate: string, { tests, checks }: Suite): Promise<Verdict | null> => {
    try {
      const request = { language, candidate, tests, entryPoint, declaration, reference };
      const { verdict, seconds } = await sandbox.execute(request, signal);
      clock.spend(BUILD_SECONDS + seconds);
      return verdict;
    } catch (error) {
      const isOurs = checks.some(({ source }) => source !== 'dataset');
      if (isOurs && error instanceof HefixError && error.code === 'TESTS_INVALID') return null;
      throw error;
    }
  };
  const trialOf = async (candidate: string): Promise<Trial> => {
    let before = 0;
    let assertionsPassed = 0;
    for (const suite of suites) {
      const size = Math.max(1, suite.checks.length);
      const verdict = invalid.has(suite) ? null : await judge(candidate, suite);
      if (verdict === null) invalid.add(suite);
      else if (verdict.kind !== 'passed') {
        const line = Math.max(
          0,
          suite.checks.findIndex(({ code }) => code === verdict.test?.source),
        );
        const overran = verdict.kind === 'timeout';
        const firstFailing = before + line;
        return { outcome: 'failed', assertionsPassed: assertionsPassed + line, firstFailing, overran };
      } else assertionsPassed += size;
      before += size;
    }
    return { ...unchecked, assertionsPassed };
  };
  for (const candidate of programs) {
    if (clock.left() <= 0) break;
    const trial = await trialOf(candidate);
    trials.push(trial);
    if (isPassing(trial)) break;
  }
  return trials;
}

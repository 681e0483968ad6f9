import type { Candidate, Trial as CandidateTrial } from '../../../machines/actors.ts';
import { isPassing, unfinished } from '../../../machines/pool.ts';
import type { Progress, Tried } from '../../../machines/project-actors.ts';
import type { TestResult } from '../../core/project-tests.ts';
import { changeOf } from '../../syntax/edits/edits.ts';
import type { ProjectFunction } from '../localise/functions.ts';
import { bytesOf, encoded, readSource, type SourceFile } from '../patch/source-file.ts';
import { keepsExamples } from '../project/test-code.ts';
import type { Runner } from '../runners/runner.ts';
import type { FileTask } from './function-task.ts';
import { goalsOf, limitsFor, type Trial, tryCandidate } from './trial.ts';

/**
 * Do the tests decide this? Candidates are tried in their order, several at a time. One that passes the tests is a repair
 * only if they say so: not if they pass with any object in its place, and only in reserve if they pass with a guard that
 * always holds.
 */

export interface JudgeInput {
  /** Seconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly tests: readonly TestResult[];
  /** Files with all repairs so far, by path. */
  readonly repaired: ReadonlyMap<string, SourceFile>;
  /** Each tries one candidate at a time. */
  readonly runners: readonly Runner[];
  /** A process that has run nothing yet, for the test of the repair; started once a candidate passes. */
  readonly fresh: Runner;
  readonly onTried: (tried: Tried) => void;
  readonly onJudged: () => void;
  /** Resolves when the next candidate may be tried; at once without it. */
  readonly turn?: () => Promise<void>;
}

/** What the tests say about a candidate. */
export interface Judged {
  /**
   * Whether it makes all failing tests pass that execute the function, and no other fail. An enumerated edit does not
   * count if the tests pass with any object in place of a name that it exchanges, nor if they pass with an added guard
   * that always holds and another repair was found in time.
   */
  readonly isRepair: boolean;
  /** Failing tests that it makes pass. */
  readonly passed: number;
}

/** A candidate, and the version of the function that it stands for. */
export interface JudgedCandidate {
  readonly origin: Candidate['origin']['kind'];
  /** Null if it is none. */
  readonly code: string | null;
}

/** Number of candidates sent to a runner at once, and if these are to end soon once it is not their turn. */
export const IN_FLIGHT = 4;
export const IN_FLIGHT_IN_TURNS = 2;

/** Tries a candidate with one of the runners; the same code only once. */
export type JudgeCandidate = (candidate: JudgedCandidate, worker?: number) => Promise<Judged>;

/**
 * Judges candidates of one function by the project's tests: those that failed first, then all.
 * @param place the suspect's place in its round
 */
export function createCandidateJudge(
  input: JudgeInput,
  place: number,
  functions: readonly ProjectFunction[],
  task: FileTask,
  current: SourceFile,
): JudgeCandidate {
  const { timeout, signal, tests, runners, fresh, onTried, onJudged } = input;
  const goals = goalsOf(tests, functions);
  const limits = limitsFor(tests, timeout);
  const before = bytesOf(input.repaired);
  const reserve = createReserve();
  const judged = new Map<string, Promise<Judged>>();
  /** Failing tests that the best partial repair makes pass. */
  let above = 0;

  /** Null if the code cannot be in the file. */
  const runTests = async (code: string, worker: number): Promise<Trial | null> => {
    const runner = runners[worker % runners.length];
    const file = fileOf(task, code, current);
    if (!runner || !file) return null;
    const { path } = current;
    const files = new Map([...before, [path, file.bytes]]);
    return await tryCandidate({ runner, goals, files, path, limits, above, signal });
  };
  const judge = async (code: string, origin: Origin, worker: number, turn: Turn): Promise<Judged> => {
    await input.turn?.();
    const trial = await runTests(code, worker);
    if (trial === null) return unusable;
    const passes = async (version: string) => (await runTests(version, worker))?.isRepair ?? false;
    const decision =
      trial.isRepair && origin === 'edit' ? await decisionOn(code, task.task, passes, turn) : 'decided';
    const isRepair = trial.isRepair && decision === 'decided';
    const passed = decision === 'any name' ? 0 : trial.passed.length;
    const isProgress = trial.isProgress && passed > above;
    if (isProgress && !isRepair) above = passed;
    const progress: Progress | null = isProgress ? { place, code, origin, passed } : null;
    if (trial.isTried) onTried({ type: 'tried', place, passed, of: goals.failing.size, progress });
    if (isRepair) fresh.start();
    return { isRepair, passed };
  };
  return async ({ code, origin }, worker = 0) => {
    onJudged();
    if (code === null) return unusable;
    const earlier = judged.get(code);
    if (earlier) return await earlier;
    const turn = reserve.trying();
    const result = judge(code, origin, worker, turn);
    judged.set(code, result);
    result.finally(() => turn.end()).catch(() => {});
    return await result;
  };
}

type Origin = JudgedCandidate['origin'];

/**
 * Whether the tests decide on an edit that passes them. `any name`: they pass with any object in place of a name that it
 * exchanges. `another`: they pass with an added guard that always holds, and another repair was found in time.
 * @param passes whether another version of the function is a repair
 */
async function decisionOn(
  code: string,
  { buggy, language }: FileTask['task'],
  passes: (version: string) => Promise<boolean>,
  turn: Turn,
): Promise<'decided' | 'any name' | 'another'> {
  for (const version of withAnyObject(buggy, code, language)) if (await passes(version)) return 'any name';
  const always = withConstantGuard(buggy, code, language);
  const isOpen = always !== null && (await passes(always));
  if (isOpen) return (await turn.hold()) ? 'decided' : 'another';
  turn.decide();
  return 'decided';
}

const unusable: Judged = { isRepair: false, passed: 0 };

/** The file with a candidate in it; null if that is not possible, changes nothing, or changes an example that is a test. */
export function fileOf(task: FileTask, code: string, current: SourceFile): SourceFile | null {
  const text = task.fileWith(code);
  if (text === null || text === current.text || !keepsExamples(current.text, text)) return null;
  const bytes = encoded(current, text);
  return bytes && readSource(current.path, bytes);
}

/** What stands for any object, and for any function: one that counts as true, and one that does not. */
const inPython = {
  values: ['object()', 'None'],
  callees: ['(lambda *_, **__: True)', '(lambda *_, **__: None)'],
};
const inJavaScript = { values: ['({})', 'undefined'], callees: ['(() => true)', '(() => undefined)'] };

/**
 * The code with a guard that always holds in place of the one that was inserted, which leaves the function or the round
 * of a loop; null if the change is another one. If the tests pass with it, they do not check the guard's condition.
 * @param before the function without the change
 */
export function withConstantGuard(before: string, after: string, language: string): string | null {
  const [old, lines] = [before.split('\n'), after.split('\n')];
  const firstChanged = lines.findIndex((line, index) => line !== old[index]);
  const count = lines.length - old.length;
  const added = lines.slice(firstChanged, firstChanged + count).join('\n');
  if (lines.toSpliced(firstChanged, count).join('\n') !== before) return null;
  const [, start, exit] = (language === 'python' ? GUARD : GUARD_IN_JAVASCRIPT).exec(added) ?? [];
  if (start === undefined || exit === undefined) return null;
  const guard = start + (language === 'python' ? 'True' : 'true') + exit;
  return lines.toSpliced(firstChanged, count, guard).join('\n');
}

const GUARD = /^(\s*if ).+?(:\s+(?:return|raise|continue)\b.*)$/;
const GUARD_IN_JAVASCRIPT = /^(\s*if \().+?(\)\s*(?:\{\s*)?(?:return|throw|continue)\b[^\n]*(?:\n\s*\})?)$/;

/**
 * The code with any object, and with nothing, in place of a name that was exchanged for another one, or with functions
 * that return these in place of one that is called; none if the change is another one. If the tests pass with one of
 * them, they do not say which name is meant.
 * @param before the function without the change
 */
export function withAnyObject(before: string, after: string, language: string): string[] {
  const change = changeOf(before, after);
  let [start, tail] = [change.start, before.length - change.end];
  // The names as wholes.
  while (start > 0 && isNamePart(after[start - 1])) start--;
  while (tail > 0 && isNamePart(after.at(-tail))) tail--;
  const [old, name] = [before, after].map(code => code.slice(start, code.length - tail));
  const rest = after.slice(after.length - tail);
  if (!NAME.test(old ?? '') || !NAME.test(name ?? '') || after[start - 1] === '.' || TARGET.test(rest))
    return [];
  const { values, callees } = language === 'python' ? inPython : inJavaScript;
  return (rest.startsWith('(') ? callees : values).map(any => after.slice(0, start) + any + rest);
}

const NAME =
  /^(?!(?:True|False|None|true|false|null|undefined|not|and|or|in|is|if|else|return)$)[A-Za-z_$][\w$]*$/;
/** Behind the name of an argument, and behind what is assigned to. */
const TARGET = /^\s*=(?!=)/;

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[\w$]/.test(character);
}

/**
 * Holds back a repair that adds a guard whose condition the tests do not check, since many guards would pass them.
 * Candidates that are nearly as likely are tried first. Counts candidates in the order in which they start, so that the result
 * does not depend on which of them ends first.
 */
interface Reserve {
  /** Announces the next candidate. */
  trying(): Turn;
}

/** A candidate that is being tried. */
interface Turn {
  /**
   * Holds it as a repair. Resolves with true once enough others were tried, or none is left, and with false as soon as
   * one of these is a repair that the tests decide on.
   */
  hold(): Promise<boolean>;
  /** Tells that it is a repair that the tests decide on. */
  decide(): void;
  end(): void;
}

/** A repair is in reserve until this many times as many candidates were tried as before it, and at least 20 more. */
const LESS_LIKELY = 3;
const MIN_MORE = 20;

interface Held {
  /** Candidates with lower numbers are tried before it is taken. */
  readonly until: number;
  readonly settle: (isTaken: boolean) => void;
}

export function createReserve(): Reserve {
  let started = 0;
  let firstDecided = Number.POSITIVE_INFINITY;
  const running = new Set<number>();
  const held = new Set<Held>();
  const review = (isIdle = false): void => {
    const firstRunning = Math.min(started, ...running);
    for (const each of held) {
      const isBeaten = firstDecided < each.until;
      if (!isBeaten && !isIdle && firstRunning < each.until) continue;
      held.delete(each);
      each.settle(!isBeaten);
    }
  };
  /** A worker takes its next candidate first. */
  const reviewIfIdle = (): void => {
    setImmediate(() => running.size === 0 && review(true));
  };
  return {
    trying() {
      const number = started++;
      running.add(number);
      return {
        async hold() {
          running.delete(number);
          const until = Math.max((number + 1) * LESS_LIKELY, number + 1 + MIN_MORE);
          const isTaken = await new Promise<boolean>(settle => {
            held.add({ until, settle });
            review();
            reviewIfIdle();
          });
          running.add(number);
          return isTaken;
        },
        decide() {
          firstDecided = Math.min(firstDecided, number);
          review();
        },
        end() {
          running.delete(number);
          review();
          reviewIfIdle();
        },
      };
    },
  };
}

interface InOrderInput<Item> {
  readonly items: readonly Item[];
  readonly atOnce: number;
  readonly attempt: (item: Item, worker: number) => Promise<CandidateTrial>;
  /** Its abort makes attempts reject. */
  readonly signal: AbortSignal;
}

/**
 * Tries items in their order, several at a time. Resolves with the results up to the first that passes. Attempts that
 * cannot change the result may still be running. After an abort, the first item that passed wins, and those before it
 * count as failed.
 */
export async function inOrder<Item>(input: InOrderInput<Item>): Promise<CandidateTrial[]> {
  const { items, atOnce, attempt, signal } = input;
  const trials: (CandidateTrial | null)[] = items.map(() => null);
  let next = 0;
  return await new Promise((resolve, reject) => {
    const finish = (count: number): void => {
      next = items.length;
      resolve(trials.slice(0, count).map(trial => trial ?? unfinished));
    };
    const fail = (error: unknown): void => {
      const passing = trials.findIndex(isPassing);
      if (signal.aborted && passing !== -1) finish(passing + 1);
      else reject(error);
    };
    const decide = (): void => {
      const running = trials.indexOf(null);
      const ended = running === -1 ? items.length : running;
      const passing = trials.findIndex(isPassing);
      if (passing !== -1 && passing < ended) finish(passing + 1);
      else if (ended === items.length) finish(ended);
    };
    const work = async (worker: number): Promise<void> => {
      while (next < items.length) {
        const index = next++;
        const item = items[index];
        if (item === undefined) return;
        trials[index] = await attempt(item, worker);
        decide();
      }
    };
    for (let worker = 0; worker < atOnce; worker++) work(worker).catch(fail);
    decide();
  });
}

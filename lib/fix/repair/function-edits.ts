import { singleEdits } from '../../repair/candidates.ts';
import { collected, createSearchClock, type SearchClock } from '../../repair/enumerate/search-clock.ts';
import type { FailureFacts } from '../../repair/operators/facts.ts';
import { projectEdits } from '../../repair/operators/operators.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { FunctionTask } from './function-task.ts';

/** The single edits of a function, enumerated once and only as far as they are needed. */
export interface FunctionEdits {
  /**
   * All edits enumerated so far, at least `count` unless there are fewer or the time is up, the most promising first.
   * Rejects with the signal's reason if aborted.
   */
  upTo(count: number): Promise<readonly string[]>;
  close(): void;
}

/** Maximum number of edits of one function. */
export const MAX_EDITS = 4000;

/** Processor seconds for enumerating. */
const ENUMERATION_SECONDS = 10;

export interface EditSources {
  readonly parser: SyntaxParser;
  readonly signal: AbortSignal;
  /** What the failing tests say. */
  readonly failures: FailureFacts;
  /** Resolves when they may be enumerated; at once without it. */
  readonly turn?: (() => Promise<void>) | undefined;
}

/** @param lines suspicion of the file's lines that a test executed */
export function functionEdits(
  { kind, documentation, task, names, lineOf }: FunctionTask,
  lines: ReadonlyMap<number, number>,
  { parser, signal, failures, turn = async () => {} }: EditSources,
): FunctionEdits {
  const clock = inTurns(createSearchClock(ENUMERATION_SECONDS), turn);
  const weights = weightsOf(task.buggy, lineOf, lines);
  let source: ReturnType<typeof singleEdits> | null = null;
  const opened = async () => {
    const edits = await projectEdits(task.language);
    const hints = { kind, documentation, names: names(), failures, edits };
    source ??= singleEdits(parser, task, MAX_EDITS, { ...hints, weightOf: row => weights[row] ?? 0 });
    return source;
  };
  const buffer: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return {
    upTo(count) {
      const result = last.then(async () => {
        await turn();
        signal.throwIfAborted();
        const all = await opened();
        buffer.push(...(await collected(taken(all, count - buffer.length), clock, signal)));
        return [...buffer];
      });
      last = result.catch(() => {});
      return result;
    },
    close: () => void source?.return(null),
  };
}

/** A clock whose pauses end when it is their turn. */
function inTurns(clock: SearchClock, turn: () => Promise<void>): SearchClock {
  return {
    ...clock,
    pause(signal) {
      const paused = clock.pause(signal);
      return paused?.then(turn).then(() => {
        signal?.throwIfAborted();
        clock.begin();
      });
    },
  };
}

/** The next values, up to `count` besides nulls; the source stays open. */
function* taken(source: Iterator<string | null>, count: number): Generator<string | null> {
  for (let left = count; left > 0; ) {
    const { value, done } = source.next();
    if (done) return;
    if (value !== null) left--;
    yield value;
  }
}

/**
 * The suspicion of each row of the code. One that was not recorded, such as the second row of a statement, is as
 * suspicious as the one above it; rows above all of these are as suspicious as the most suspicious one.
 */
function weightsOf(
  code: string,
  lineOf: FunctionTask['lineOf'],
  lines: ReadonlyMap<number, number>,
): readonly number[] {
  const recorded = new Map([...lines].map(([line, suspicion]) => [lineOf(line), suspicion]));
  const weights: number[] = [];
  const entry =
    recorded.size === 0 ? 1 : [...recorded.values()].reduce((most, each) => Math.max(most, each), 0);
  const count = code.split('\n').length;
  for (let line = 1; line <= count; line++) weights.push(recorded.get(line) ?? weights.at(-1) ?? entry);
  return weights;
}

import { inspect } from 'node:util';
import type { Verdict } from '../../../../core/verdict.ts';
import type { PreparedTests } from '../../host/job.ts';

export const TESTS_FILE = 'tests.js';

/** A call of the candidate, for messages. */
export interface Call {
  /** `add(1, 2)`, made when it is asked for. */
  readonly text: string;
  returned: boolean;
  result: unknown;
}

/** Functions that the rewritten tests call, and what is known about a failed assertion. */
export interface Checks {
  readonly recorder: {
    begin(assertion: number): void;
    note<T>(id: number, value: T): T;
    check<T>(assertion: number, value: T): T;
    /** An argument that the tests use again, where a change would reach what they compare with. */
    handed<T>(value: T): T;
    /** An argument in which the tests see what the candidate changes. */
    shared<T>(value: T): T;
    /** Notes what the tests wait for. */
    waits(value: unknown): unknown;
  };
  /** Whether the tests see what the candidate changes in an argument. */
  isShared(value: unknown): boolean;
  /** Whether the tests wait for a promise that is not settled. */
  isWaiting(): boolean;
  /** Notes a call of the candidate. */
  called(call: Call): void;
  calls(): number;
  lastCall(): Call | undefined;
  /** What is known about the assertion that was evaluated last. */
  evidence(): Evidence;
  /** The most useful line of the tests; for an assertion in a helper, the line that called the helper. */
  place(error: Error): Verdict['test'];
  /** The first line of the tests after the top-level statement that is running; undefined after the last. */
  unrunAfter(error: Error): number | undefined;
}

export type Evidence = Pick<Verdict, 'message' | 'expected' | 'actual'>;

export function createChecks(tests: PreparedTests, isolate?: (why: string) => never): Checks {
  const notes = new Map<number, unknown>();
  const awaited: Promise<unknown>[] = [];
  const shared = new WeakSet<object>();
  let calls = 0;
  let callsBefore = 0;
  let last: Call | undefined;
  let decided: number | undefined;

  return {
    recorder: {
      begin(assertion) {
        callsBefore = calls;
        for (const comparison of tests.assertions[assertion]?.comparisons ?? [])
          notes.delete(comparison.result);
      },
      note(id, value) {
        notes.set(id, value);
        return value;
      },
      check(assertion, value) {
        decided = assertion;
        return value;
      },
      handed(value) {
        if (Object(value) === value) isolate?.('use an argument again that the candidate can change');
        return value;
      },
      shared(value) {
        if (Object(value) === value) shared.add(value as object);
        return value;
      },
      waits(value) {
        if (!isThenable(value)) return value;
        // A promise of the language, whatever its own `then` does.
        const promise = Promise.resolve(value);
        awaited.push(promise);
        return promise;
      },
    },
    isShared: value => typeof value === 'object' && value !== null && shared.has(value),
    // No handler is added: it would handle rejections that nobody else does.
    isWaiting: () => awaited.some(promise => inspect(promise).startsWith('Promise { <pending>')),
    called(call) {
      calls++;
      last = call;
    },
    calls: () => calls,
    lastCall: () => last,
    evidence() {
      const comparisons = tests.assertions[decided ?? -1]?.comparisons ?? [];
      const evaluated = comparisons.filter(({ result }) => notes.has(result));
      const broken = evaluated.filter(({ result, wanted }) => Boolean(notes.get(result)) !== wanted);
      const comparison = broken.at(-1) ?? evaluated.at(-1);
      if (!comparison) return { message: 'An assertion does not hold.' };
      const sides = sidesOf(comparison, notes);
      const returned =
        last?.returned && calls === callsBefore + 1 && isResult(last.result, comparison, notes);
      const message = returned
        ? `${last?.text} returned ${sides.actual}, but the tests want ${sides.expected}.`
        : `The tests got ${sides.actual}, but want ${sides.expected}.`;
      return { message, ...sides };
    },
    place: error => placeOf(error, tests),
    unrunAfter(error) {
      const lines = linesOf(error).filter(line => line > 0);
      // The outermost frame calls the tests as a whole.
      const running = lines.at(-2) ?? lines.at(-1) ?? 0;
      return tests.topLines.find(line => line > running);
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return Object(value) === value && typeof Reflect.get(value as object, 'then') === 'function';
}

type Comparison = PreparedTests['assertions'][number]['comparisons'][number];

function sidesOf(
  comparison: Comparison,
  notes: ReadonlyMap<number, unknown>,
): { expected: string; actual: string } {
  const { kind, operator = '===', wanted } = comparison;
  const text = (id: number | undefined): string => shorten(notes.get(id ?? -1));
  const not = wanted ? '' : 'not ';
  if (kind === 'value') {
    const value = notes.get(comparison.result);
    return {
      actual: shorten(value),
      expected: typeof value === 'boolean' ? String(wanted) : `a ${wanted} value`,
    };
  }
  if (kind === 'distance') {
    const expected = `${not}${text(comparison.expected)} within ${text(comparison.tolerance)}`;
    return { actual: text(comparison.actual), expected };
  }
  if (kind === 'json') {
    const json = (id: number | undefined): string => shortenText(String(notes.get(id ?? -1)));
    const equal = operator.startsWith('=') ? '' : `${operator} `;
    return { actual: json(comparison.actual), expected: `${not}${equal}${json(comparison.expected)}` };
  }
  const equal = operator.startsWith('=') ? '' : `${operator} `;
  return { actual: text(comparison.actual), expected: `${not}${equal}${text(comparison.expected)}` };
}

/** Whether an assertion examined the result of the last call. */
function isResult(result: unknown, comparison: Comparison, notes: ReadonlyMap<number, unknown>): boolean {
  if (comparison.kind === 'json') return true;
  const looked = comparison.kind === 'value' ? comparison.result : comparison.actual;
  return Object.is(notes.get(looked ?? -1), result);
}

function placeOf(error: Error, tests: PreparedTests): Verdict['test'] {
  const frames = linesOf(error);
  let frame = frames.findIndex(line => line > 0);
  if (frame === -1) return undefined;
  while (isHelper(frames[frame] ?? 0, frames[frame + 1] ?? 0, tests)) frame++;
  const line = frames[frame] ?? 1;
  return { line, source: statementAt(line, tests) };
}

/** The line of the tests for each frame, innermost first; 0 for other frames. */
function linesOf(error: Error): number[] {
  return String(error.stack)
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .map(line => Number(line.match(FRAME)?.[1] ?? 0));
}

const FRAME = new RegExp(`(?:\\(|at )${TESTS_FILE.replace('.', '\\.')}:(\\d+):`);

/** Called directly from a line of the tests, not by the language as a callback is. */
function isHelper(line: number, caller: number, { helperLines }: PreparedTests): boolean {
  if (caller === 0 || caller === line) return false;
  return helperLines.some(
    helper =>
      helper.line <= line && line <= helper.endLine && (caller < helper.line || caller > helper.endLine),
  );
}

function statementAt(line: number, { statements }: PreparedTests): string {
  let best: PreparedTests['statements'][number] | undefined;
  for (const statement of statements) {
    if (statement.line > line || statement.endLine < line) continue;
    if (!best || statement.endLine - statement.line < best.endLine - best.line) best = statement;
  }
  return best?.text ?? '';
}

export function shorten(value: unknown): string {
  return shortenText(
    inspect(value, {
      depth: 6,
      breakLength: Number.POSITIVE_INFINITY,
      maxArrayLength: 60,
      maxStringLength: 300,
    }),
  );
}

const MAX_TEXT = 600;

export function shortenText(text: string): string {
  const short = text
    .slice(0, 4 * MAX_TEXT)
    .replace(/\s+/g, ' ')
    .trim();
  return short.length <= MAX_TEXT ? short : `${short.slice(0, MAX_TEXT - 1)}…`;
}

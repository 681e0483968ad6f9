import type { AssertionCounts } from '../../../../core/verdict.ts';
import type { Report, TestStatement } from '../../host/job.ts';

/** Counts assertions of tests that were prepared for it, after their verdict. It cannot give a verdict. */
export interface Counter {
  readonly recorder: {
    held<T>(statement: number, value: T): unknown;
    missed(statement: number): void;
  };
  /** An exception outside of the assertions: those after it are not reached. */
  interrupted(): void;
  /** Reports the counts and ends the process. */
  finish(isWhole: boolean): never;
}

const MAX_ASSERTIONS = 1000;
/** Number of failing assertions whose text is told. */
const MAX_FAILING = 10;
const MAX_TEXT = 200;

export function createCounter(
  statements: readonly TestStatement[],
  report: (report: Report) => never,
): Counter {
  let [passed, failed] = [0, 0];
  let isPartial = false;
  const failing = new Map<number, string>();

  const note = (statement: number, holds: boolean): void => {
    const { line, text } = statements[statement] ?? { line: 1, text: '' };
    if (holds) passed++;
    else failed++;
    if (!holds && failing.size < MAX_FAILING) failing.set(line, text.slice(0, MAX_TEXT));
    if (passed + failed >= MAX_ASSERTIONS) finish(false);
  };
  const finish = (isWhole: boolean): never => {
    const counts: AssertionCounts = {
      passed,
      failed,
      failing: [...failing].map(([line, source]) => ({ line, source })),
      ...(isWhole && !isPartial ? {} : { partial: true }),
    };
    return report({ kind: 'counts', counts });
  };
  return {
    recorder: {
      held(statement, value) {
        if (!(value instanceof Promise)) {
          note(statement, true);
          return value;
        }
        return value.then(
          result => {
            note(statement, true);
            return result;
          },
          () => note(statement, false),
        );
      },
      missed: statement => note(statement, false),
    },
    interrupted() {
      isPartial = true;
    },
    finish,
  };
}

type AnyFunction = (...args: unknown[]) => unknown;

/** Node's assert, or a function of it; `count` is called before each assertion. */
export function counted<T extends object>(assert: T, count: () => void): T {
  return new Proxy(assert, {
    apply(target, self, args) {
      count();
      return Reflect.apply(target as AnyFunction, self, args);
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function' || key === 'AssertionError') return value;
      return counted(value, count);
    },
  });
}

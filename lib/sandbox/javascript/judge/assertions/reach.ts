import { AsyncLocalStorage } from 'node:async_hooks';
import { bodyNumberIn, missingTest, type TestBody } from '../../tests/test-bodies.ts';

/**
 * Which registered tests reach one of their assertions, each case on its own. An assertion belongs to the test that
 * started what led to it, even if that test has ended: a promise or a timer.
 */
export interface Reach {
  /** A function is registered as a test. */
  register(work: object): void;
  /** Runs such a function; `isTodo` if it may fail. */
  run<T>(work: object, isTodo: boolean, call: () => T): T;
  /** An assertion is reached. */
  count(): void;
  /** The running test is skipped. */
  skip(): void;
  /** The first line of a test that ended without reaching one of its assertions. */
  unreached(): number | undefined;
  /** The first line of a test that was never registered. */
  unregistered(): number | undefined;
  /** Numbers of the bodies that were registered. */
  registered(): readonly number[];
}

interface Case {
  readonly body: TestBody | undefined;
  isReached: boolean;
}

export function createReach(bodies: readonly TestBody[]): Reach {
  const cases = new AsyncLocalStorage<Case>();
  const all: Case[] = [];
  const registered = new Set<number>();
  const sourceOf = Function.prototype.toString;
  const numberOf = (work: object): number => bodyNumberIn(Reflect.apply(sourceOf, work, [])) ?? -1;
  const reached = (): void => {
    const running = cases.getStore();
    if (running) running.isReached = true;
  };

  return {
    register: work => void registered.add(numberOf(work)),
    run(work, isTodo, call) {
      const one: Case = { body: bodies[numberOf(work)], isReached: isTodo };
      all.push(one);
      return cases.run(one, call);
    },
    count: reached,
    skip: reached,
    unreached: () => all.find(({ body, isReached }) => body?.mustReach && !isReached)?.body?.line,
    unregistered: () => missingTest(bodies, [...registered])?.line,
    registered: () => [...registered],
  };
}

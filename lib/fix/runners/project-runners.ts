import type { Opened } from '../../core/async.ts';
import { once } from '../../core/async.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { Runner } from './runner.ts';

/** The processes that run a project's tests, each made when it is first needed. */
export interface ProjectRunners {
  /** Runs all tests before the search. */
  first(): Promise<Runner>;
  /** The first and another: they try candidates, and repeat tests. */
  both(): Promise<readonly [Runner, Runner]>;
  /** Tries the answers of a conversation. */
  third(): Promise<Runner>;
  /** One that has run nothing yet: the one that was started ahead or given back, if there is one. */
  fresh(): Promise<Runner>;
  /** One that has run nothing yet, and is not the one that was started ahead. */
  another(): Promise<Runner>;
  /** Starts the second of both, where starting takes long. */
  startSecond(): Promise<void>;
  /** Starts the next fresh one, where starting takes long. */
  startFresh(): Promise<void>;
  /** Takes one that has run nothing yet, to be the next fresh one. */
  giveBack(runner: Runner | null): void;
}

/** @param opened closes them at the end */
export function createProjectRunners(project: () => Promise<OpenProject>, opened: Opened): ProjectRunners {
  const another = async () => opened((await project()).startRunner());
  const [first, second, third] = [once(another), once(another), once(another)];
  let ahead: Runner | null = null;
  const fresh = async (): Promise<Runner> => {
    const unused = ahead ?? (await another());
    ahead = null;
    return unused;
  };
  /** Pytest takes seconds to load its plugins; frameworks of JavaScript use several processors themselves. */
  const isSlow = async () => (await project()).language === 'python';
  return {
    first,
    both: async () => [await first(), await second()],
    third,
    fresh,
    another,
    async startSecond() {
      if (await isSlow()) (await second()).start();
    },
    async startFresh() {
      if (!(await isSlow())) return;
      ahead = await fresh();
      ahead.start();
    },
    giveBack(runner) {
      ahead ??= runner;
    },
  };
}

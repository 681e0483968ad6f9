import type { Opened } from '../../core/async.ts';
import { once } from '../../core/async.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { Runner } from './runner.ts';

/** The processes that run a project's tests, each made when it is first needed. */
export interface ProjectRunners {
  /** Runs all tests before the search. */
  first(): Promise<Runner>;
  /** Repeat tests. */
  repeating(): Promise<readonly Runner[]>;
  /** Try candidates. */
  searching(): Promise<readonly Runner[]>;
  /** Tries the answers of a conversation. */
  answering(): Promise<Runner>;
  /** Try other repairs for a question. */
  comparing(): Promise<readonly Runner[]>;
  /** One that has run nothing yet: the one that was started ahead or given back, if there is one. */
  fresh(): Promise<Runner>;
  /** One that has run nothing yet, and is not the one that was started ahead. */
  another(): Promise<Runner>;
  /** Starts the second of those that repeat tests, where starting takes long. */
  startSecond(): Promise<void>;
  /** Starts the next fresh one, where starting takes long. */
  startFresh(): Promise<void>;
  /** Takes one that has run nothing yet, to be the next fresh one. */
  giveBack(runner: Runner | null): void;
}

/**
 * Without a conversation, the first and a second do everything but confirm. With one, the first does what a repair of
 * the model needs, and others search meanwhile: they are not started if the model answers first.
 * @param opened closes them at the end @param converses whether a model writes the project's files in a conversation
 */
export function createProjectRunners(
  project: () => Promise<OpenProject>,
  opened: Opened,
  converses: boolean,
): ProjectRunners {
  const another = async () => opened((await project()).startRunner());
  const [first, second, third, fourth] = [once(another), once(another), once(another), once(another)];
  const both = async () => [await first(), await second()];
  const alone = async () => [await first()];
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
    repeating: converses ? alone : both,
    searching: converses ? async () => [await second(), await third()] : both,
    answering: async () => ((await first()).separates ? await first() : await fourth()),
    comparing: converses ? alone : both,
    fresh,
    another,
    async startSecond() {
      if (!converses && (await isSlow())) (await second()).start();
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

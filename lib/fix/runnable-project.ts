import { fromPromise } from 'xstate';
import { projectMachine } from '../../machines/project.ts';
import { TIME_UP } from '../../machines/project-setup.ts';
import { suspectMachine } from '../../machines/suspect.ts';
import { writerMachine } from '../../machines/writer.ts';
import { reason } from '../core/errors.ts';
import type { ProjectActors } from './actors.ts';

/**
 * The machine for projects with its actors, and the machines that it invokes with theirs.
 * @param inTime aborts when the time is up, which ends the search and not the repair
 */
export function runnableProject(
  actors: ProjectActors,
  inTime: AbortSignal,
  onWarning: ((sentence: string) => void) | undefined,
) {
  let failure: unknown = null;
  const watched = async <Result>(work: Promise<Result>): Promise<Result> =>
    await work.catch(error => {
      failure = error;
      throw error;
    });
  const searching = async <Result>(work: Promise<Result>): Promise<Result> =>
    await watched(work).catch(error => {
      throw inTime.aborted ? Object.assign(new Error('The time is up.'), { code: TIME_UP }) : error;
    });
  /** A model that fails does not end the search. */
  const writing = async <Result>(work: Promise<Result>, stop: AbortSignal): Promise<Result> =>
    await work.catch(error => {
      if (!inTime.aborted && !stop.aborted) onWarning?.(reason(error));
      throw error;
    });
  const { search, write } = actors;
  const machine = projectMachine.provide({
    actors: {
      copy: fromPromise(() => watched(actors.copy())),
      test: fromPromise(() => watched(actors.test())),
      repeat: fromPromise(({ input }) => watched(actors.repeat(input))),
      locate: fromPromise(({ input }) => watched(actors.locate(input))),
      write: writerMachine.provide({
        actors: {
          ask: fromPromise(({ input, signal }) =>
            writing(
              write().then(each => each.ask(input, signal)),
              signal,
            ),
          ),
          try: fromPromise(({ input, signal }) =>
            writing(
              write().then(each => each.try(input)),
              signal,
            ),
          ),
          reduce: fromPromise(({ input, signal }) =>
            writing(
              write().then(each => each.reduce(input)),
              signal,
            ),
          ),
        },
      }),
      search: suspectMachine.provide({
        actors: {
          propose: opened(search, each => each.propose, searching),
          enumerate: opened(search, each => each.enumerate, searching),
          screen: opened(search, each => each.screen, searching),
          combine: opened(search, each => each.combine, searching),
        },
      }),
      confirm: fromPromise(({ input }) => watched(actors.confirm(input))),
      question: fromPromise(({ input }) => watched(actors.question(input))),
      judge: fromPromise(({ input }) => watched(actors.judge(input))),
    },
    actions: { loadModel: () => actors.loadModel(), endSearch: () => actors.endSearch() },
  });
  /** The error of the actor that failed last. */
  return { machine, failure: () => failure };
}

/** An actor of those that `open` gives when it starts. @param around what is done with each result */
function opened<Actors, Input, Output>(
  open: () => Promise<Actors>,
  actorOf: (actors: Actors) => (input: Input, signal: AbortSignal) => Promise<Output>,
  around: (work: Promise<Output>) => Promise<Output>,
) {
  return fromPromise<Output, Input>(({ input, signal }) =>
    around(open().then(actors => actorOf(actors)(input, signal))),
  );
}

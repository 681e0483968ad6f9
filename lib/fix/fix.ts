import { createActor, fromPromise } from 'xstate';
import { projectMachine } from '../../machines/project.ts';
import type {
  Confirmation,
  ConfirmInput,
  JudgedProject,
  JudgeInput,
  LocateInput,
  RewriteInput,
  SearchInput,
  SearchResult,
  Suspect,
} from '../../machines/project-actors.ts';
import { closingAll } from '../core/close-all.ts';
import { joinSignals } from '../core/join-signals.ts';
import type { TestReport } from '../core/project-tests.ts';
import { createProjectActors, type ProjectActors } from './actors.ts';
import { eventsOf } from './events.ts';
import type { FixOptions, FixParts } from './options.ts';
import { type EndedRepair, type FixReport, reportOf } from './report.ts';

/**
 * Finds out why a project's tests fail and searches for a change of its functions that makes them pass. Works
 * in a copy: nothing in the project itself is written, and the report holds the changes. Rejects with the
 * signal's reason if aborted; the report says whether the time limit was reached.
 * @throws HefixError the `TARGET_`, `TESTS_`, `FUNCTION_`, `PROJECT_`, `SOURCE_`, `INTERPRETER_` and sandbox
 * errors
 */
export async function fix(options: FixOptions, parts: FixParts, signal: AbortSignal): Promise<FixReport> {
  const started = parts.now();
  const timer = new AbortController();
  const joined = joinSignals(signal, timer.signal);
  let timeout: NodeJS.Timeout | undefined;
  // The copy is not part of the time.
  const startTime = (): void => {
    timeout ??= setTimeout(() => timer.abort(), options.time * 1000);
  };
  try {
    return await closingAll(async opened => {
      const given = { options, parts, opened, signal, inTime: joined.signal };
      const actors = createProjectActors(given);
      const ended = await finished(actors, options, { ...parts, startTime }, signal);
      signal.throwIfAborted();
      const seconds = (parts.now() - started) / 1000;
      return reportOf(ended, { project: await actors.project(), isTimeUp: timer.signal.aborted, seconds });
    });
  } finally {
    clearTimeout(timeout);
    joined.release();
  }
}

/** Runs the machine to a final state; rejects with the error of the actor that failed. */
function finished(
  actors: ProjectActors,
  { suspectsOnly, iterations }: FixOptions,
  { inspect, snapshot, onSnapshot, onEvent, startTime }: FixParts & { readonly startTime: () => void },
  signal: AbortSignal,
): Promise<EndedRepair> {
  let failure: unknown = null;
  const kept = <Input, Output>(work: (input: Input) => Promise<Output>) =>
    fromPromise<Output, Input>(({ input }) =>
      work(input).catch(error => {
        failure = error;
        throw error;
      }),
    );
  const machine = projectMachine.provide({
    actors: {
      copy: kept(() => actors.copy()),
      test: kept(() => actors.test()),
      repeat: kept((input: TestReport) => actors.repeat(input)),
      locate: kept<LocateInput, readonly Suspect[]>(actors.locate),
      search: kept<SearchInput, SearchResult>(actors.search),
      rewrite: kept<RewriteInput, SearchResult>(actors.rewrite),
      confirm: kept<ConfirmInput, Confirmation>(actors.confirm),
      judge: kept<JudgeInput, JudgedProject>(actors.judge),
    },
    actions: { loadModel: () => actors.loadModel() },
  });
  const actor = createActor(machine, {
    input: { suspectsOnly, iterations },
    ...(snapshot ? { snapshot } : {}),
    ...(inspect ? { inspect } : {}),
  });
  return new Promise((resolve, reject) => {
    const abort = () => {
      actor.stop();
      reject(signal.reason);
    };
    let before: string | null = null;
    actor.subscribe({
      next({ value, status, context }) {
        const state = String(value);
        if (state !== 'copy') startTime();
        // A state may follow itself.
        for (const event of eventsOf(before, state, context)) onEvent(event);
        before = state;
        if (status !== 'done') {
          try {
            return onSnapshot?.(actor.getPersistedSnapshot());
          } catch (error) {
            actor.stop();
            return reject(error);
          }
        }
        signal.removeEventListener('abort', abort);
        if (state === 'error') reject(failure ?? new Error(context.cause?.message));
        else resolve({ state, context });
      },
      error: reject,
    });
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    actor.start();
  });
}

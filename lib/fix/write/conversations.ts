import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tried } from '../../../machines/project-actors.ts';
import type { ProjectContext } from '../../../machines/project-setup.ts';
import { type StartTimer, startTimer as startRealTimer } from '../../core/async.ts';
import { reason } from '../../core/errors.ts';
import type { TestResult } from '../../core/project-tests.ts';
import type { StartedModel } from '../model/start-model.ts';
import { type SourceFile, sourcesOf } from '../patch/source-file.ts';
import type { OpenProject } from '../project/open-project.ts';
import { languageOf } from '../project/target.ts';
import { suspectIn } from '../repair/suspect-change.ts';
import type { ModelUse } from '../report.ts';
import type { Spent } from './ask-model.ts';
import { createWriter, type WriterActors, type WriterParts } from './writer.ts';

interface ConversationParts
  extends Pick<
    WriterParts,
    'options' | 'runner' | 'fresh' | 'signal' | 'onAnswered' | 'onPrompt' | 'onAnswer' | 'onCall'
  > {
  readonly project: () => Promise<OpenProject>;
  readonly model: () => Promise<StartedModel>;
  /** Of the machine for projects. */
  readonly context: () => ProjectContext;
  readonly onTried: (tried: Tried) => void;
  readonly startTimer?: StartTimer;
}

/** A quick model has answered by then; the processes that try edits take about as long to start. */
const QUICK_MS = 2_000;

/** The conversations with a model that writes files: one for each bug, so that a partial repair starts no other. */
export function startConversations(setup: ConversationParts) {
  const { project, model, context, onTried, startTimer = startRealTimer, ...parts } = setup;
  const use: WriterParts['use'] = { now: NOTHING };
  let current: { readonly repaired: number; readonly actors: WriterActors } | null = null;
  let failure: string | null = null;
  let pause: Promise<unknown> | null = null;
  /** No edit has its turn before `until` settles. */
  const pausing = <Result>(run: Promise<Result>, until: Promise<unknown> = run): Promise<Result> => {
    // Until the machine has gone on: it may try or reduce the answer, or end the search.
    const busy = until.then(
      () => nextTurn(),
      () => nextTurn(),
    );
    pause = busy;
    void busy.finally(() => {
      if (pause === busy) pause = null;
    });
    return run;
  };
  /** Settles with the answer, or once it takes longer than that of a quick model. */
  const answeredSoon = async (answer: Promise<unknown>): Promise<void> => {
    let stop = (): void => {};
    const late = new Promise<void>(resolve => {
      stop = startTimer(resolve, QUICK_MS);
    });
    await Promise.race([answer, late]).finally(stop);
  };
  const opened = async () => {
    const opening = await model();
    const textModel = await opening.model;
    if (textModel === null && opening.failed.aborted) throw opening.failed.reason;
    // A model that was downloaded only now.
    return textModel?.answer === 'edit' ? null : textModel;
  };
  const start = async (): Promise<WriterActors> => {
    const { changes, suspects, repairs, tests } = context();
    const repaired = repairs.filter(({ isPartial }) => isPartial !== true).length;
    if (current?.repaired === repaired) return current.actors;
    const opening = { project: await project(), repaired: sourcesOf(changes) };
    await checkFiles(opening, tests, parts.signal);
    const actors = createWriter({
      ...{ ...parts, project: opening.project, model: opened, use },
      suspects: suspects.map(suspect => suspectIn(opening, suspect)),
      onTried: () => onTried({ type: 'tried', place: -1, passed: 0, of: 0, progress: null }),
    });
    const ask: WriterActors['ask'] = (input, stop) =>
      actors.ask(input, stop).catch(error => {
        if (!parts.signal.aborted && !stop.aborted) failure = reason(error);
        throw error;
      });
    current = {
      repaired,
      actors: {
        ask(input, stop) {
          const answer = ask(input, stop);
          return pausing(answer, answeredSoon(answer));
        },
        try: input => pausing(actors.try(input)),
        reduce: input => pausing(actors.reduce(input)),
      },
    };
    return current.actors;
  };
  return {
    /** The actors of the one that is under way. */
    now: () => pausing(start()),
    /** Resolves when an edit may be tried: while the model writes, unless it has only begun. */
    async idle(): Promise<void> {
      while (pause !== null) await pause;
    },
    use: (): ModelUse => useOf(use.now, failure, parts.options),
  };
}

/** The prompt may show any of them. */
async function checkFiles(
  {
    project,
    repaired,
  }: { readonly project: OpenProject; readonly repaired: ReadonlyMap<string, SourceFile> },
  tests: readonly TestResult[],
  signal: AbortSignal,
): Promise<void> {
  const { sources, plan, has, source, language } = project;
  const shown = tests.flatMap(({ frames = [] }) => frames.map(([path]) => path));
  const others = [...plan.tests, ...shown].filter(path => has(path) && languageOf(path) === language);
  const paths = new Set([...sources, ...others]);
  const files = [...paths].map(path => repaired.get(path) ?? source(path));
  await project.check(files, signal);
}

const NOTHING: Spent = {
  ...{ requests: 0, promptTokens: 0, completionTokens: 0 },
  paid: { prompt: 0, completion: 0 },
};

function useOf(
  { paid, ...spent }: Spent,
  failure: string | null,
  { prices }: WriterParts['options'],
): ModelUse {
  const use = { ...spent, failure: spent.completionTokens === 0 ? failure : null };
  if (prices === undefined) return { ...use, cost: null };
  // One token at a price of one costs a millionth.
  const cost = paid.prompt * prices.prompt + paid.completion * prices.completion;
  return { ...use, cost: Math.round(cost) / 1e6 };
}

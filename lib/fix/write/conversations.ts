import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tried } from '../../../machines/project-actors.ts';
import type { ProjectContext } from '../../../machines/project-setup.ts';
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
}

/** The conversations with a model that writes files: one for each bug, so that a partial repair starts no other. */
export function startConversations({ project, model, context, onTried, ...parts }: ConversationParts) {
  const use: WriterParts['use'] = { now: NOTHING };
  let current: { readonly repaired: number; readonly actors: WriterActors } | null = null;
  let failure: string | null = null;
  let testing: Promise<unknown> | null = null;
  const tested = <Result>(run: Promise<Result>): Promise<Result> => {
    // Until the machine has gone on: it may reduce the answer, or end the search.
    const busy = run.then(
      () => nextTurn(),
      () => nextTurn(),
    );
    testing = busy;
    void busy.finally(() => {
      if (testing === busy) testing = null;
    });
    return run;
  };
  const opened = async () => {
    const opening = await model();
    const found = await opening.model;
    if (found === null && opening.failed.aborted) throw opening.failed.reason;
    // A model that was downloaded only now.
    return found?.answer === 'edit' ? null : found;
  };
  return {
    /** The actors of the one that is under way. */
    async now(): Promise<WriterActors> {
      const { changes, suspects, repairs, tests } = context();
      const repaired = repairs.filter(({ isPartial }) => isPartial !== true).length;
      if (current?.repaired === repaired) return current.actors;
      const given = { project: await project(), repaired: sourcesOf(changes) };
      await checkFiles(given, tests, parts.signal);
      const actors = createWriter({
        ...{ ...parts, project: given.project, model: opened, use },
        suspects: suspects.map(suspect => suspectIn(given, suspect)),
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
          ask,
          try: input => tested(actors.try(input)),
          reduce: input => tested(actors.reduce(input)),
        },
      };
      return current.actors;
    },
    /** Resolves when no answer is being tested: edits are tried while the model writes. */
    async idle(): Promise<void> {
      while (testing !== null) await testing;
    },
    use: (): ModelUse | null => (parts.options.converses ? useOf(use.now, failure, parts.options) : null),
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

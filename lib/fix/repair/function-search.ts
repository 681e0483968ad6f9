import type { AgentActors, Proposal } from '../../../machines/actors.ts';
import { unasked } from '../../../machines/context.ts';
import { isPassing, unchecked } from '../../../machines/pool.ts';
import type { Suspect as SuspectData } from '../../../machines/project-actors.ts';
import { joinSignals, once } from '../../core/async.ts';
import { reason } from '../../core/errors.ts';
import type { TextModel } from '../../core/ports.ts';
import { pooled, readAnswer } from '../../repair/candidates.ts';
import { functionsIn, type ProjectFunction } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import { answersEdits } from '../model/start-model.ts';
import type { FixOptions, FixParts } from '../options.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { Runner } from '../runners/runner.ts';
import { failuresOf } from './failure-facts.ts';
import { functionEdits, MAX_EDITS } from './function-edits.ts';
import { functionTask } from './function-task.ts';
import { suspectIn } from './suspect-change.ts';
import {
  createCandidateJudge,
  IN_FLIGHT,
  IN_FLIGHT_IN_TURNS,
  inOrder,
  type JudgeInput,
} from './tests-decide.ts';

/** The search for one repair, in the functions of its suspects. */
export interface Round {
  readonly fresh: Runner;
  search(place: number): FunctionSearch;
  /** Results of the model that arrive after the round are not needed. */
  end(): void;
}

export interface RoundParts extends RoundInput {
  /** Aborts if the model cannot be opened. */
  readonly failed: AbortSignal;
}

export function startRound(input: RoundParts, suspects: readonly SuspectData[]): Round {
  const over = new AbortController();
  const joined = joinSignals(input.signal, input.failed, over.signal);
  const roundInput = { ...input, signal: joined.signal };
  const searches = new Map<number, FunctionSearch>();
  const searchAt = (place: number): FunctionSearch | undefined => {
    const suspect = over.signal.aborted ? undefined : suspects[place];
    const existing = searches.get(place);
    if (existing || !suspect) return existing;
    const next = () => searchAt(place + 1)?.answered();
    const search = searchFunction(roundInput, place, suspectIn(input, suspect), next);
    searches.set(place, search);
    return search;
  };
  return {
    fresh: input.fresh,
    search(place) {
      const functionSearch = searchAt(place);
      if (!functionSearch) throw new Error(`There is no suspect ${place}.`);
      return functionSearch;
    },
    end() {
      over.abort();
      joined.release();
      for (const each of searches.values()) each.close();
    },
  };
}

/** What the searches of a round share. */
export interface RoundInput extends JudgeInput {
  readonly project: OpenProject;
  readonly options: FixOptions;
  readonly parts: FixParts;
  /** Null for none. Never rejects. */
  readonly model: Promise<TextModel | null>;
}

/** The search for a repair of one function. */
export interface FunctionSearch {
  /** The actors of its machine. The model answers once, however often it is asked. */
  readonly actors: Pick<AgentActors, 'propose' | 'enumerate' | 'screen' | 'combine'>;
  /** Resolves once the model has answered. */
  answered(): Promise<unknown>;
  close(): void;
}

const MAX_PAIRS = 1500;

/** @param next lets the model answer for the next function */
export function searchFunction(
  input: RoundInput,
  place: number,
  suspect: Suspect,
  next: () => Promise<unknown> | undefined,
): FunctionSearch {
  const { project, options, signal, runners, parts } = input;
  const { parser } = project;
  const { function: suspectFunction } = suspect;
  const current = input.repaired.get(suspectFunction.file.path) ?? project.source(suspectFunction.file.path);
  const functionAsTask = functionTask(parser, project.language, current.text, suspectFunction);
  const { task } = functionAsTask;
  const edits = functionEdits(functionAsTask, suspicionByLine(suspect, functionsIn(parser, current)), {
    parser,
    signal,
    failures: failuresOf(input, suspect, current.text),
    turn: input.turn,
  });
  const judge = createCandidateJudge(input, place, [suspectFunction], functionAsTask, current);

  const propose = async (model: TextModel): Promise<Proposal> => {
    const { beams, maxNewTokens, seed } = options;
    if (beams === 0 || !answersEdits(model, task.language)) return unanswered;
    const { codeStyle, likeliest } = await import('../../repair/propose/propose.ts');
    const style = { agent: 'reflect', feedback: 'tests', answer: 'edit' } as const;
    const request = { task, node: 'draft', iteration: 0, temperature: 0, attempts: [], sample: 0 } as const;
    return await likeliest(
      { model, options: { ...style, examples: false, topP: 1, topK: 0, maxNewTokens, seed } },
      await codeStyle(style),
      { ...request, beams },
      beams,
      signal,
    );
  };
  const candidatesOf = async (limit: number, answers: readonly string[]) => {
    const count = Math.min(limit, MAX_EDITS);
    const single = (await edits.upTo(count)).slice(0, count);
    const { candidates: enumerated } = pooled(parser, [], single);
    if (answers.length === 0) return enumerated;
    const read = answers.map(answer => readAnswer(parser, task, answer));
    const singleCodes = new Set(single);
    const others = pooled(parser, read, []).candidates.filter(({ code }) => !singleCodes.has(code ?? ''));
    return [...others, ...enumerated];
  };
  /** If the model fails, the enumerated edits remain; if it was aborted, that is reported elsewhere. */
  const answered = once(async () => {
    try {
      const model = await input.model;
      signal.throwIfAborted();
      return model ? await propose(model) : unanswered;
    } catch (error) {
      if (signal.aborted) throw error;
      parts.onWarning?.(reason(error));
      return unanswered;
    }
  });

  return {
    answered,
    actors: {
      propose: answered,
      async enumerate({ limit, answers, time }) {
        const candidates = await candidatesOf(limit, answers ?? []);
        return { candidates, unusable: 0, time };
      },
      async screen({ candidates, until, time }) {
        // The model answers meanwhile, for the next function too.
        const isBeforeAnswer = until === 'all';
        if (isBeforeAnswer)
          answered()
            .then(next)
            .catch(() => {});
        const trials = await inOrder({
          items: candidates,
          atOnce: runners.length * (input.turn ? IN_FLIGHT_IN_TURNS : IN_FLIGHT),
          async attempt({ code, origin }, worker) {
            const { isRepair, passed } = await judge({ code, origin: origin.kind }, worker);
            return isRepair
              ? { ...unchecked, assertionsPassed: passed }
              : { outcome: 'failed', assertionsPassed: passed, firstFailing: 0, overran: false };
          },
          signal,
        });
        // Nothing is asked once an edit passes, so that the repair does not depend on when the model answers.
        const isByClock = signal.aborted;
        const isUp = (isByClock || isBeforeAnswer) && trials.some(isPassing);
        const over = { ...time, spent: time.limit, ...(isByClock && { isByClock }) };
        return { trials, checks: [], isEmpty: false, time: isUp ? over : time };
      },
      async combine({ candidates, assertionsPassed, ...request }) {
        const isSingle = candidates.map(({ origin }) => origin.kind !== 'sample');
        const single = {
          candidates: candidates.filter((_, index) => isSingle[index]),
          assertionsPassed: assertionsPassed.filter((_, index) => isSingle[index]),
        };
        const { combined } = await import('../../repair/actors/combine.ts');
        return await combined(
          parser,
          { ...request, ...single, limit: Math.min(request.limit, MAX_PAIRS) },
          signal,
        );
      },
    },
    close: edits.close,
  };
}

const unanswered = unasked('draft');

/** The suspicion of a suspect's lines. Those of functions in it, which are suspects themselves, have none. */
function suspicionByLine(
  { function: { firstLine, lastLine }, lines }: Suspect,
  functions: readonly ProjectFunction[],
): ReadonlyMap<number, number> {
  if (lines.size === 0) return lines;
  const inner = functions.filter(each => firstLine < each.firstLine && each.lastLine <= lastLine);
  const others = inner.flatMap(each =>
    Array.from(
      { length: each.lastLine - each.firstLine + 1 },
      (_, index) => [each.firstLine + index, 0] as const,
    ),
  );
  return new Map([...others, ...lines]);
}

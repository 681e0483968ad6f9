import type { AgentActors, Proposal } from '../../../machines/actors.ts';
import { unasked } from '../../../machines/context.ts';
import { isPassing, unchecked } from '../../../machines/pool.ts';
import { once } from '../../core/async.ts';
import { reason } from '../../core/errors.ts';
import type { TextModel } from '../../core/ports.ts';
import { combined } from '../../repair/actors/combine.ts';
import { pooled, readAnswer } from '../../repair/candidates.ts';
import { functionsIn, type ProjectFunction } from '../localise/functions.ts';
import type { Suspect } from '../localise/suspects.ts';
import { projectWriter } from '../model/project-writer.ts';
import { sampledAnswers } from '../model/sampled-answers.ts';
import { answersEdits } from '../model/start-model.ts';
import { createAnswerRace } from './answer-race.ts';
import { failuresOf } from './failure-facts.ts';
import { functionActors, type RewriteActors, type RoundInput } from './function-actors.ts';
import { functionEdits, MAX_EDITS } from './function-edits.ts';
import { functionTask } from './function-task.ts';
import { createCandidateJudge, IN_FLIGHT, inOrder } from './tests-decide.ts';

/** The search for a repair of one function. */
export interface FunctionSearch {
  /** The actors of its machine. The model answers once, however often it is asked. */
  readonly actors: Pick<AgentActors, 'propose' | 'enumerate' | 'screen' | 'combine'>;
  /** The actors of the agent that lets the model write the function again. */
  rewriting(): Promise<RewriteActors>;
  /** Resolves once the model has answered. */
  answered(): Promise<unknown>;
  close(): void;
}

/**
 * How long a repair waits for a model that writes functions, which may be better than any edit, and how long the search
 * waits to learn which kind of model it is.
 */
const PATIENCE_MS = 5_000;
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
  const { function: found } = suspect;
  const current = input.repaired.get(found.file.path) ?? project.source(found.file.path);
  const functionAsTask = functionTask(parser, project.language, current.text, found);
  const { task } = functionAsTask;
  const edits = functionEdits(functionAsTask, ownLines(suspect, functionsIn(parser, current)), {
    parser,
    signal,
    failures: failuresOf(input, suspect, current.text),
    turn: input.turn,
  });
  const race = createAnswerRace();
  const judge = createCandidateJudge(input, place, [found], functionAsTask, current);

  const actorsWith = (model: TextModel, answer: 'edit' | 'whole') =>
    functionActors(input, functionAsTask, judge, model, answer);
  const writer = once(() =>
    functionAsTask.kind === 'function'
      ? projectWriter(input, { file: current, functions: [found], language: task.language })
      : Promise.resolve(null),
  );
  const propose = async (model: TextModel): Promise<Proposal> => {
    const written = await writer();
    if (written) {
      const answers = await sampledAnswers(task, { model: written, parser, options, signal });
      return { ...unanswered, answers, isAnswered: true, temperature: options.temperature ?? 0 };
    }
    if (options.beams === 0 || !answersEdits(model, task.language)) return unanswered;
    const request = { task, node: 'draft', iteration: 0, temperature: 0, attempts: [], sample: 0 } as const;
    return await actorsWith(model, 'edit').propose({ ...request, beams: options.beams }, signal);
  };
  const candidatesOf = async (limit: number, answers: readonly string[]) => {
    const count = Math.min(limit, MAX_EDITS);
    const single = (await edits.upTo(count)).slice(0, count);
    const { candidates: enumerated } = pooled(parser, [], single);
    if (answers.length === 0) return enumerated;
    if (await writer()) {
      const origin = { kind: 'sample', rank: 1, of: answers.length } as const;
      const { versionIn } = functionAsTask;
      return [...answers.map(answer => ({ code: versionIn(answer), answer, origin })), ...enumerated];
    }
    const read = answers.map(answer => readAnswer(parser, task, answer));
    const known = new Set(single);
    const others = pooled(parser, read, []).candidates.filter(({ code }) => !known.has(code ?? ''));
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

  /** Whether there is no model, or one that writes edits: other models take so long that edits are tried meanwhile. */
  const answersQuickly = async (): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>(resolve => {
      timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
    });
    const model = await Promise.race([input.model, late]).finally(() => clearTimeout(timer));
    return model !== undefined && (model === null || model.answer === 'edit');
  };

  return {
    answered,
    async rewriting() {
      const model = await writer();
      if (!model) throw new Error('There is no model that writes functions.');
      return actorsWith(model, 'whole');
    },
    actors: {
      propose: answered,
      async enumerate({ limit, answers, time }) {
        const candidates = await candidatesOf(limit, answers ?? []);
        return { candidates, unusable: 0, time };
      },
      async screen({ candidates, until, time }) {
        const patience = new AbortController();
        const isEnough = until === 'all' ? answered() : null;
        if (isEnough) isEnough.then(next).catch(() => {});
        // Its answers come after these edits, so that the repair does not depend on when they come.
        const isRace = isEnough !== null && !(await answersQuickly());
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<void>(resolve => patience.signal.addEventListener('abort', () => resolve()));
        const trials = await inOrder({
          items: candidates,
          atOnce: runners.length * IN_FLIGHT,
          async attempt({ code, origin }, worker) {
            const { isRepair, passed } = await judge({ code, origin: origin.kind }, worker);
            if (isRepair && isRace) timer ??= setTimeout(() => patience.abort(), PATIENCE_MS);
            return isRepair
              ? { ...unchecked, assertionsPassed: passed }
              : { outcome: 'failed', assertionsPassed: passed, firstFailing: 0, overran: false };
          },
          until: isRace ? Promise.race([isEnough, late]) : null,
          signal,
        }).finally(() => clearTimeout(timer));
        // Then nothing is asked: the first that passes is the repair.
        if (isRace) race.answeredAfter(candidates, trials);
        const isByClock = patience.signal.aborted || signal.aborted || race.isDecisive(candidates, trials);
        const isUp = (isByClock || (isEnough !== null && !isRace)) && trials.some(isPassing);
        const over = { ...time, spent: time.limit, ...(isByClock && { isByClock }) };
        return { trials, checks: [], isEmpty: false, time: isUp ? over : time };
      },
      async combine({ candidates, assertionsPassed, ...request }) {
        const isSingle = candidates.map(({ origin }) => origin.kind !== 'sample');
        const single = {
          candidates: candidates.filter((_, at) => isSingle[at]),
          assertionsPassed: assertionsPassed.filter((_, at) => isSingle[at]),
        };
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
function ownLines(
  { function: { firstLine, lastLine }, lines }: Suspect,
  functions: readonly ProjectFunction[],
): ReadonlyMap<number, number> {
  if (lines.size === 0) return lines;
  const inner = functions.filter(each => firstLine < each.firstLine && each.lastLine <= lastLine);
  const others = inner.flatMap(each =>
    Array.from({ length: each.lastLine - each.firstLine + 1 }, (_, at) => [each.firstLine + at, 0] as const),
  );
  return new Map([...others, ...lines]);
}

import { setImmediate } from 'node:timers/promises';
import { type Completion, descriptionOf, type TextModel } from '../core/ports.ts';
import type { TaskRun } from '../core/record.ts';
import type { Asked, JobEvents } from './run-events.ts';

interface WatchedModel {
  readonly model: TextModel;
  /** The last error; undefined if there was none. */
  failure(): unknown;
  /** Null if no reply came from the cache. */
  cached(): TaskRun['cached'];
}

/** Tells what a model is asked and answers, and counts replies of the cache. @param before counts of an interrupted run */
export function watchModel(model: TextModel, events: JobEvents, before: TaskRun['cached']): WatchedModel {
  const kept = { replies: 0, prompt: 0, completion: 0, ...before };
  const count: CountReply = reply => {
    if (!reply.cached) return reply;
    kept.replies++;
    kept.prompt += reply.promptTokens;
    kept.completion += reply.completionTokens;
    return reply;
  };
  let failure: unknown;
  const watched: TextModel = {
    ...descriptionOf(model),
    ...(model.beams && { beams: asking(events, count, model.beams.bind(model)) }),
    ...(model.score && { score: asking(events, count, model.score.bind(model)) }),
    async generate(request, options) {
      // The agent calls as it enters a state; the state is reported right after that.
      await Promise.resolve();
      events.generationStarted(request.temperature);
      events.asked(request);
      let tokens = 0;
      const onText = (piece: string) => {
        events.text(piece);
        options?.onText?.(piece);
      };
      try {
        const completion = await model.generate(request, { ...options, onText });
        tokens = completion.completionTokens;
        return count(completion);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        events.generationEnded(tokens);
        await ownTurn();
      }
    },
    close: () => model.close(),
  };
  return { model: watched, failure: () => failure, cached: () => (kept.replies > 0 ? { ...kept } : null) };
}

/** Counts a reply that came from the cache, and returns it. */
type CountReply = <Reply extends CountedReply>(reply: Reply) => Reply;
type CountedReply = Pick<Completion, 'cached' | 'promptTokens' | 'completionTokens'>;

function asking<Request extends Asked, Options, Result extends CountedReply>(
  events: JobEvents,
  count: CountReply,
  call: (request: Request, options?: Options) => Promise<Result>,
) {
  return async (request: Request, options?: Options) => {
    events.asked(request);
    return count(await call(request, options));
  };
}

/**
 * Each reply is processed in a turn of the event loop of its own. Otherwise many that arrive together would hold back
 * the records of the first ones, and all workers would wait for the slowest, then again for the next replies.
 */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

let lastTurn = Promise.resolve();

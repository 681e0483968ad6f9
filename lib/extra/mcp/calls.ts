import { setMaxListeners } from 'node:events';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import pLimit from 'p-limit';
import { joinSignals, unlessAborted } from '../../core/async.ts';
import { inputTooLarge, serverBusy, serverClosed, type ToolError, timeUp, toolError } from './errors.ts';

/** Runs the calls of all tools within the server's limits, and keeps the latest ones. */
export interface Calls {
  /**
   * Answers a call with the result of `action`, or with its error; never rejects. `texts` are the parts of
   * the input that count towards the size limit.
   */
  answer<Result extends object>(
    call: { readonly tool: string; readonly input: object; readonly texts: readonly (string | undefined)[] },
    context: ServerContext,
    action: (call: Call) => Promise<Answer<Result>>,
  ): Promise<CallToolResult>;
  /** The latest finished calls, newest first. */
  last(): readonly EndedCall[];
  /** Stops all calls in progress; resolves once they have ended. */
  close(): Promise<void>;
}

export interface Call {
  /** Aborts if the client cancels, the time is up or the server closes. */
  readonly signal: AbortSignal;
  /** Reports another step of `total`, if the client asked for progress. */
  step(message: string, total: number): void;
}

export interface Answer<Result extends object> {
  readonly result: Result;
  /** Shown only in the call's resource. */
  readonly details?: object;
}

interface EndedCall {
  readonly id: string;
  readonly tool: string;
  /** ISO 8601. */
  readonly started: string;
  readonly seconds: number;
  readonly input: object;
  readonly result: object | null;
  readonly error: ToolError | null;
  readonly details?: object;
}

export interface CallLimits {
  /** Time limit of a call in seconds, not counting the wait for its turn. */
  readonly time: number;
  /** Size limit of a call's texts, in KiB. */
  readonly maxSize: number;
  /** Number of concurrent calls. */
  readonly workers: number;
}

const MAX_WAITING = 64;
export const CALLS_KEPT = 20;

export function createCalls({ time, maxSize, workers }: CallLimits, onEnded: () => void): Calls {
  const limit = pLimit(workers);
  const closing = new AbortController();
  // Every waiting or running call adds a listener; Node reports a leak above ten.
  setMaxListeners(0, closing.signal);
  const inProgress = new Set<Promise<unknown>>();
  const ended: EndedCall[] = [];
  let count = 0;

  /** Waits for its turn, then runs until the time is up. */
  const limited = async <Value>(signal: AbortSignal, action: (signal: AbortSignal) => Promise<Value>) => {
    if (limit.pendingCount >= MAX_WAITING) throw serverBusy(limit.pendingCount);
    const turn = limit(async () => {
      signal.throwIfAborted();
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(timeUp(time)), time * 1000);
      const both = joinSignals(signal, late.signal);
      try {
        return await action(both.signal);
      } catch (error) {
        // Errors after the end are caused by the end.
        throw both.signal.aborted ? both.signal.reason : error;
      } finally {
        clearTimeout(timer);
        both.release();
      }
    });
    inProgress.add(turn);
    turn.then(ignored, ignored).finally(() => inProgress.delete(turn));
    // A waiting call that is cancelled leaves the queue.
    return await unlessAborted(turn, signal);
  };

  return {
    async answer({ tool, input, texts }, context, action) {
      const started = new Date();
      const { signal, release } = joinSignals(context.mcpReq.signal, closing.signal);
      const step = stepsOf(context);
      const end = { result: null as object | null, error: null as ToolError | null, details: {} };
      try {
        checkSize(texts, maxSize * 1024);
        const { result, details = {} } = await limited(signal, both => action({ signal: both, step }));
        Object.assign(end, { result, details });
      } catch (error) {
        end.error = toolError(error, context.mcpReq.signal);
      } finally {
        release();
      }
      const seconds = (Date.now() - started.getTime()) / 1000;
      ended.unshift({ id: String(++count), tool, started: started.toISOString(), seconds, input, ...end });
      ended.length = Math.min(ended.length, CALLS_KEPT);
      onEnded();
      const structuredContent = { result: end.result, error: end.error };
      const text = JSON.stringify(structuredContent);
      return { content: [{ type: 'text', text }], structuredContent, isError: end.error !== null };
    },
    last: () => ended,
    async close() {
      closing.abort(serverClosed());
      await Promise.allSettled(inProgress);
    },
  };
}

function checkSize(texts: readonly (string | undefined)[], limit: number): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  if (bytes > limit) throw inputTooLarge(bytes, limit);
}

function stepsOf({ mcpReq }: ServerContext): Call['step'] {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return (message, total) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: ++progress, total: Math.max(total, progress), message };
    // A client that has disconnected needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(ignored);
  };
}

function ignored(): void {}

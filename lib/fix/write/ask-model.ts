import type { Asked, AskInput } from '../../../machines/writer-actors.ts';
import { joinSignals } from '../../core/async.ts';
import { HefixError, isTooLong } from '../../core/errors.ts';
import type { Completion, GenerateRequest, Message, TextModel, ToolCall } from '../../core/ports.ts';
import { derivedSeed } from '../../core/random.ts';
import { contextTooShort } from '../errors.ts';
import type { Suspect } from '../localise/suspects.ts';
import type { FixOptions } from '../options.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { ModelUse } from '../report.ts';
import { blocksGrammar, functionGrammar, functionStart } from './answer-grammar.ts';
import { functionMessages, functionNow, functionToWrite, isUnread } from './function-prompt.ts';
import { type PromptParts, projectMessages } from './project-prompt.ts';
import { callProjectTool, projectTools, type ToolParts } from './project-tools.ts';

/** Tokens include those of cached answers, which cost nothing. */
export interface Spent extends Omit<ModelUse, 'cost' | 'failure'> {
  readonly paid: { readonly prompt: number; readonly completion: number };
}

export interface AskParts {
  readonly project: OpenProject;
  readonly options: FixOptions;
  /** Null for none; rejects if it cannot be opened. */
  readonly model: () => Promise<TextModel | null>;
  readonly suspects: readonly Suspect[];
  readonly signal: AbortSignal;
  readonly onPrompt: (request: number, text: string) => void;
  readonly onAnswer: (text: string) => void;
  readonly onCall: (call: ToolCall) => void;
  /** What was spent before, and is now. */
  readonly use: { now: Spent };
}

/** What the tools of a model need that may call functions before it answers. */
type ToolsFor = (input: AskInput) => Pick<ToolParts, 'source' | 'run'>;

/** A local model computes an answer for seconds to minutes. */
export const DEFAULT_LIMITS = { context: 8000, answer: 4096, localAnswer: 1024 } as const;
/** Added to the temperature with each answer. */
const TEMPERATURE_STEP = 0.2;
/** If a prompt is too long for the model. */
const SMALLER = 0.5;
const SMALLEST = 1000;

/**
 * Asks the model, within the limits of the options and of its context. Null if no request or token is left, or there is no
 * model.
 * @returns a function that is called with a signal that aborts the request
 */
export function createAsk(
  parts: AskParts,
  toolsFor: ToolsFor,
): (input: AskInput, stop: AbortSignal) => Promise<Asked | null> {
  const { project, options, suspects, use } = parts;
  let requests = 0;
  /** Share of its budget that a prompt may have: less once one was too long. */
  let share = 1;

  /** @param exchanged calls of functions, and results */
  const generate = async (
    model: TextModel,
    input: AskInput,
    exchanged: readonly Message[],
    signal: AbortSignal,
  ): Promise<Completion | null> => {
    while (requests < input.maxRequests) {
      // The time may be up before the model is ready.
      signal.throwIfAborted();
      const limits = tokenLimits(options, model);
      const budget = Math.floor(limits.prompt * share);
      if (budget < SMALLEST) throw contextTooShort(model.name, model.contextLength);
      requests++;
      // The last request must be an answer. Local models write calls as text.
      const mayCall =
        options.usesTools === true &&
        model.nativeTools === true &&
        model.device === undefined &&
        requests < input.maxRequests;
      const prompt = { project, suspects, budget, source: toolsFor(input).source, mayCall };
      const { messages: asked, ...form } = nextPrompt(prompt, input, model);
      const messages = [...asked, ...exchanged];
      const spent = use.now.promptTokens + use.now.completionTokens;
      if (options.maxTokens !== undefined && spent >= options.maxTokens) return null;
      parts.onPrompt(
        use.now.requests + 1,
        messages.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n'),
      );
      use.now = { ...use.now, requests: use.now.requests + 1 };
      try {
        const completion = await model.generate(
          {
            messages,
            temperature: Math.min(1, (options.temperature ?? 0) + input.attempts.length * TEMPERATURE_STEP),
            ...{ topP: 1, topK: 0, seed: derivedSeed(options.seed, 'write', input.attempts.length) },
            maxNewTokens: limits.answer,
            ...form,
          },
          { signal },
        );
        use.now = spentWith(use.now, completion);
        const text = (form.prefill ?? '') + completion.text;
        parts.onAnswer(text);
        return { ...completion, text, toolCalls: form.tools && completion.toolCalls };
      } catch (error) {
        if (!(error instanceof HefixError)) throw error;
        if (error.code === 'BACKEND_ANSWER_EMPTY') return EMPTY;
        if (!isTooLong(error.code) || budget * SMALLER < SMALLEST) throw error;
        share *= SMALLER;
      }
    }
    return null;
  };

  /** What the functions that the model calls say, until it answers. */
  const answered = async (
    model: TextModel,
    input: AskInput,
    signal: AbortSignal,
  ): Promise<Completion | null> => {
    const exchanged: Message[] = [];
    const characters = tokenLimits(options, model).prompt * share;
    const tools: ToolParts = { project, tests: input.tests, characters, ...toolsFor(input) };
    for (;;) {
      const completion = await generate(model, input, exchanged, signal);
      const calls = completion?.toolCalls ?? [];
      if (completion === null || calls.length === 0) return completion;
      exchanged.push({ role: 'assistant', content: completion.text, toolCalls: calls });
      for (const call of calls) {
        parts.onCall(call);
        exchanged.push({ role: 'tool', content: await callProjectTool(tools, call) });
      }
    }
  };

  return async (input, stop) => {
    const model = await parts.model();
    if (model === null) return null;
    const joined = joinSignals(parts.signal, stop);
    const completion = await answered(model, input, joined.signal).finally(joined.release);
    if (completion === null) return null;
    return { node: input.node, completion: completion.text, isCut: completion.finish === 'length' };
  };
}

/** Tokens of a prompt, and of an answer, which share the model's context: an answer has at most half of it. */
export function tokenLimits(
  { context, answerTokens }: Pick<FixOptions, 'context' | 'answerTokens'>,
  { contextLength = Infinity, device }: Pick<TextModel, 'contextLength' | 'device'>,
): { readonly prompt: number; readonly answer: number } {
  const limits = DEFAULT_LIMITS;
  const wanted = answerTokens ?? (device === undefined ? limits.answer : limits.localAnswer);
  const answer = Math.min(wanted, Math.floor(contextLength / 2));
  return { answer, prompt: Math.min(context ?? limits.context, contextLength - answer) };
}

/**
 * What the model is asked for next: edits, after calls of functions if it may make them, or one function as a whole. For
 * the function, a server gets a grammar, and a local model the beginning of its answer.
 */
function nextPrompt(
  prompt: PromptParts,
  input: AskInput,
  { device }: Pick<TextModel, 'device'>,
): Pick<GenerateRequest, 'messages' | 'tools' | 'grammar' | 'prefill' | 'endAfter'> {
  const { project, suspects, source, mayCall } = prompt;
  const whole = functionToWrite(suspects, input.attempts);
  if (whole) {
    const written = functionNow(prompt, whole.suspect);
    const isLocal = device !== undefined;
    const messages = functionMessages(prompt, input, whole, isLocal);
    if (!isLocal) return { messages, grammar: functionGrammar(written, project.language) };
    return { messages, prefill: functionStart(written, project.language), endAfter: 'fence' };
  }
  const messages = projectMessages(prompt, input);
  if (mayCall) return { messages, tools: projectTools };
  // A model whose answers can be read is left to write as it was trained.
  return { messages, grammar: input.attempts.some(isUnread) ? blocksGrammar(suspects, source) : undefined };
}

function spentWith(
  { requests, promptTokens, completionTokens, paid }: Spent,
  { promptTokens: prompt, completionTokens: completion, cached }: Completion,
): Spent {
  return {
    requests,
    promptTokens: promptTokens + prompt,
    completionTokens: completionTokens + completion,
    paid: cached ? paid : { prompt: paid.prompt + prompt, completion: paid.completion + completion },
  };
}

const EMPTY: Completion = { text: '', promptTokens: 0, completionTokens: 0, finish: 'length' };

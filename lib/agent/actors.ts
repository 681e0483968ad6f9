import { fromPromise } from 'xstate';
import type {
  Examination,
  ExamineInput,
  ExecuteInput,
  GenerateInput,
  Judgement,
  Proposal,
} from '../../machines/actors.ts';
import type { Attempt } from '../core/attempt.ts';
import type { Completion, Message, TextModel } from '../core/ports.ts';
import type { ActorParts, SamplingOptions } from './actor-parts.ts';
import { ask } from './ask-model.ts';
import { createBeamAnswers, defaultBeams } from './beam-answer.ts';
import { createSearchActors } from './search-actors.ts';
import { derivedSeed } from './seed.ts';
import { styleOf } from './style.ts';

/** The actors that the machines leave open, bound to a model and a sandbox. */
export function createActors({ model, sandbox, parser, options, now, onText }: ActorParts) {
  const style = styleOf(options, model.nativeTools ?? false);
  const beams = beamsOf(model, options);
  const beamAnswer = createBeamAnswers(model, parser);
  const answerByBeams = async (input: GenerateInput, signal: AbortSignal) => {
    if (beams === 0 || input.node === 'diagnose') return null;
    // The first list goes on: what was tried of it is passed over.
    const asked = options.beamPrompt === 'each' ? input : { ...input, node: 'draft' as const, attempts: [] };
    const { messages } = style.request(asked);
    const { maxNewTokens, answer = 'whole' } = options;
    return await beamAnswer(input, { messages, beams, maxNewTokens, answer }, { signal });
  };
  return {
    ...createSearchActors({ model, sandbox, parser, options, now }),
    generate: fromPromise<Proposal, GenerateInput>(async ({ input, signal }) => {
      const { node, iteration, temperature } = input;
      const { topP, topK, maxNewTokens, thinking } = options;
      const seed =
        node === 'diagnose'
          ? derivedSeed(options.seed, iteration, node)
          : derivedSeed(options.seed, iteration);
      const sampling = { temperature, topP, topK, maxNewTokens, seed, thinking };
      const started = now();
      const { prompt, completion } =
        (await answerByBeams(input, signal)) ??
        (await ask(model, style, input, sampling, { signal, ...(onText ? { onText } : {}) }));
      return {
        iteration,
        node,
        temperature,
        prompt: prompt.map(recorded),
        completion: style.textOf(completion),
        tokens: tokensOf(completion),
        seconds: completion.seconds ?? (now() - started) / 1000,
      };
    }),
    examine: fromPromise<Examination, ExamineInput>(({ input, signal }) =>
      style.examine(parser, sandbox, input, signal),
    ),
    execute: fromPromise<Judgement, ExecuteInput>(async ({ input, signal }) => {
      const { task, candidate, suite } = input;
      const { language, entryPoint, declaration } = task;
      const tests = suite === 'tests' ? task.tests : task.exampleTests;
      const { verdict, seconds } = await sandbox.execute(
        { language, candidate, tests, entryPoint, declaration },
        signal,
      );
      return { verdict, seconds };
    }),
  };
}

/** A conversation with tools, and a published protocol, take one answer. */
function beamsOf(model: TextModel, options: SamplingOptions): number {
  const { agent, protocol, beams, answer, temperature, budget = 0 } = options;
  if (agent === 'tools' || protocol || !model.beams) return 0;
  return beams ?? (answer === 'edit' && (temperature?.base ?? 0) === 0 ? defaultBeams(budget) : 0);
}

function tokensOf({ promptTokens, completionTokens, drafted, accepted = 0 }: Completion): Attempt['tokens'] {
  const guessed = drafted === undefined ? {} : { drafted, accepted };
  return { prompt: promptTokens, completion: completionTokens, ...guessed };
}

function recorded({ role, content, toolCalls }: Message): Attempt['prompt'][number] {
  return { role, content, ...(toolCalls ? { toolCalls: toolCalls.map(call => ({ ...call })) } : {}) };
}

import { fromPromise } from 'xstate';
import type {
  Examination,
  ExamineInput,
  ExecuteInput,
  GenerateInput,
  Judgement,
  Proposal,
} from '../../machines/actors.ts';
import type { Attempt } from '../attempt.ts';
import type { Message, Sandbox, TextModel } from '../ports.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { ask } from './ask.ts';
import { derivedSeed } from './seed.ts';
import { type StyleOptions, styleOf } from './style.ts';

/** How the model is asked. */
export interface SamplingOptions extends StyleOptions {
  readonly topP: number;
  readonly topK: number;
  readonly maxNewTokens: number;
  /** Whether a model that can think aloud may; not unless given. */
  readonly thinking?: boolean | undefined;
  /** Of this task and sample; each iteration draws its own from it. */
  readonly seed: number;
}

export interface ActorParts {
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  readonly parser: SyntaxParser;
  readonly options: SamplingOptions;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly onText?: ((piece: string) => void) | undefined;
}

/** The actors that the machines leave open, bound to a model and a sandbox. */
export function createActors({ model, sandbox, parser, options, now, onText }: ActorParts) {
  const style = styleOf(options, model.nativeTools ?? false);
  return {
    generate: fromPromise<Proposal, GenerateInput>(async ({ input, signal }) => {
      const { node, iteration, temperature } = input;
      const { topP, topK, maxNewTokens, thinking } = options;
      const seed =
        node === 'diagnose'
          ? derivedSeed(options.seed, iteration, node)
          : derivedSeed(options.seed, iteration);
      const sampling = { temperature, topP, topK, maxNewTokens, seed, thinking };
      const started = now();
      const { prompt, completion } = await ask(model, style, input, sampling, {
        signal,
        ...(onText ? { onText } : {}),
      });
      return {
        iteration,
        node,
        temperature,
        prompt: prompt.map(recorded),
        completion: style.textOf(completion),
        tokens: { prompt: completion.promptTokens, completion: completion.completionTokens },
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

function recorded({ role, content, toolCalls }: Message): Attempt['prompt'][number] {
  return { role, content, ...(toolCalls ? { toolCalls: toolCalls.map(call => ({ ...call })) } : {}) };
}

import { fromPromise } from 'xstate';
import type {
  Examination,
  ExamineInput,
  ExecuteInput,
  GenerateInput,
  Judgement,
  Proposal,
} from '../../machines/actors.ts';
import type { Sandbox, TextModel } from '../ports.ts';
import type { Feedback } from '../prompt/feedback.ts';
import { promptOf } from '../prompt/prompts.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { examine } from './examine.ts';
import { derivedSeed } from './seed.ts';

/** How the model is asked. */
export interface SamplingOptions {
  readonly topP: number;
  readonly topK: number;
  readonly maxNewTokens: number;
  /** Of this task and sample; each iteration draws its own from it. */
  readonly seed: number;
  readonly feedback: Feedback;
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
  return {
    generate: fromPromise<Proposal, GenerateInput>(async ({ input, signal }) => {
      const { task, node, iteration, temperature, attempts } = input;
      const { topP, topK, maxNewTokens, feedback } = options;
      const prompt = promptOf(node, task, attempts.at(-1), { feedback });
      const seed =
        node === 'diagnose'
          ? derivedSeed(options.seed, iteration, node)
          : derivedSeed(options.seed, iteration);
      const started = now();
      const { text, promptTokens, completionTokens } = await model.generate(
        { messages: prompt, temperature, topP, topK, maxNewTokens, seed },
        { signal, ...(onText ? { onText } : {}) },
      );
      return {
        iteration,
        node,
        temperature,
        prompt: prompt.map(message => ({ ...message })),
        completion: text,
        tokens: { prompt: promptTokens, completion: completionTokens },
        seconds: (now() - started) / 1000,
      };
    }),
    examine: fromPromise<Examination, ExamineInput>(({ input, signal }) =>
      examine(parser, sandbox, input, signal),
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

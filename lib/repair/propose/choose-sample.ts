import type { GenerateInput, Proposal } from '../../../machines/actors.ts';
import type { Attempt, Check } from '../../core/attempt.ts';
import { sumOf } from '../../core/numbers.ts';
import type { Completion, GenerateOptions, GenerateRequest, Message } from '../../core/ports.ts';
import type { ActorParts } from '../actor-parts.ts';
import type { SearchClock } from '../enumerate/search-clock.ts';
import { firstAgreeing } from '../screen/first-agreeing.ts';
import { type Answer, ask } from './ask-model.ts';
import type { Style } from './style.ts';

type Sampling = Omit<GenerateRequest, 'messages' | 'temperature' | 'seed'>;

/** How the samples of one prompt are drawn. */
interface SampleRequest {
  /** Maximum number; sampling stops once one passes all checks. */
  readonly candidates: number;
  readonly checks: readonly Check[];
  readonly sampling: Sampling;
  /** Temperature of the first sample and of the others. */
  readonly temperatureOf: (sample: number) => number;
  readonly seedOf: (sample: number) => number;
}

export type ChooseSample = (
  input: GenerateInput,
  request: SampleRequest,
  options: GenerateOptions,
) => Promise<Omit<Proposal, 'iteration' | 'node'>>;

/**
 * Draws samples of one prompt until one can be run, is new and passes all checks. Otherwise proposes the one
 * that passes the most checks, or the first one if none can be run.
 */
export function createSampleChooser(parts: ActorParts, style: Style, clock: SearchClock): ChooseSample {
  const { model, sandbox, parser, now } = parts;
  return async (input, request, options) => {
    const { candidates, checks, sampling, temperatureOf, seedOf } = request;
    const { task, attempts } = input;
    const drawn: Sample[] = [];
    const rejected = checks.map(() => 0);
    let leftOut = 0;
    let agreeing: Sample | null = null;
    let screeningSeconds = 0;
    while (drawn.length < candidates && !agreeing) {
      const index = drawn.length;
      const asked = now();
      const temperature = temperatureOf(index);
      const answer = await ask(
        model,
        style,
        input,
        { ...sampling, temperature, seed: seedOf(index) },
        options,
      );
      const text = style.textOf(answer.completion);
      const sample: Sample = {
        answer,
        text,
        index,
        temperature,
        assertionsPassed: -1,
        seconds: (now() - asked) / 1000,
      };
      drawn.push(sample);
      if (candidates === 1) break;
      const answered = now();
      const seen = await style.examine(parser, sandbox, { task, completion: text, attempts }, options.signal);
      if (seen.candidate === null || seen.verdict !== null || seen.repeated) {
        leftOut++;
        continue;
      }
      const screened = await firstAgreeing([{ code: seen.candidate }], async () => true, {
        parser,
        sandbox,
        task,
        checks,
        clock,
        signal: options.signal,
      });
      screened.rejected.forEach((count, index) => {
        rejected[index] = (rejected[index] ?? 0) + count;
      });
      sample.assertionsPassed = screened.trials[0]?.assertionsPassed ?? 0;
      if (screened.agreeing) agreeing = sample;
      screeningSeconds += (now() - answered) / 1000;
    }
    const max = Math.max(...drawn.map(({ assertionsPassed }) => assertionsPassed));
    const chosen = agreeing ?? drawn.find(({ assertionsPassed }) => assertionsPassed === max);
    if (!chosen) throw new Error('No sample was asked for.');
    return {
      temperature: chosen.temperature,
      prompt: chosen.answer.prompt.map(recorded),
      completion: chosen.text,
      tokens: tokensOf(drawn.map(({ answer }) => answer.completion)),
      seconds: sumOf(drawn, ({ answer, seconds }) => answer.completion.seconds ?? seconds),
      screeningSeconds,
      ...(candidates > 1 && {
        selection: {
          origin: { kind: 'sample', rank: chosen.index + 1, of: drawn.length },
          ranked: false,
          left_out: leftOut,
          checks: checks.map((check, index) => ({ ...check, rejected: rejected[index] ?? 0 })),
          agrees: agreeing !== null,
          time_up: !agreeing && clock.isUp(),
        },
      }),
    };
  };
}

interface Sample {
  readonly answer: Answer;
  readonly text: string;
  readonly index: number;
  readonly temperature: number;
  /** Number of checks passed; -1 if it was not run. */
  assertionsPassed: number;
  readonly seconds: number;
}

function tokensOf(completions: readonly Completion[]): Attempt['tokens'] {
  const sum = (value: (completion: Completion) => number) => sumOf(completions, value);
  const isDrafted = completions.some(({ drafted }) => drafted !== undefined);
  return {
    prompt: sum(({ promptTokens }) => promptTokens),
    completion: sum(({ completionTokens }) => completionTokens),
    ...(isDrafted && {
      drafted: sum(({ drafted = 0 }) => drafted),
      accepted: sum(({ accepted = 0 }) => accepted),
    }),
  };
}

function recorded({ role, content, toolCalls }: Message): Attempt['prompt'][number] {
  return { role, content, ...(toolCalls ? { toolCalls: toolCalls.map(call => ({ ...call })) } : {}) };
}

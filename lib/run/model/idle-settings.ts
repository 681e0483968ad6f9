import { temperatureAt } from '../../../machines/temperature.ts';
import type { TextModel } from '../../core/ports.ts';
import { longName } from '../../options/option.ts';
import { parseRunOptions, type RunOptions } from '../../options/tables/run-options.ts';
import { WARMEST } from '../../repair/defaults.ts';
import { resolvedOptions } from './resolve-options.ts';

type Abilities = Pick<TextModel, 'answer' | 'beams' | 'score' | 'languages'>;

/**
 * The settings whose values differ from the default without changing a prompt, a draw or a request of this run, as
 * `--top-p` does where no text is sampled.
 */
export function idleSettings(options: RunOptions, model: Abilities, language: string): string[] {
  const standard: RunOptions = { ...parseRunOptions({ agent: options.agent }), agent: 'reflect' };
  const now = JSON.stringify(effective(options, model, language));
  return settings
    .filter(key => options[key] !== standard[key])
    .filter(key => now === JSON.stringify(effective({ ...options, [key]: standard[key] }, model, language)))
    .map(longName);
}

const settings = [
  ...([
    'agent',
    'answer',
    'candidates',
    'noExamples',
    'searchSeconds',
    'budget',
    'withEdits',
    'noRank',
  ] as const),
  ...(['fewShot', 'beams', 'beamPrompt', 'temperature', 'schedule', 'temperatureStep'] as const),
  ...(['topP', 'topK', 'maxNewTokens', 'maxLength', 'thinking'] as const),
];

/** What these settings amount to; null for what is not done. */
function effective(options: RunOptions, model: Abilities, language: string) {
  const { agent, feedback, prompt, iters, candidates, backend } = options;
  const resolved = resolvedOptions(options, model, language);
  const { beams, enumerated } = resolved;
  const isSearch = agent === 'search';
  const isAsked = !isSearch && beams !== 0;
  // The agent react also writes a diagnosis after each failure.
  const isWritten = isAsked && (beams === null || (agent === 'react' && iters > 0));
  const isRanked = ranks(options, model, language);
  const temperatures = isWritten || isRanked ? temperaturesOf(options) : null;
  const isWarm = temperatures?.some(each => each > 0);
  const isKnown = feedback !== 'none' && agent !== 'one-shot' && prompt === 'agent';
  const { topP, topK, maxLength, thinking } = options;
  const searches = isSearch || enumerated !== null || resolved.prescreen;
  return {
    // The agent react differs from reflect after a failure.
    agent: agent === 'react' && iters === 0 ? 'reflect' : agent,
    beams,
    enumerated,
    beamPrompt: beams && iters > 0 ? options.beamPrompt : null,
    answer: isAnswerUsed(options, isRanked) ? resolved.answer : null,
    scored: isSearch && isRanked ? options.answer : null,
    candidates: isAsked && beams === null && isKnown ? resolved.candidates : null,
    examples: resolved.prescreen && !isSearch ? !options.noExamples : null,
    seconds: searches ? options.searchSeconds : null,
    isRanked,
    fewShot: isAsked && prompt === 'agent' ? options.fewShot : null,
    maxNewTokens: isAsked ? options.maxNewTokens : null,
    temperatures,
    written: isWritten && {
      thinking,
      maxLength: backend === 'openai' ? null : maxLength,
      ...(isWarm && { topP, topK }),
    },
    // Only the first sample is at the temperature of the draft.
    others: isWritten && beams === null && candidates > 1 && isKnown ? temperatureOf(options, 1) : null,
  };
}

function isAnswerUsed({ agent, prompt }: RunOptions, isRanked: boolean): boolean {
  return agent !== 'tools' && prompt === 'agent' && (agent !== 'search' || isRanked);
}

/** Whether the model's likelihoods decide the order of candidates. */
function ranks(options: RunOptions, model: Abilities, language: string): boolean {
  const { beams, enumerated } = resolvedOptions(options, model, language);
  const joins = beams === null && enumerated !== null;
  return !options.noRank && Boolean(model.score) && (options.agent === 'search' || joins || Boolean(beams));
}

/** Of the draft and of each iteration. */
function temperaturesOf(options: RunOptions): number[] {
  const isSingle = options.agent === 'search' || options.agent === 'one-shot' || options.prompt !== 'agent';
  return Array.from({ length: isSingle ? 1 : options.iters + 1 }, (_, iteration) =>
    temperatureOf(options, iteration),
  );
}

function temperatureOf({ schedule, temperature, temperatureStep }: RunOptions, iteration: number): number {
  return temperatureAt(iteration, { schedule, base: temperature, step: temperatureStep, cap: WARMEST });
}

import { temperatureAt } from '../../../machines/context.ts';
import type { TextModel } from '../../core/ports.ts';
import type { Language } from '../../core/task.ts';
import { longName } from '../../options/option.ts';
import { parseRunOptions, type RunOptions } from '../../options/tables/run-options.ts';
import { beamsOf, WARMEST } from '../../repair/agents.ts';
import type { ResolvedOptions } from '../../report/results/manifest.ts';
import { modelWithoutBeams } from '../errors.ts';

/**
 * Checks that the model supports what the options ask for.
 * @returns warnings as whole sentences.
 * @throws HefixError (`MODEL_WITHOUT_BEAMS`)
 */
export function checkAbilities(
  options: RunOptions,
  model: Pick<TextModel, 'name' | 'beams' | 'score' | 'answer' | 'languages'>,
  language: Language = 'python',
): string[] {
  const { agent, noRank, beams, feedback, prompt, template } = options;
  if (beams !== undefined && beams > 0 && !model.beams) throw modelWithoutBeams(model.name);
  const isUntrained = model.languages !== undefined && !model.languages.includes(language);
  const wasTrainedOnEdits = model.answer === 'edit';
  const idle = idleSettings(options, model, language);
  const isSearch = agent === 'search';
  const remarks = [
    {
      when: wasTrainedOnEdits && agent === 'tools',
      says: `${model.name} was trained to answer with edits, not to call tools: most answers will contain no call.`,
    },
    {
      when: wasTrainedOnEdits && agent === 'react',
      says: `${model.name} was trained to answer with edits, not to write a diagnosis.`,
    },
    {
      when: wasTrainedOnEdits && prompt !== 'agent',
      says: `${model.name} was trained on its own prompts, not on ${prompt}: most answers will contain no code.`,
    },
    {
      when: isUntrained && agent !== 'tools' && prompt === 'agent',
      says: `${model.name} is not asked for ${language}: candidates are enumerated edits in a fixed order.`,
    },
    { when: prompt === 'humanevalfixtests' && template === 'api', says: API_WITHOUT_TESTS },
    {
      when: idle.length > 0,
      says: `${idle.join(', ')} ${idle.length === 1 ? 'has' : 'have'} no effect with ${model.name} and the other options of this run.`,
    },
    {
      when: isSearch && !noRank && !model.score,
      says: `${model.name} does not report likelihoods; candidates are tried in a fixed order.`,
    },
    {
      when: isSearch && feedback === 'tests',
      says: 'The search tries its candidates on the hidden tests.',
    },
  ];
  return remarks.filter(({ when }) => when).map(({ says }) => says);
}

const API_WITHOUT_TESTS =
  'For chat APIs, the published script shows no tests even with humanevalfixtests. Compare only with results of that script, or use --template chat.';

/** Reduces the samples to one if all samples of a task would be the same; `warn` receives a sentence that says so. */
export function withoutSameSamples(
  options: RunOptions,
  model: Pick<TextModel, 'answer' | 'beams' | 'score' | 'languages'>,
  language: Language,
  warn: (sentence: string) => void,
): RunOptions {
  const { samples, temperature } = options;
  if (samples === 1) return options;
  const isSearchUnranked = options.agent === 'search' && !model.score;
  if (!isSearchUnranked && !haveSameSamples(resolvedOptions(options, model, language), options))
    return options;
  const [same, help] = temperature === 0 ? atZero : unranked;
  warn(`${same}, so 1 is run instead of ${samples}. ${help}`);
  return { ...options, samples: 1 };
}

/** Whether all samples of a task are the same, or begin with the same candidate, so that one is run. */
export function haveSameSamples(
  { beams }: Pick<ResolvedOptions, 'beams'>,
  { temperature, noRank, agent }: Pick<RunOptions, 'temperature' | 'noRank' | 'agent'>,
): boolean {
  const isFixed = beams !== null && (noRank || (beams === 0 && agent !== 'search'));
  return temperature === 0 || isFixed;
}

const atZero = [
  'At --temperature 0 all samples of a task begin with the same answer',
  'Raise the temperature for pass@k.',
] as const;
const unranked = [
  'Candidates are tried in a fixed order, which is the same in all samples of a task',
  'For pass@k, let a model with likelihoods rank them, or sample its answers with --beams 0.',
] as const;

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

type Asked = Pick<RunOptions, 'agent' | 'answer' | 'beams' | 'prompt' | 'candidates' | 'feedback'> &
  Pick<RunOptions, 'iters'> & { readonly budget?: number; readonly withEdits?: boolean };

/** The values of options that are `auto` or depend on the model. */
export function resolvedOptions(
  options: Asked,
  model: Pick<TextModel, 'answer' | 'beams' | 'languages'>,
  language: string,
): ResolvedOptions {
  const { agent, prompt, iters, feedback, candidates, budget = 0, withEdits = false } = options;
  const protocol = prompt === 'agent' ? undefined : prompt;
  const answer = options.answer === 'auto' ? (model.answer ?? 'whole') : options.answer;
  const asked = { agent, protocol, answer, beams: options.beams, iterations: iters };
  const beams = agent === 'search' ? 0 : beamsOf(model, asked, language);
  const isSampled = beams === null;
  const joins = withEdits && answer === 'whole';
  const isScreened = feedback !== 'none' && agent !== 'one-shot' && protocol === undefined;
  return {
    answer: agent === 'search' ? 'edit' : answer,
    beams,
    enumerated: isSampled && !joins ? null : budget,
    candidates: isSampled ? (protocol === undefined ? candidates : 1) : null,
    prescreen: isScreened && (!isSampled || joins || candidates > 1),
  };
}

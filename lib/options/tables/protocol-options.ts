import type { PromptTemplate, Protocol } from '../../core/choices.ts';
import { optionConflict, optionInvalid, optionNeeds } from '../errors.ts';
import type { Given } from '../option.ts';

interface ProtocolOptions {
  readonly prompt: 'agent' | Protocol;
  readonly template?: PromptTemplate | undefined;
  readonly protocolDefaults: boolean;
  readonly agent: string;
  readonly backend: string;
  readonly fewShot: number;
  readonly temperature?: number | undefined;
  readonly topP: number;
  readonly samples: number;
  readonly maxNewTokens: number;
  readonly maxLength?: number | undefined;
}

/**
 * A published protocol asks once, so its agent is `one-shot`; `--protocol-defaults` uses the published
 * sampling settings for options that were not given. `given` are the options without defaults.
 * @throws HefixError (`OPTION_INVALID`)
 */
export function withProtocol<Options extends ProtocolOptions>(options: Options, given: Given): Options {
  const { prompt, template, agent, backend, fewShot, protocolDefaults } = options;
  if (prompt === 'agent') {
    if (protocolDefaults) throw optionNeeds('--protocol-defaults', 'a published --prompt');
    if (template !== undefined) {
      throw optionNeeds('--template', 'a published --prompt');
    }
    return options;
  }
  if (given.agent !== undefined && agent !== 'one-shot') {
    throw optionConflict(`--agent ${agent}`, `--prompt ${prompt}`);
  }
  if (fewShot > 0) throw optionConflict('--few-shot', `--prompt ${prompt}`);
  if (backend === 'openai' && template !== undefined && template !== 'chat' && template !== 'api') {
    throw optionInvalid(
      '--template',
      template,
      'api or chat with --backend openai, which takes only messages',
    );
  }
  const defaultTemplate = backend === 'openai' ? 'api' : 'chat';
  const asked = { ...options, agent: 'one-shot', template: template ?? defaultTemplate };
  if (!protocolDefaults) return asked;
  return {
    ...asked,
    temperature: given.temperature === undefined ? PUBLISHED.temperature : options.temperature,
    topP: given.topP === undefined ? PUBLISHED.topP : options.topP,
    samples: given.samples === undefined ? PUBLISHED.samples : options.samples,
    maxLength: options.maxLength ?? (backend === 'openai' ? undefined : PUBLISHED.length),
    maxNewTokens: given.maxNewTokens === undefined ? PUBLISHED.length : options.maxNewTokens,
  };
}

/**
 * OctoPack (arXiv:2308.07124): pass@1 is estimated from 20 samples per task. A prompt and its answer have
 * 2,048 tokens together; for chat APIs, which were given no limit, only the answer has.
 */
const PUBLISHED = { temperature: 0.2, topP: 0.95, samples: 20, length: 2048 } as const;

import { z } from 'zod';
import { devices, type SamplingParameter, samplingParameters } from '../../core/choices.ts';
import { providerNames } from '../../model/server/providers.ts';
import {
  choice,
  flag,
  type Given,
  longName,
  number,
  type OptionTable,
  type OptionValues,
  optionConflict,
  optionInvalid,
  optionNeeds,
  optionRequired,
  text,
  wholeNumber,
  withEach,
} from '../option.ts';

const seconds = () => number('seconds, above 0, at most 86400', value => value > 0 && value <= 86_400);

/** The options of `--backend openai`. */
const backendOptions = {
  ...withEach(
    { group: 'Server' },
    {
      provider: {
        schema: choice(providerNames).optional(),
        argument: '<name>',
        about: providerNames.join(', '),
        defaultText: 'openai',
      },
      baseUrl: {
        schema: text('an address that starts with http:// or https://').optional(),
        argument: '<url>',
        group: 'Server',
        about: 'address of another OpenAI-compatible server; usually ends in /v1',
      },
      apiKeyEnv: {
        schema: text('the name of an environment variable').optional(),
        argument: '<name>',
        about: 'environment variable with the API key, or several keys separated by commas',
        defaultText: "the provider's",
      },
      maxTries: { schema: wholeNumber(1, 100).default(3), argument: '<n>', about: 'tries per request' },
      requestTimeout: {
        schema: seconds().default(300),
        argument: '<seconds>',
        about: 'time limit of one try',
      },
      idleTimeout: {
        schema: seconds().default(60),
        argument: '<seconds>',
        about: 'idle timeout: how long one try may receive nothing',
      },
      maxWait: {
        schema: number('seconds, at least 0, at most 86400', value => value >= 0 && value <= 86_400).default(
          600,
        ),
        argument: '<seconds>',
        about: 'longest wait of one request while the server limits its rate',
      },
      maxConcurrency: {
        schema: wholeNumber(1, 1000).optional(),
        argument: '<n>',
        about: 'requests in flight at once, at most; fewer while the server is overloaded',
        defaultText: 'the number of workers, at least 8',
      },
      omit: {
        schema: text(`names of ${samplingParameters.join(', ')}, separated by commas`)
          .refine(value => namesIn(value).every(isParameter))
          .optional(),
        argument: '<parameters>',
        about: 'parameters not to send, for servers that reject them: seed,top_p',
        decidesResults: true,
      },
    },
  ),
} as const satisfies OptionTable;

const price = () => number('a price of at least 0', value => value >= 0 && Number.isFinite(value)).optional();

/** The options of `--backend openai`, and those for paid answers. */
export const serverOptions = {
  ...backendOptions,
  cache: {
    schema: z.union([z.boolean(), text('the path of a folder')]).default(false),
    argument: '[folder]',
    group: 'Model',
    about: 'keep completions on disk and never request one twice',
  },
  ...withEach(
    { group: 'Server' },
    {
      priceIn: { schema: price(), argument: '<price>', about: 'price of a million prompt tokens' },
      priceOut: { schema: price(), argument: '<price>', about: 'price of a million completion tokens' },
    },
  ),
} as const satisfies OptionTable;
type ServerOptions = OptionValues<typeof serverOptions>;

/**
 * Checks combinations of options; `input` are the options without defaults. A provider or an address implies
 * `--backend openai`.
 * @returns the options with that backend, and with the address in its shortest form.
 * @throws HefixError (`OPTION_INVALID`, `OPTION_REQUIRED`)
 */
export function checkServerOptions<Options extends ServerOptions & { readonly backend: string }>(
  parsed: Options,
  input: Given,
): Options {
  const isGiven = (key: string) => input[key] !== undefined;
  const isImplied = !isGiven('backend') && (isGiven('provider') || isGiven('baseUrl'));
  const options = isImplied ? { ...parsed, backend: 'openai' } : parsed;
  if (options.backend === 'openai') {
    const asked = isGiven('provider') ? `--provider ${options.provider}` : '--backend openai';
    if (!isGiven('model')) throw optionRequired('--model', asked);
  } else {
    const stray = Object.keys(backendOptions).find(isGiven);
    if (stray !== undefined) throw optionNeeds(longName(stray), '--backend openai');
  }
  if (isGiven('provider') && isGiven('baseUrl')) throw optionConflict('--provider', '--base-url');
  if (isGiven('priceIn') && !isGiven('priceOut')) throw optionNeeds('--price-in', '--price-out');
  if (isGiven('priceOut') && !isGiven('priceIn')) throw optionNeeds('--price-out', '--price-in');
  if (options.cache !== false && options.backend === 'scripted')
    throw optionConflict('--cache', '--backend scripted');
  return options.baseUrl === undefined ? options : { ...options, baseUrl: serverAddress(options.baseUrl) };
}

/** Of a million tokens; undefined unless both are given. */
export function pricesOf({
  priceIn,
  priceOut,
}: Pick<ServerOptions, 'priceIn' | 'priceOut'>): { prompt: number; completion: number } | undefined {
  return priceIn === undefined || priceOut === undefined
    ? undefined
    : { prompt: priceIn, completion: priceOut };
}

/** The parameters that `--omit` names. */
export function omittedParameters(omit: string | undefined): SamplingParameter[] {
  return namesIn(omit ?? '').filter(isParameter);
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
}

function isParameter(name: string): name is SamplingParameter {
  return samplingParameters.some(parameter => parameter === name);
}

/** Removes a trailing slash and the path of the only endpoint that is used. */
export function serverAddress(addressText: string): string {
  // An address with a user name, password or query may contain a key, which no error may show.
  const isSecret = /[@?#]/.test(addressText);
  if (isSecret) throw optionInvalid('--base-url', true, 'an address without a user name, query or fragment');
  const address = URL.canParse(addressText) ? new URL(addressText) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw optionInvalid('--base-url', addressText, 'an address that starts with http:// or https://');
  }
  return address.href.replace(/(?<!\/)\/+$/, '').replace(/\/chat\/completions$/, '');
}

/** The weight types of graphs that hefix builds; `auto` takes the best available one for a CPU. */
const dtypes = ['auto', 'fp32', 'q8', 'q4', 'q4-128', 'w8a8'] as const;

/** The options of models that run on this system. */
export const localModelOptions = {
  ...withEach(
    { group: 'Model' },
    {
      dtype: {
        schema: choice(dtypes).default('auto'),
        argument: '<type>',
        about: `weight type: ${dtypes.join(', ')}`,
        folderMaySet: true,
      },
      device: {
        schema: choice(devices).default('cpu'),
        argument: '<name>',
        about: `execution provider: ${devices.join(', ')}; the CPU if it cannot be used`,
        decidesResults: true,
        folderMaySet: true,
      },
      requireDevice: { schema: flag(), about: 'stop if the device cannot be used' },
      threads: {
        schema: wholeNumber(1, 1024).optional(),
        argument: '<n>',
        about: 'number of inference threads',
        defaultText: 'one per physical core',
        folderMaySet: true,
      },
      noLookup: {
        schema: flag(),
        about: 'turn prompt-lookup decoding off; slower, same output',
        folderMaySet: true,
      },
    },
  ),
} as const satisfies OptionTable;

/**
 * Rejects these options for other backends; `input` are the options without defaults.
 * @throws HefixError (`OPTION_INVALID`)
 */
export function checkLocalModelOptions(backend: string, input: Given): void {
  if (backend === 'onnx') return;
  const stray = Object.keys(localModelOptions).find(key => input[key] !== undefined);
  if (stray !== undefined) throw optionConflict(longName(stray), `--backend ${backend}`);
}

import { z } from 'zod';
import { optionInvalid, optionRequired } from '../core/errors.ts';
import { type SamplingParameter, samplingParameters } from '../model/server/chat-request.ts';
import { providerNames } from '../model/server/providers.ts';
import { choice, longFlag, number, text, wholeNumber } from './option-checks.ts';

const seconds = () => number('seconds, above 0, at most 86400', value => value > 0 && value <= 86_400);
/** The options of `--backend openai`. */
const forServers = {
  provider: choice(providerNames).optional(),
  baseUrl: text('an address that starts with http:// or https://').optional(),
  apiKeyEnv: text('the name of an environment variable').optional(),
  maxTries: wholeNumber(1, 100).default(3),
  requestTimeout: seconds().default(300),
  idleTimeout: seconds().default(60),
  maxWait: number('seconds, at least 0, at most 86400', value => value >= 0 && value <= 86_400).default(600),
  maxConcurrency: wholeNumber(1, 1000).default(8),
  omit: text(`names of ${samplingParameters.join(', ')}, separated by commas`)
    .refine(value => namesIn(value).every(isParameter))
    .optional(),
};
const price = () => number('a price of at least 0', value => value >= 0 && Number.isFinite(value)).optional();
export const serverOptions = {
  ...forServers,
  cache: z.union([z.boolean(), text('the path of a folder')]).default(false),
  priceIn: price(),
  priceOut: price(),
};
const schema = z.object(serverOptions);
type ServerOptions = z.infer<typeof schema>;

type Given = Readonly<Record<string, unknown>>;

/**
 * Checks what no option can tell alone; `given` are the options without defaults.
 * @returns the options with the address in its shortest form.
 * @throws HefixError (`OPTION_INVALID`, `OPTION_REQUIRED`)
 */
export function checkServerOptions<Options extends ServerOptions & { readonly backend: string }>(
  options: Options,
  given: Given,
): Options {
  const isGiven = (key: string) => given[key] !== undefined;
  const alone = (key: string, beside: string) => optionInvalid(longFlag(key), true, `${beside} beside it`);
  if (options.backend === 'openai') {
    if (!isGiven('model')) throw optionRequired('--model', '--backend openai');
  } else {
    const stray = Object.keys(forServers).find(isGiven);
    if (stray !== undefined) throw alone(stray, '--backend openai');
  }
  if (isGiven('provider') && isGiven('baseUrl')) throw alone('provider', 'no --base-url');
  if (isGiven('priceIn') && !isGiven('priceOut')) throw alone('priceIn', '--price-out');
  if (isGiven('priceOut') && !isGiven('priceIn')) throw alone('priceOut', '--price-in');
  if (options.cache !== false && options.backend === 'scripted')
    throw alone('cache', 'no --backend scripted');
  return options.baseUrl === undefined ? options : { ...options, baseUrl: serverAddress(options.baseUrl) };
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
  return samplingParameters.some(known => known === name);
}

/** Without a slash at its end, and without the path of the one call that is made. */
function serverAddress(given: string): string {
  // An address that holds a name, a password or a query may hold a key, which no error may show.
  const isSecret = /[@?#]/.test(given);
  if (isSecret) throw optionInvalid('--base-url', true, 'an address without a user name, query or fragment');
  const address = URL.canParse(given) ? new URL(given) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw optionInvalid('--base-url', given, 'an address that starts with http:// or https://');
  }
  return address.href.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
}

import type { GivenRunOptions } from '../options/tables/run-options.ts';
import { serverNotNamed, serverNotUsed } from './errors.ts';

/** What only the user of this machine decides about a run that a queue or a manifest describes. */
export type OwnAddresses = Partial<
  Pick<GivenRunOptions, 'baseUrl' | 'provider' | 'apiKeyEnv' | 'isolation' | 'model' | 'dataset' | 'threads'>
>;

/**
 * The options of a described run, with addresses, names of secrets, folders to write to and isolation from this machine's
 * own options alone: the author of the description could otherwise have a key sent to another server.
 * @param described what describes the run: `queue` or `manifest`
 * @throws HefixError (`SERVER_NOT_NAMED`) if the model is a server and these options name none, or the other way round
 */
export function withOwnAddresses(
  options: GivenRunOptions,
  addresses: OwnAddresses,
  described: 'queue' | 'manifest',
): GivenRunOptions {
  const { baseUrl, provider, apiKeyEnv: _, cache, isolation: __, ...others } = options;
  const isNamed = addresses.baseUrl !== undefined || addresses.provider !== undefined;
  if (options.backend === 'openai' && !isNamed) throw serverNotNamed(described, baseUrl, provider);
  if (options.backend !== 'openai' && (isNamed || addresses.apiKeyEnv !== undefined))
    throw serverNotUsed(described);
  return { ...others, requireIsolation: false, cache: cache !== false, ...addresses };
}

import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for data that can be fetched or built again: HEFIX_CACHE, or `hefix` in the user's cache folder.
 */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const { HEFIX_CACHE, XDG_CACHE_HOME } = environment;
  if (HEFIX_CACHE) return HEFIX_CACHE;
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hefix');
}

import { homedir } from 'node:os';
import { join } from 'node:path';
import { readRegularText } from '../untrusted-file.ts';
import { hubEndpointInvalid } from './errors.ts';

/** The hub's endpoint, cache and token, from the same settings as Python's huggingface_hub. */
export interface HubSettings {
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly cacheFolder: string;
  /** Null for anonymous access. */
  readonly token: string | null;
  readonly offline: boolean;
}

/**
 * Reads HF_ENDPOINT, HF_HUB_CACHE, HF_HOME, HF_TOKEN, HF_TOKEN_PATH, HF_HUB_OFFLINE and their older names.
 * Throws HUB_ENDPOINT_INVALID. Source:
 * https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables
 */
export async function readHubSettings(env: NodeJS.ProcessEnv = process.env): Promise<HubSettings> {
  const home = set(env.HF_HOME) ?? join(set(env.XDG_CACHE_HOME) ?? join(homedir(), '.cache'), 'huggingface');
  const cache = set(env.HF_HUB_CACHE) ?? set(env.HUGGINGFACE_HUB_CACHE) ?? join(home, 'hub');
  return {
    endpoint: endpointOf(set(env.HF_ENDPOINT) ?? 'https://huggingface.co'),
    cacheFolder: expanded(cache),
    token: await readToken(env, expanded(home)),
    offline: isTrue(set(env.HF_HUB_OFFLINE) ?? env.TRANSFORMERS_OFFLINE),
  };
}

function endpointOf(address: string): string {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) throw hubEndpointInvalid(address);
  return address.replace(/(?<!\/)\/+$/, '');
}

/** The variable, or the file that `hf auth login` writes. */
async function readToken(env: NodeJS.ProcessEnv, home: string): Promise<string | null> {
  const token = set(env.HF_TOKEN) ?? set(env.HUGGING_FACE_HUB_TOKEN);
  if (token !== undefined) return token.trim() || null;
  if (isTrue(env.HF_HUB_DISABLE_IMPLICIT_TOKEN)) return null;
  const file = expanded(set(env.HF_TOKEN_PATH) ?? join(home, 'token'));
  const text = await readRegularText(file, 2 ** 16).catch(() => '');
  return text.trim() || null;
}

function set(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function isTrue(value: string | undefined): boolean {
  return ['1', 'ON', 'YES', 'TRUE'].includes((value ?? '').toUpperCase());
}

function expanded(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseJson } from '../files/parse-json.ts';

/** The files by which a folder sets options and variables, as they were read at one moment. */
export interface FolderSettings {
  /** `hefix.config.json`, or else the key `hefix` of package.json, as JSON; null if there is neither. */
  readonly configuration: { readonly path: string; readonly text: string } | null;
  /** `.env`; null if there is none. */
  readonly variables: { readonly path: string; readonly text: string } | null;
  /** Hash of both. */
  readonly hash: string;
}

export function readFolderSettings(folder: string): FolderSettings {
  const configuration = configurationOf(folder);
  const variables = fileAt(join(folder, '.env'));
  const hash = createHash('sha256').update(JSON.stringify([configuration?.text, variables?.text]));
  return { configuration, variables, hash: hash.digest('hex') };
}

function configurationOf(folder: string): FolderSettings['configuration'] {
  const own = fileAt(join(folder, 'hefix.config.json'));
  if (own !== null) return own;
  const path = join(folder, 'package.json');
  const key = Object(parseJson(fileAt(path)?.text ?? '')).hefix as unknown;
  return key === undefined ? null : { path, text: JSON.stringify(key) };
}

/** Null if there is no such file. Pipes, which would block, and what is far too large for settings do not count. */
function fileAt(path: string): { readonly path: string; readonly text: string } | null {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? { path, text: readFileSync(path, 'utf8') } : null;
  } catch {
    return null;
  }
}

const MAX_BYTES = 2 ** 20;

type Environment = Readonly<Record<string, string | undefined>>;

/** The user's own configuration: `hefix/config.json` in XDG_CONFIG_HOME, or in `~/.config`. */
export function userConfigPath(environment: Environment): string {
  return join(baseFolder(environment.XDG_CONFIG_HOME, '.config'), 'hefix', 'config.json');
}

/** Where `hefix trust` remembers folders: `hefix/trusted` in XDG_STATE_HOME, or in `~/.local/state`. */
export function trustedFoldersPath(environment: Environment): string {
  return join(baseFolder(environment.XDG_STATE_HOME, '.local', 'state'), 'hefix', 'trusted');
}

/** The XDG specification ignores relative paths, which would lie in the current folder. */
function baseFolder(given: string | undefined, ...below: readonly string[]): string {
  return given !== undefined && isAbsolute(given) ? given : join(homedir(), ...below);
}

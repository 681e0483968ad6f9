import { backendKeyInvalid } from './errors.ts';

export interface ApiKey {
  readonly value: string;
  /** Shown in place of the key: `the key in OPENAI_API_KEY`, `key 2 of 3 in OPENAI_API_KEY`. */
  readonly label: string;
}

/**
 * The keys in the first of these variables that is set, separated by commas.
 * @throws HefixError (`BACKEND_KEY_INVALID`) naming the variable, never its value.
 */
export function readApiKeys(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): ApiKey[] {
  for (const name of names) {
    const values = [...new Set((environment[name] ?? '').split(',').map(part => part.trim()))];
    const keys = values.filter(value => value !== '');
    // Other characters would break the header, and the resulting error would show the key.
    if (keys.some(key => !/^[\x21-\x7e]+$/.test(key))) throw backendKeyInvalid(name);
    if (keys.length === 1) return keys.map(value => ({ value, label: `the key in ${name}` }));
    if (keys.length > 1) {
      return keys.map((value, index) => ({ value, label: `key ${index + 1} of ${keys.length} in ${name}` }));
    }
  }
  return [];
}

/** Returns a function that redacts these keys in a server's output, since some servers echo them. */
export function redactorOf(keys: readonly ApiKey[]): (text: string) => string {
  // Anything shorter is not a secret (local servers accept any word) and may be part of ordinary words.
  const secrets = keys.map(({ value }) => value).filter(value => value.length >= SHORTEST_SECRET);
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return text => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
}

/**
 * The streaming version: text that may be the start of a key is held back until the next chunk decides. `end`
 * returns the rest.
 */
export function redactedPieces(
  keys: readonly ApiKey[],
  onPiece: (piece: string) => void,
): { add(piece: string): void; end(): void } {
  const redact = redactorOf(keys);
  const secrets = keys.map(({ value }) => value).filter(value => value.length >= SHORTEST_SECRET);
  const longest = Math.max(0, ...secrets.map(({ length }) => length - 1));
  let pending = '';
  const give = (text: string) => {
    if (text !== '') onPiece(text);
  };
  return {
    add(piece) {
      pending = redact(pending + piece);
      let tail = Math.min(longest, pending.length);
      while (tail > 0 && !secrets.some(secret => secret.startsWith(pending.slice(-tail)))) tail--;
      give(pending.slice(0, pending.length - tail));
      pending = tail === 0 ? '' : pending.slice(-tail);
    },
    end() {
      give(pending);
      pending = '';
    },
  };
}

const SHORTEST_SECRET = 6;

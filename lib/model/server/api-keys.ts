import { backendKeyInvalid } from '../../core/errors.ts';

export interface ApiKey {
  readonly value: string;
  /** What people are told instead: `the key in OPENAI_API_KEY`, `key 2 of OPENAI_API_KEY`. */
  readonly label: string;
}

/**
 * The keys in the first of these variables that is set; several are separated by commas.
 * @throws HefixError (`BACKEND_KEY_INVALID`) naming the variable, never its value.
 */
export function readApiKeys(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): ApiKey[] {
  for (const name of names) {
    const values = [...new Set((environment[name] ?? '').split(',').map(part => part.trim()))];
    const keys = values.filter(value => value !== '');
    // Others would break the header, and the error about the header would show them.
    if (keys.some(key => !/^[\x21-\x7e]+$/.test(key))) throw backendKeyInvalid(name);
    if (keys.length === 1) return keys.map(value => ({ value, label: `the key in ${name}` }));
    if (keys.length > 1) return keys.map((value, index) => ({ value, label: `key ${index + 1} of ${name}` }));
  }
  return [];
}

/** A function that takes these keys out of what a server says, for servers that repeat them. */
export function redactorOf(keys: readonly ApiKey[]): (text: string) => string {
  // A shorter one is no secret (local servers take any word), and is in other words.
  const secrets = keys.map(({ value }) => value).filter(value => value.length >= SHORTEST_SECRET);
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return text => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
}

/**
 * The same for a text that comes in pieces: what may be the beginning of a key is held back until more is known.
 * `end` gives the rest.
 */
export function redactedPieces(
  keys: readonly ApiKey[],
  onPiece: (piece: string) => void,
): { add(piece: string): void; end(): void } {
  const redact = redactorOf(keys);
  const secrets = keys.map(({ value }) => value).filter(value => value.length >= SHORTEST_SECRET);
  const longest = Math.max(0, ...secrets.map(({ length }) => length - 1));
  let held = '';
  const give = (text: string) => {
    if (text !== '') onPiece(text);
  };
  return {
    add(piece) {
      held = redact(held + piece);
      let tail = Math.min(longest, held.length);
      while (tail > 0 && !secrets.some(secret => secret.startsWith(held.slice(-tail)))) tail--;
      give(held.slice(0, held.length - tail));
      held = tail === 0 ? '' : held.slice(-tail);
    },
    end() {
      give(held);
      held = '';
    },
  };
}

const SHORTEST_SECRET = 6;

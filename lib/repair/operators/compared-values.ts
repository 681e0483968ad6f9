import type { ComparedValues } from './failure-facts.ts';

/** A value of Python or JavaScript. None, null and undefined are null. */
export type Value = number | string | boolean | null | readonly Value[] | Collection;

export interface Collection {
  readonly form: 'tuple' | 'set';
  readonly items: readonly Value[];
}

export interface Compared {
  readonly actual: Value;
  readonly expected: Value;
}

/** The values of an assertion, read from their source; nothing if one cannot be read. */
export function comparedIn({ actual, expected }: ComparedValues): Compared[] {
  const [got, wanted] = [readValue(actual), readValue(expected)];
  return got === undefined || wanted === undefined ? [] : [{ actual: got, expected: wanted }];
}

/** Undefined for a source that is no simple value. Frameworks show some texts without quotes. */
function readValue(source: string): Value | undefined {
  const form = /^\(.*\)$/.test(source) ? 'tuple' : /^Set\(\d+\) \{|^\{[^:]+\}$/.test(source) ? 'set' : null;
  if (form !== null) {
    const items = parsed(`[${source.replace(/^(?:Set\(\d+\) )?[({]|,?\s*[)}]$/g, '')}]`);
    return Array.isArray(items) ? { form, items } : undefined;
  }
  const value = parsed(source);
  return value === undefined && /^\w[^[\](){}<>]*$/.test(source) ? source : value;
}

/** Null values are the same in JSON; texts have other quotes. */
function parsed(source: string): Value | undefined {
  const quoted = source.includes('"') ? source : source.replaceAll("'", '"');
  const json = quoted
    .replace(/\b(?:None|undefined)\b/g, 'null')
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false');
  try {
    const value: unknown = JSON.parse(json);
    return isValue(value) ? value : undefined;
  } catch {
    return;
  }
}

function isValue(value: unknown): value is Value {
  return typeof value !== 'object' || value === null || (Array.isArray(value) && value.every(isValue));
}

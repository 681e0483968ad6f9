import type { Replacement } from './function-view.ts';

/** How plausible an edit is to be meant. `null`: nobody writes that; edits that are odd come after plain ones. */
export function oddnessOf(code: string, { start, end, text }: Replacement): 'plain' | 'odd' | null {
  const [before, old, after] = [code.slice(0, start), code.slice(start, end), code.slice(end)];
  if (comparesText(before, text, after) && !comparesText(before, old, after)) return null;
  // Such edits are rarely meant, but often pass a test by chance.
  const isOtherDivisor = NUMBER.test(text) && NUMBER.test(old) && DIVIDED.test(before);
  const losesTypeTest = TYPE_TEST.test(old) && (/^[\w.]+$/.test(text) || PRESENCE.test(text));
  const isOrderOfUnknown =
    EQUALITY.test(old) && ORDER.test(text) && !/\d\s*$/.test(before) && !/^\s*-?\d/.test(after);
  return isOtherDivisor || losesTypeTest || isOrderOfUnknown ? 'odd' : 'plain';
}

const EQUALITY = /^[!=]==?$/;
const ORDER = /^[<>]=?$/;
const TYPE_TEST = /^(?:isinstance|issubclass|hasattr|callable|Array\.isArray)\(/;
const PRESENCE = /\) (?:is not None|!=+ (?:null|undefined))$/;
const NUMBER = /^\d[\d_.]*$/;
const DIVIDED = /[^/](?:\/\/?|%)=?\s*$/;

/** Whether a text literal gets compared with `<`, `<=`, `>` or `>=`. */
function comparesText(before: string, text: string, after: string): boolean {
  if (!ORDER.test(text)) return /\s[<>]=?\s+[rbfu]?["'`]|["'`]\s+[<>]=?\s/.test(text);
  return /^\s*[rbfu]?["'`]/.test(after) || /["'`]\s*$/.test(before);
}

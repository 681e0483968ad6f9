/** What a report says of an error: its type, message, the values compared, and the frames in the project. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceOf } from './plain-error.cjs';

const LONGEST = 400;
/** As trace.cjs says it; some frameworks keep only the text of an error. */
const TIME_UP =
  /(?:took longer than .* s(?: of processor time)?|not run, because another test takes too long)$/;

export function failureOf(root, error) {
  const { name = 'Error', message = String(error), stack = '' } = Object(error);
  const values =
    'expected' in Object(error) && 'actual' in Object(error)
      ? { expected: shown(error.expected), actual: shown(error.actual) }
      : {};
  return {
    type: String(name),
    timeout: name === 'TimeUp' || TIME_UP.test(String(message)),
    message: shortened(String(message).split('\n')[0]),
    frames: framesOf(root, String(stack)),
    ...values,
  };
}

/** The stack frames in the project, the innermost last. */
function framesOf(root, stack) {
  const matches = [...stack.matchAll(/\(?((?:file:\/\/)?\/[^\s()]*):(\d+):\d+\)?$/gm)];
  return matches
    .map(([, path, line]) => [relative(root, plainPath(path)), Number(line)])
    .filter(([path]) => !path.startsWith('..') && !path.startsWith('node_modules'))
    .reverse();
}

export function plainPath(path) {
  const address = path.replace(/[?#].*$/, '');
  return address.startsWith('file:') ? fileURLToPath(address) : address;
}

/** Places such as `lib/a.js:3`, as lines by file. */
export function linesOf(places) {
  const byFile = {};
  for (const place of places ?? []) {
    const colon = place.lastIndexOf(':');
    byFile[place.slice(0, colon)] ??= [];
    byFile[place.slice(0, colon)].push(Number(place.slice(colon + 1)));
  }
  return byFile;
}

/** Frameworks give some values as text already. */
function shown(value) {
  return shortened(typeof value === 'string' ? value : sourceOf(value));
}

function shortened(text) {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

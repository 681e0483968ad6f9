import type { Edit } from './edit-answer.ts';
import { alignedPlaces, plainPlaces } from './edit-tokens.ts';

/** The code after the edits, or what does not fit, as a sentence for the model. */
export type Applied = { readonly code: string } | { readonly notApplicable: string };

/**
 * Applies edits one after the other to the code that was shown. Line numbers always refer to the code as
 * shown, even after an edit that added or removed lines.
 */
export function applyEdits(shown: string, edits: readonly Edit[]): Applied {
  const lines = shown.split('\n').map((text): Line => ({ before: [], text }));
  const end: Line = { before: [], text: null };
  for (const edit of edits) {
    const notApplicable = applyEdit(lines, end, edit);
    if (notApplicable !== null) return { notApplicable };
  }
  const code = [...lines, end]
    .flatMap(({ before, text }) => [...before, ...(text === null ? [] : [text])])
    .join('\n');
  if (code === shown)
    return { notApplicable: 'The edit changes nothing: the replacement is identical to the original text.' };
  return { code };
}

interface Line {
  /** Whole lines inserted before it. */
  before: string[];
  /** Null once it is removed. */
  text: string | null;
}

/** Applies one edit; returns why that is impossible, or null. */
function applyEdit(lines: Line[], end: Line, { line, old, added }: Edit): string | null {
  const last = lines.length;
  const first = lines[line - 1] ?? (line === last + 1 ? end : null);
  if (!first) return `There is no line ${line}: the code has lines 1 to ${last}.`;
  if (old.length === 0) {
    first.before = [...added, ...first.before];
    return null;
  }
  const taken = lines.slice(line - 1, line - 1 + old.length);
  if (taken.length < old.length) {
    return `The edit takes ${counted(old.length)} from line ${line} on, but the code ends with line ${last}.`;
  }
  const removed = taken.findIndex(({ text }) => text === null);
  if (removed !== -1) return `An edit before it has removed line ${line + removed} already.`;
  if (old.length === 1 && added.length > 0) return replacePart(first, line, old[0] ?? '', added);
  return replaceWhole(taken, line, old, added);
}

function replacePart(line: Line, number: number, old: string, added: readonly string[]): string | null {
  const text = line.text ?? '';
  if (old === '') {
    if (text.trim() !== '') return `The text to replace in line ${number} is empty.`;
    line.text = added.join('\n');
    return null;
  }
  const aligned = alignedPlaces(text, old);
  const places = aligned.length > 0 ? aligned : plainPlaces(text, old);
  const [at] = places;
  if (at === undefined) return `Line ${number} does not hold \`${old}\`. It reads:\n${text}`;
  if (places.length > 1) {
    return `\`${old}\` stands ${places.length} times in line ${number}; take more of the line. It reads:\n${text}`;
  }
  line.text = text.slice(0, at) + added.join('\n') + text.slice(at + old.length);
  return null;
}

/** Whole lines may be given without their indentation; the replacement of the first line then inherits it. */
function replaceWhole(
  taken: readonly Line[],
  number: number,
  old: readonly string[],
  added: readonly string[],
): string | null {
  const differs = taken.findIndex(({ text }, index) => (text ?? '').trim() !== (old[index] ?? '').trim());
  if (differs !== -1) {
    const found = taken[differs]?.text ?? '';
    return `Line ${number + differs} is not \`${(old[differs] ?? '').trim()}\`. It reads:\n${found}`;
  }
  const [first] = taken;
  const [head, ...rest] = added;
  if (!first) return null;
  const indentation = /^\s*/.exec(first.text ?? '')?.[0] ?? '';
  const isBare = !/^\s/.test(old[0] ?? '') && !/^\s/.test(head ?? '');
  for (const line of taken) line.text = null;
  if (head !== undefined) first.text = [isBare ? indentation + head : head, ...rest].join('\n');
  return null;
}

function counted(lines: number): string {
  return lines === 1 ? 'one line' : `${lines} lines`;
}

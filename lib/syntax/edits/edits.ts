import { diffArrays } from 'diff';
import type { Outline } from '../../core/ports.ts';
import { codeBlocks, withoutThinking } from '../code-blocks.ts';

/**
 * A change of a few lines, in the form in which models answer:
 *     @LINE
 *     -OLD
 *     +NEW
 * `old` is part of a line, a whole line, or several whole lines starting at LINE. If it is empty, `added` is
 * inserted before the line. An empty `added` removes the lines.
 */
export interface Edit {
  /** 1-based, in the code as shown; the number after the last line stands for the end. */
  readonly line: number;
  readonly old: readonly string[];
  /** The replacement. All but the first are whole lines with their indentation. */
  readonly added: readonly string[];
}

/**
 * The edits in an answer: from its fenced blocks if they contain any, otherwise from the text itself;
 * everything around them is ignored. Empty if there are none.
 */
export function readEdits(completion: string): Edit[] {
  const answer = withoutThinking(completion.replace(/\r\n?/g, '\n'));
  const fenced = codeBlocks(answer).flatMap(editsIn);
  return fenced.length > 0 ? fenced : editsIn(answer);
}

/** The edits in the form that a model is trained on. */
export function editText(edits: readonly Edit[]): string {
  return edits
    .flatMap(({ line, old, added }) => [
      `@${line}`,
      ...old.map(text => `-${text}`),
      ...added.map(text => `+${text}`),
    ])
    .join('\n');
}

function editsIn(text: string): Edit[] {
  const edits: { line: number; old: string[]; added: string[] }[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const number = /^\s*@\s*(\d{1,9})\s*(?::\s*)?$/.exec(line)?.[1];
    const last = edits.at(-1);
    if (number !== undefined) {
      edits.push({ line: Number(number), old: [], added: [] });
      isOpen = true;
    } else if (!isOpen || !last) continue;
    else if (line.startsWith('+')) last.added.push(line.slice(1));
    else if (!line.startsWith('-')) isOpen = false;
    else if (last.added.length === 0) last.old.push(line.slice(1));
    // As in a diff: the lines after the ones already taken.
    else edits.push({ line: last.line + last.old.length, old: [line.slice(1)], added: [] });
  }
  return edits.filter(({ old, added }) => old.length + added.length > 0);
}

/**
 * The edits that can apply to a program, as far as that is known in advance: the line exists, and the text to
 * remove occurs in it exactly once. Null if the program is too long for such a list.
 */
export function editOutline(shown: string): Outline | null {
  const lines = shown.split('\n');
  const runs = lines.reduce((sum, line) => sum + runsIn(lineTokens(line).length), 0);
  // Each run is looked for in its line.
  if (runs > MAX_RUNS) return null;
  const parts = lines.map(partsOf);
  if (parts.reduce((sum, { length }) => sum + length, 0) > MAX_PARTS) return null;
  const beginnings = [`@${lines.length + 1}\n+`];
  const whole: string[] = [];
  for (const [index, line] of lines.entries()) {
    const edit = `@${index + 1}\n`;
    beginnings.push(`${edit}+`);
    for (const part of parts[index] ?? []) beginnings.push(`${edit}-${part}\n+`);
    const text = line.trim();
    if (text === '') continue;
    // The line is removed: the answer ends here, or another edit follows.
    whole.push(`${edit}-${text}`);
    beginnings.push(`${edit}-${text}\n@`);
  }
  return { beginnings, whole };
}

const MAX_PARTS = 20_000;
const MAX_RUNS = 4 * MAX_PARTS;

function runsIn(tokens: number): number {
  return (tokens * (tokens + 1)) / 2;
}

/** The runs of tokens that occur exactly once in a line. */
function partsOf(line: string): string[] {
  const tokens = lineTokens(line);
  const runs = tokens.flatMap(({ start }, first) =>
    tokens.slice(first).map(({ end }) => line.slice(start, end)),
  );
  return [...new Set(runs)].filter(run => alignedPlaces(line, run, tokens).length === 1);
}

/** The code after the edits, or what does not fit, as a sentence for the model. */
type Applied = { readonly code: string } | { readonly notApplicable: string };

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
  const [position] = places;
  if (position === undefined) return `Line ${number} does not hold \`${old}\`. It reads:\n${text}`;
  if (places.length > 1) {
    return `\`${old}\` stands ${places.length} times in line ${number}; take more of the line. It reads:\n${text}`;
  }
  line.text = text.slice(0, position) + added.join('\n') + text.slice(position + old.length);
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
    const actual = taken[differs]?.text ?? '';
    return `Line ${number + differs} is not \`${(old[differs] ?? '').trim()}\`. It reads:\n${actual}`;
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

/**
 * The edits that turn one program into another, in the canonical form that models are trained on
 * (fixtures/model/train writes the same form): the smallest run of differing tokens that is unique in its
 * line, or whole lines if the indentation or the number of lines changes.
 */
export function canonicalEdits(before: string, after: string): Edit[] {
  const edits: Edit[] = [];
  let line = 1;
  const changes = diffArrays(before.split('\n'), after.split('\n'));
  for (let index = 0; index < changes.length; index++) {
    const change = changes[index];
    if (!change) continue;
    const next = changes[index + 1];
    if (change.removed && next?.added) {
      edits.push(...replacements(line, change.value, next.value));
      line += change.value.length;
      index++;
    } else if (change.removed) {
      edits.push(...removals(line, change.value));
      line += change.value.length;
    } else if (change.added) edits.push({ line, old: [], added: change.value });
    else line += change.value.length;
  }
  return edits;
}

function replacements(line: number, old: readonly string[], added: readonly string[]): Edit[] {
  if (old.length === added.length) {
    return old.flatMap((text, index) => replacement(line + index, text, added[index] ?? ''));
  }
  return [...removals(line, old), { line: line + old.length, old: [], added }];
}

function removals(line: number, old: readonly string[]): Edit[] {
  return old.map((text, index) => ({ line: line + index, old: [text.trim()], added: [] }));
}

function replacement(line: number, old: string, added: string): Edit[] {
  if (old === added) return [];
  const isWhole = indentation(old) !== indentation(added) || old.trim() === '' || added.trim() === '';
  if (!isWhole) {
    const edit = { line, ...span(old, added) };
    const applied = applyEdits(old, [{ ...edit, line: 1 }]);
    if ('code' in applied && applied.code === added) return [edit];
  }
  return [...removals(line, [old]), { line: line + 1, old: [], added: [added] }];
}

/** White space is included only if the tokens around it differ. */
function span(old: string, added: string): Pick<Edit, 'old' | 'added'> {
  const before = lineTokens(old);
  const after = lineTokens(added);
  let start = common(before, after);
  const tail = common(before.slice(start).reverse(), after.slice(start).reverse());
  let end = before.length - tail;
  let addedStart = start;
  let addedEnd = after.length - tail;
  const isVague = () =>
    end === start ||
    addedEnd === addedStart ||
    alignedPlaces(old, textOf(old, before, start, end), before).length !== 1;
  while (isVague()) {
    if (start > 0) {
      start--;
      addedStart--;
    } else if (end < before.length) {
      end++;
      addedEnd++;
    } else break;
  }
  return { old: [textOf(old, before, start, end)], added: [textOf(added, after, addedStart, addedEnd)] };
}

function textOf(line: string, tokens: readonly Token[], start: number, end: number): string {
  return line.slice(tokens[start]?.start ?? 0, tokens[end - 1]?.end ?? 0);
}

/** Length of the common prefix of two token lists. */
function common(left: readonly Token[], right: readonly Token[]): number {
  const differs = left.findIndex(({ text }, index) => text !== right[index]?.text);
  return differs === -1 ? Math.min(left.length, right.length) : differs;
}

function indentation(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}

/** A run of characters that edits do not split: its start and end in the line. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Words, runs of operators, and every other character on its own: fine enough to address any part of a line.
 */
function lineTokens(line: string): Token[] {
  return [...line.matchAll(/[\p{L}\p{N}_]+|[-+*/%=<>!&|^~]+|\S/gu)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
}

/** Where a text occurs in a line, aligned to tokens. */
function alignedPlaces(line: string, text: string, tokens: readonly Token[] = lineTokens(line)): number[] {
  const ends = new Set(tokens.map(({ end }) => end));
  return tokens
    .map(({ start }) => start)
    .filter(start => line.startsWith(text, start) && ends.has(start + text.length));
}

/** Where a text occurs in a line, including overlaps. */
function plainPlaces(line: string, text: string): number[] {
  const places: number[] = [];
  for (let position = line.indexOf(text); position !== -1; position = line.indexOf(text, position + 1))
    places.push(position);
  return places;
}

/** The difference between two texts: `start` to `end` of the first is replaced by `replacement`. */
interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The shortest change that makes one text another; the earlier characters count as equal first. */
export function changeOf(text: string, changed: string): TextChange {
  const shorter = Math.min(text.length, changed.length);
  let start = 0;
  while (start < shorter && text[start] === changed[start]) start++;
  let tail = 0;
  while (tail < shorter - start && text.at(-1 - tail) === changed.at(-1 - tail)) tail++;
  return { start, end: text.length - tail, replacement: changed.slice(start, changed.length - tail) };
}

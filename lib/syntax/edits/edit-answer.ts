import type { Outline } from '../../core/ports.ts';
import { codeBlocks, withoutThinking } from '../code-blocks.ts';
import { alignedPlaces, lineTokens } from './edit-tokens.ts';

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

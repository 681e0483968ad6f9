import { codeBlocks, withoutThinking } from '../prompt/code-blocks.ts';

/**
 * A change of a few lines, as a model answers it:
 *
 *     @LINE
 *     -OLD
 *     +NEW
 *
 * `old` is a part of the line, the whole line, or several whole lines from it on; empty, `fresh` is put
 * before the line. An empty `fresh` removes the lines.
 */
export interface Edit {
  /** 1-based, of the code as it is shown; one more than the last line stands for its end. */
  readonly line: number;
  readonly old: readonly string[];
  /** What is put there instead. All but the first are whole lines with their indentation. */
  readonly fresh: readonly string[];
}

/**
 * The edits of an answer, from its fenced blocks if they hold any, else from the text itself; what stands
 * around them is ignored. Empty if there are none.
 */
export function readEdits(completion: string): Edit[] {
  const answer = withoutThinking(completion.replace(/\r\n?/g, '\n'));
  const fenced = codeBlocks(answer).flatMap(editsIn);
  return fenced.length > 0 ? fenced : editsIn(answer);
}

/** The edits as a model is taught to write them. */
export function editText(edits: readonly Edit[]): string {
  return edits
    .flatMap(({ line, old, fresh }) => [
      `@${line}`,
      ...old.map(text => `-${text}`),
      ...fresh.map(text => `+${text}`),
    ])
    .join('\n');
}

function editsIn(text: string): Edit[] {
  const edits: { line: number; old: string[]; fresh: string[] }[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const number = /^\s*@\s*(\d{1,9})\s*:?\s*$/.exec(line)?.[1];
    const last = edits.at(-1);
    if (number !== undefined) {
      edits.push({ line: Number(number), old: [], fresh: [] });
      isOpen = true;
    } else if (!isOpen || !last) continue;
    else if (line.startsWith('+')) last.fresh.push(line.slice(1));
    else if (!line.startsWith('-')) isOpen = false;
    else if (last.fresh.length === 0) last.old.push(line.slice(1));
    // As in a diff: what is taken next are the lines after those before.
    else edits.push({ line: last.line + last.old.length, old: [line.slice(1)], fresh: [] });
  }
  return edits.filter(({ old, fresh }) => old.length + fresh.length > 0);
}

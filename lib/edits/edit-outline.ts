import type { Outline } from '../core/ports.ts';
import { alignedPlaces, lineTokens } from './edit-tokens.ts';

/**
 * The edits that can apply to a program, as far as that is known in advance: the line exists, and the text to
 * remove occurs in it exactly once. Null if the program is too long for such a list.
 */
export function editOutline(shown: string): Outline | null {
  const lines = shown.split('\n');
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

/** The runs of tokens that occur exactly once in a line. */
function partsOf(line: string): string[] {
  const tokens = lineTokens(line);
  const runs = tokens.flatMap(({ start }, first) =>
    tokens.slice(first).map(({ end }) => line.slice(start, end)),
  );
  return [...new Set(runs)].filter(run => alignedPlaces(line, run, tokens).length === 1);
}

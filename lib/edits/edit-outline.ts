import type { Outline } from '../core/ports.ts';
import { alignedPlaces, lineTokens } from './edit-tokens.ts';

/**
 * The edits that fit a code, as far as that is known before they are written: the line is there, and what is to
 * be taken out stands in it, in one place. Null for a code so long that the list would be.
 */
export function editOutline(shown: string): Outline | null {
  const lines = shown.split('\n');
  const parts = lines.map(partsOf);
  if (parts.reduce((sum, { length }) => sum + length, 0) > MOST_PARTS) return null;
  const beginnings = [`@${lines.length + 1}\n+`];
  const whole: string[] = [];
  for (const [index, line] of lines.entries()) {
    const edit = `@${index + 1}\n`;
    beginnings.push(`${edit}+`);
    for (const part of parts[index] ?? []) beginnings.push(`${edit}-${part}\n+`);
    const text = line.trim();
    if (text === '') continue;
    // The line goes: that is all, or another edit follows.
    whole.push(`${edit}-${text}`);
    beginnings.push(`${edit}-${text}\n@`);
  }
  return { beginnings, whole };
}

const MOST_PARTS = 20_000;

/** The runs of tokens that stand once in a line. */
function partsOf(line: string): string[] {
  const tokens = lineTokens(line);
  const runs = tokens.flatMap(({ start }, first) =>
    tokens.slice(first).map(({ end }) => line.slice(start, end)),
  );
  return [...new Set(runs)].filter(run => alignedPlaces(line, run, tokens).length === 1);
}

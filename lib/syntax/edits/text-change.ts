/** The difference between two texts: `start` to `end` of the first is replaced by `replacement`. */
export interface TextChange {
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

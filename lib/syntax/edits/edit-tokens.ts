/** A run of characters that edits do not split: its start and end in the line. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Words, runs of operators, and every other character on its own: fine enough to address any part of a line.
 */
export function lineTokens(line: string): Token[] {
  return [...line.matchAll(/[\p{L}\p{N}_]+|[-+*/%=<>!&|^~]+|\S/gu)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
}

/** Where a text occurs in a line, aligned to tokens. */
export function alignedPlaces(
  line: string,
  text: string,
  tokens: readonly Token[] = lineTokens(line),
): number[] {
  const ends = new Set(tokens.map(({ end }) => end));
  return tokens
    .map(({ start }) => start)
    .filter(start => line.startsWith(text, start) && ends.has(start + text.length));
}

/** Where a text occurs in a line, including overlaps. */
export function plainPlaces(line: string, text: string): number[] {
  const places: number[] = [];
  for (let at = line.indexOf(text); at !== -1; at = line.indexOf(text, at + 1)) places.push(at);
  return places;
}

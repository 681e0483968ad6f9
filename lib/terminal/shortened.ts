import stringWidth from 'string-width';

/** Shortens a text to so many columns of a terminal by leaving out its middle. */
export function shortened(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const half = Math.max(0, columns - 1) / 2;
  const letters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return `${upTo(letters, Math.ceil(half)).join('')}…${upTo(letters.toReversed(), Math.floor(half)).toReversed().join('')}`;
}

const graphemes = new Intl.Segmenter();

function upTo(letters: readonly string[], columns: number): string[] {
  let used = 0;
  const end = letters.findIndex(letter => {
    used += stringWidth(letter);
    return used > columns;
  });
  return letters.slice(0, end === -1 ? letters.length : end);
}

/**
 * Columns that a text takes on a terminal: wide characters (East Asian, emoji) take two, combining marks
 * none.
 */
export function displayWidth(text: string): number {
  return [...text].reduce((sum, letter) => sum + columnsOf(letter), 0);
}

/** Shortens a text to so many columns by leaving out its middle. */
export function shortened(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  const half = Math.max(0, columns - 1) / 2;
  const letters = [...text];
  return `${upTo(letters, Math.ceil(half)).join('')}…${upTo(letters.toReversed(), Math.floor(half)).toReversed().join('')}`;
}

function upTo(letters: readonly string[], columns: number): string[] {
  let used = 0;
  const end = letters.findIndex(letter => {
    used += columnsOf(letter);
    return used > columns;
  });
  return letters.slice(0, end === -1 ? letters.length : end);
}

/** By Unicode blocks, as terminals do: https://www.unicode.org/reports/tr11/ */
function columnsOf(letter: string): number {
  if (/\p{Mn}|\p{Me}|\u200d|\ufe0f/u.test(letter)) return 0;
  const isWide =
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
  return isWide.test(letter) ? 2 : 1;
}

/** The blank lines at the end of a text, from the end of the line before. */
export function blankEnd(text: string): string {
  const newline = text.indexOf('\n', text.trimEnd().length);
  return newline === -1 ? '' : text.slice(newline);
}

export function withoutBlankEnd(text: string): string {
  return text.slice(0, text.length - blankEnd(text).length);
}

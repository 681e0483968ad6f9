/** The letter of a run in the table's columns. */
export function RunLetter({ index }: { index: number }) {
  return <span class={`letter letter-${index % 6}`}>{letterOf(index)}</span>;
}

export function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}

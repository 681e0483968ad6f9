/** The letter of a run in the table's columns. */
export function RunLetter({ place }: { place: number }) {
  return <span class={`letter letter-${place % 6}`}>{letterOf(place)}</span>;
}

export function letterOf(place: number): string {
  return place < 26 ? String.fromCharCode(65 + place) : String(place + 1);
}

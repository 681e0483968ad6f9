/** A piece of text to insert into a program. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
  /** For a closing insertion: the start of what it closes. */
  readonly closes?: number;
}

/** At the same position, closing insertions come before opening ones, inner ones first. */
export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  const ordered = insertions.map((insertion, order) => ({ ...insertion, order }));
  ordered.sort((a, b) => {
    if (a.at !== b.at) return a.at - b.at;
    if ((a.closes === undefined) !== (b.closes === undefined)) return a.closes === undefined ? 1 : -1;
    if (a.closes === undefined || b.closes === undefined) return a.order - b.order;
    return b.closes - a.closes || b.order - a.order;
  });
  let result = '';
  let from = 0;
  for (const { at, text: piece } of ordered) {
    result += text.slice(from, at) + piece;
    from = at;
  }
  return result + text.slice(from);
}

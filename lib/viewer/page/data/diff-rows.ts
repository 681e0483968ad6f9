import { diffLines, diffWordsWithSpace } from 'diff';

export interface DiffRow {
  readonly kind: 'same' | 'removed' | 'added';
  /** Line numbers, 1-based; null if the line is missing on that side. */
  readonly before: number | null;
  readonly after: number | null;
  readonly parts: readonly DiffPart[];
}

export interface DiffPart {
  readonly text: string;
  readonly changed: boolean;
}

/**
 * All lines of two programs. If lines are replaced by the same number of lines, their changed words are
 * marked.
 */
export function diffRows(before: string, after: string): DiffRow[] {
  const changes = diffLines(withEnd(before), withEnd(after));
  const rows: DiffRow[] = [];
  let [oldLine, newLine] = [0, 0];
  for (const [index, { value, added, removed }] of changes.entries()) {
    const lines = linesOf(value);
    const other = removed ? changes[index + 1] : added ? changes[index - 1] : undefined;
    const partners = other && other.added !== added ? linesOf(other.value) : [];
    for (const [at, text] of lines.entries()) {
      const partner = partners.length === lines.length ? partners[at] : undefined;
      if (!added) oldLine++;
      if (!removed) newLine++;
      rows.push({
        kind: added ? 'added' : removed ? 'removed' : 'same',
        before: added ? null : oldLine,
        after: removed ? null : newLine,
        parts: partner === undefined ? [{ text, changed: false }] : parts(text, partner),
      });
    }
  }
  return rows;
}

function parts(text: string, partner: string): DiffPart[] {
  const words = diffWordsWithSpace(partner, text).filter(({ removed }) => !removed);
  const kept = words.filter(({ added }) => !added).reduce((sum, { value }) => sum + value.trim().length, 0);
  // Lines with little in common are treated as different lines.
  if (kept < text.trim().length / 3) return [{ text, changed: false }];
  return words.map(({ value, added }) => ({ text: value, changed: added }));
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function linesOf(value: string): string[] {
  return value.replace(/\n$/, '').split('\n');
}

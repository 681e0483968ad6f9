import { diffLines, diffWordsWithSpace } from 'diff';
import hljs from 'highlight.js/lib/core';
import cpp from 'highlight.js/lib/languages/cpp';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import type { Language } from '../../../../core/task.ts';

/** A part of a line. `kind` is its CSS class; empty for plain text. */
export interface Token {
  readonly text: string;
  readonly kind: string;
}

const grammars = { python, js: javascript, java, go, cpp, rust } satisfies Record<Language, unknown>;
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

/** The lines of a program as tokens; joined, they are the code. */
export function highlightedLines(code: string, language: Language): Token[][] {
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  const lines: Token[][] = [[]];
  const open: string[] = [];
  // highlight.js returns nested spans around escaped text.
  for (const piece of value.split(/(<span class="[^"]*">|<\/span>|\n)/)) {
    const [, kind] = /^<span class="([^"]*)">$/.exec(piece) ?? [];
    if (kind !== undefined) open.push(kind);
    else if (piece === '</span>') open.pop();
    else if (piece === '\n') lines.push([]);
    else if (piece !== '') lines.at(-1)?.push({ text: unescaped(piece), kind: open.at(-1) ?? '' });
  }
  return lines;
}

export interface MarkedToken extends Token {
  readonly changed: boolean;
}

/** Splits the parts of a changed line at token boundaries. Parts and tokens cover the same text. */
export function markedTokens(
  parts: readonly { readonly text: string; readonly changed: boolean }[],
  tokens: readonly Token[],
): MarkedToken[] {
  const kinds = tokens.flatMap(({ text, kind }) => Array.from({ length: text.length }, () => kind));
  let position = 0;
  return parts.flatMap(({ text, changed }) => {
    const marked: MarkedToken[] = [];
    const end = position + text.length;
    for (let start = position; start < end; start = position) {
      while (position < end && kinds[position] === kinds[start]) position++;
      marked.push({
        text: text.slice(start - end + text.length, position - end + text.length),
        kind: kinds[start] ?? '',
        changed,
      });
    }
    return marked;
  });
}

function unescaped(html: string): string {
  return html.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, entity => entities[entity] ?? entity);
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

interface DiffRow {
  readonly kind: 'same' | 'removed' | 'added';
  /** Line numbers, 1-based; null if the line is missing on that side. */
  readonly before: number | null;
  readonly after: number | null;
  readonly parts: readonly DiffPart[];
}

interface DiffPart {
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
  const unchanged = words
    .filter(({ added }) => !added)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  // Lines with little in common are treated as different lines.
  if (unchanged < text.trim().length / 3) return [{ text, changed: false }];
  return words.map(({ value, added }) => ({ text: value, changed: added }));
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function linesOf(value: string): string[] {
  return value.replace(/\n$/, '').split('\n');
}

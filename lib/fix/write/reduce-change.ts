import { diffArrays } from 'diff';
import type { ChangedFile } from '../../../machines/project-actors.ts';
import { changedFile, encoded, readSource, type SourceFile, sourcesOf } from '../patch/source-file.ts';

/** Lines that a change replaces; 0-based in the file before. */
interface Hunk {
  readonly path: string;
  readonly start: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Number of trials. */
const MAX_TRIALS = 6;

/**
 * Takes out hunks that are not needed, one by one from the last: those without which `passes` still says yes. A hunk that
 * defines a name which others use stays.
 * @param before the files without the change
 */
export async function reduceChange(
  changes: readonly ChangedFile[],
  before: (path: string) => SourceFile,
  passes: (changes: readonly ChangedFile[]) => Promise<boolean>,
): Promise<readonly ChangedFile[]> {
  let hunks = [...sourcesOf(changes)].flatMap(([path, after]) =>
    hunksOf(path, before(path).text, after.text),
  );
  let reduced = changes;
  let trials = 0;
  for (const hunk of hunks.toReversed()) {
    if (hunks.length === 1 || trials === MAX_TRIALS) break;
    const others = hunks.filter(other => other !== hunk);
    if (isUsed(hunk, others)) continue;
    const smaller = changesWith(others, changes, before);
    if (smaller === null) continue;
    trials++;
    if (!(await passes(smaller))) continue;
    hunks = others;
    reduced = smaller;
  }
  return reduced;
}

/** Lines keep their endings. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]+\n?|\n/g) ?? [];
}

export function hunksOf(path: string, before: string, after: string): Hunk[] {
  const hunks: Hunk[] = [];
  let row = 0;
  let open: { start: number; removed: string[]; added: string[] } | null = null;
  for (const { value, added, removed } of diffArrays(linesOf(before), linesOf(after))) {
    if (!added && !removed) {
      if (open) hunks.push({ path, ...open });
      open = null;
    } else {
      open ??= { start: row, removed: [], added: [] };
      (added ? open.added : open.removed).push(...value);
    }
    if (!added) row += value.length;
  }
  if (open) hunks.push({ path, ...open });
  return hunks;
}

function isUsed({ removed, added }: Hunk, others: readonly Hunk[]): boolean {
  const namesIn = (lines: readonly string[]): Set<string> =>
    new Set(lines.join('\n').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
  const removedNames = namesIn(removed);
  const names = [...namesIn(added)].filter(name => !removedNames.has(name));
  const used = namesIn(others.flatMap(other => other.added));
  const defines =
    /\b(?:import|from|def|class|function|const|let|var|type|interface)\b|^[ \t]*[\w$.]+[ \t]*(?::[^=\n]+)?=(?!=)/m;
  return defines.test(added.join('')) && names.some(name => name.length > 1 && used.has(name));
}

/** Null if a file cannot hold it. */
function changesWith(
  hunks: readonly Hunk[],
  changes: readonly ChangedFile[],
  before: (path: string) => SourceFile,
): ChangedFile[] | null {
  const files: ChangedFile[] = [];
  for (const { path } of changes) {
    const fileHunks = hunks.filter(hunk => hunk.path === path);
    if (fileHunks.length === 0) continue;
    const file = before(path);
    const lines = linesOf(file.text);
    for (const { start, removed, added } of fileHunks.toReversed())
      lines.splice(start, removed.length, ...added);
    const bytes = encoded(file, lines.join(''));
    if (bytes === null) return null;
    files.push(changedFile(readSource(path, bytes)));
  }
  return files;
}

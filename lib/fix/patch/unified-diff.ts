import { structuredPatch } from 'diff';
import type { ChangedFile } from '../../../machines/project-actors.ts';
import { type SourceFolder, sourceBefore } from '../project/new-files.ts';
import type { SourceFile } from './source-file.ts';

/** A file before and after. */
export interface FileChange {
  readonly file: SourceFile;
  readonly after: Buffer;
}

/** @param project the files before @throws Error for a file that neither exists nor may be added */
export function changesOf(project: SourceFolder, changed: readonly ChangedFile[]): FileChange[] {
  return changed.map(({ path, content }) => ({
    file: sourceBefore(project, path),
    after: Buffer.from(content, 'base64'),
  }));
}

/**
 * A unified diff of files, as bytes that `git apply` accepts in the folder that the paths are relative to: each line
 * keeps its file's encoding and line ending, and a note marks a last line without one. There are no `diff --git`
 * lines, with which git would take the paths as relative to the whole repository.
 * @param placed the path in that folder of a file of the project
 */
export function unifiedDiff(
  changes: readonly FileChange[],
  placed: (path: string) => string = path => path,
): Buffer {
  return Buffer.concat(
    changes.map(change => Buffer.from(diffOf(change, placed(change.file.path)), 'latin1')),
  );
}

/** Bytes are read as latin1, so that no line has to be decoded. */
function diffOf({ file, after }: FileChange, place: string): string {
  const before = file.bytes.toString('latin1');
  const { hunks } = structuredPatch('', '', before, after.toString('latin1'), '', '', { context: 3 });
  // A tab ends a name with a space in it.
  const end = place.includes(' ') ? '\t' : '';
  const old = file.isNew ? '/dev/null' : `${quotedPath(`a/${place}`)}${end}`;
  const head = `--- ${old}\n+++ ${quotedPath(`b/${place}`)}${end}\n`;
  const body = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    // Without lines, the place is the line before.
    const from = oldLines === 0 ? oldStart - 1 : oldStart;
    const range = `@@ -${from},${oldLines} +${newStart},${newLines} @@\n`;
    return range + lines.map(line => `${line}\n`).join('');
  });
  return head + body.join('');
}

/**
 * A path as git writes it in diffs: in C's notation between double quotes if it holds a control character, a quote, a
 * backslash or a byte beyond ASCII, so that it can neither end its line nor start another. Source: git-config(1),
 * core.quotePath, with its default.
 */
function quotedPath(path: string): string {
  const bytes = [...Buffer.from(path, 'utf8')];
  const quoted = bytes.map(
    byte => escapes.get(byte) ?? (isPlain(byte) ? String.fromCharCode(byte) : octal(byte)),
  );
  return bytes.every(byte => isPlain(byte) && !escapes.has(byte)) ? path : `"${quoted.join('')}"`;
}

const escapes: ReadonlyMap<number, string> = new Map(
  [...'\x07\b\t\n\v\f\r"\\'].map((letter, index) => [letter.charCodeAt(0), `\\${'abtnvfr"\\'[index]}`]),
);

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}

/** Whether a file keeps all of its lines, in their order. */
export function isOnlyAdded(before: string, after: string): boolean {
  const old = before.trimEnd().split('\n');
  let count = 0;
  for (const line of after.split('\n'))
    if (count < old.length && line.trimEnd() === old[count]?.trimEnd()) count++;
  return count === old.length;
}

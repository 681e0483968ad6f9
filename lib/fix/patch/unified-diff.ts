import { structuredPatch } from 'diff';
import type { SourceFile } from './source-file.ts';

/** A file before and after. */
export interface FileChange {
  readonly file: SourceFile;
  readonly after: Buffer;
}

/**
 * A unified diff of files, as bytes that `git apply` accepts: each line keeps its file's encoding and line
 * ending, and a note marks a last line without one.
 */
export function unifiedDiff(changes: readonly FileChange[]): Buffer {
  return Buffer.concat(changes.map(change => Buffer.from(diffOf(change), 'latin1')));
}

/** Bytes are read as latin1, so that no line has to be decoded. */
function diffOf({ file, after }: FileChange): string {
  const before = file.bytes.toString('latin1');
  const { hunks } = structuredPatch('', '', before, after.toString('latin1'), '', '', { context: 3 });
  const path = Buffer.from(file.path, 'utf8').toString('latin1');
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
  const body = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const range = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n`;
    return range + lines.map(line => `${line}\n`).join('');
  });
  return head + body.join('');
}

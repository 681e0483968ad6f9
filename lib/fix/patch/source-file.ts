import type { ChangedFile } from '../../../machines/project-actors.ts';
/** A source file as text; unchanged parts can be written back byte for byte. */
export interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
  /** Byte-order marks, line endings and tabs are kept. */
  readonly text: string;
  /**
   * `latin1` stands for any encoding with one byte per character; files that are not UTF-8 are read as such.
   */
  readonly encoding: 'utf8' | 'latin1';
  /** For a file that the project does not have yet. */
  readonly isNew?: true;
}

export function readSource(path: string, bytes: Buffer): SourceFile {
  const text = bytes.toString('utf8');
  const isUtf8 = Buffer.from(text, 'utf8').equals(bytes) && !declaresOther(bytes);
  return isUtf8
    ? { path, bytes, text, encoding: 'utf8' }
    : { path, bytes, text: bytes.toString('latin1'), encoding: 'latin1' };
}

/** A file before a model adds it. */
export function newSource(path: string): SourceFile {
  return { ...readSource(path, Buffer.alloc(0)), isNew: true };
}

/** PEP 263: a comment in the first two lines names the encoding of a Python file. */
function declaresOther(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 400).toString('latin1').split('\n').slice(0, 2);
  const named = head.map(line => /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1]).find(Boolean);
  return named !== undefined && !/^utf-?8/i.test(named) && !/^(?:us-)?ascii$/i.test(named);
}

/** The bytes of a changed text. Null if the file's encoding lacks one of its characters. */
export function encoded(file: SourceFile, text: string): Buffer | null {
  if (file.encoding === 'utf8') return Buffer.from(text, 'utf8');
  // New characters beyond ASCII may have another meaning in the file's encoding.
  const characters = new Set(file.text);
  for (const letter of text) if (letter > '\x7f' && !characters.has(letter)) return null;
  return Buffer.from(text, 'latin1');
}

/** Files in the form that a runner takes. */
export function bytesOf(files: ReadonlyMap<string, SourceFile>): Map<string, Uint8Array> {
  return new Map([...files].map(([path, { bytes }]) => [path, bytes]));
}

/** A file as plain data, and back. */
export function changedFile({ path, bytes }: SourceFile): ChangedFile {
  return { path, content: Buffer.from(bytes).toString('base64') };
}

/** By path. */
export function sourcesOf(changes: readonly ChangedFile[]): Map<string, SourceFile> {
  return new Map(
    changes.map(({ path, content }) => [path, readSource(path, Buffer.from(content, 'base64'))]),
  );
}

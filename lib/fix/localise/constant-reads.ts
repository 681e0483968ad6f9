import { basename, dirname } from 'node:path';
import { literalPattern } from '../literal-pattern.ts';
import type { SourceFile } from '../patch/source-file.ts';
import { type ConstantRead, functionAt, type ProjectFunction } from './functions.ts';

/**
 * The constants with the functions that read them, in their own file and in those that import it: directly, or through
 * another constant. It goes by names alone, so another variable of that name may count too.
 */
export function withReads(
  constants: readonly ProjectFunction[],
  files: readonly SourceFile[],
  functions: readonly ProjectFunction[],
): ProjectFunction[] {
  const texts = files.map(textOf);
  const own = ({ file: { path } }: ProjectFunction, other: string): boolean => path === other;
  const functionsOf = new Map(
    texts.map(({ path }) => [path, functions.filter(found => own(found, path))] as const),
  );
  const direct = new Map(
    constants.map(constant => {
      const places = texts.flatMap(text => linesOf(constant, text).map(line => ({ path: text.path, line })));
      const reads = places.flatMap(({ path, line }): ConstantRead[] => {
        const reader = functionAt(functionsOf.get(path) ?? [], line);
        return reader ? [{ reader, line }] : [];
      });
      const readers = constants.filter(
        other => other !== constant && places.some(({ path, line }) => own(other, path) && isIn(other, line)),
      );
      return [constant, { reads, readers }] as const;
    }),
  );
  const readsOf = (constant: ProjectFunction, seen: Set<ProjectFunction>): readonly ConstantRead[] => {
    if (seen.has(constant)) return [];
    seen.add(constant);
    const { reads = [], readers = [] } = direct.get(constant) ?? {};
    return [...reads, ...readers.flatMap(other => readsOf(other, seen))];
  };
  return constants.map(constant => ({ ...constant, reads: readsOf(constant, new Set()) }));
}

function isIn({ firstLine, lastLine }: ProjectFunction, line: number): boolean {
  return firstLine <= line && line <= lastLine;
}

/** Of the files, those that others import. */
export function importedOf(paths: readonly string[], importing: readonly SourceFile[]): string[] {
  const names = new Set(importing.map(textOf).flatMap(({ imports }) => [...imports.keys()]));
  return paths.filter(path => names.has(moduleName(path)));
}

/** The lines that name a constant, except for its own. */
function linesOf(constant: ProjectFunction, text: FileText): readonly number[] {
  const { file, name, qualified } = constant;
  const isOwn = file.path === text.path;
  const imported = isOwn ? '' : text.imports.get(moduleName(file.path));
  if (imported === undefined) return [];
  const word = /^(?:default|exports)$/.test(name) ? boundIn(imported) : /[\p{L}\p{N}_$]+$/u.exec(name)?.[0];
  if (word === undefined) return [];
  const lines = (text.words.get(word) ?? []).filter(line => !isOwn || !isIn(constant, line));
  // Fields of classes are read as `this.name`.
  const member = qualified === name ? null : new RegExp(`\\.#?${literalPattern(word)}(?![\\w$])`);
  return member ? lines.filter(line => member.test(text.rows[line - 1] ?? '')) : lines;
}

/** The variable of `import name from …` or `const name = require(…)`. */
function boundIn(source: string): string | undefined {
  const [, imported, required] =
    /\bimport\s+(?:\*\s+as\s+)?([\w$]+)|\b(?:const|let|var)\s+([\w$]+)\s*=\s*require\b/.exec(source) ?? [];
  return imported ?? required;
}

interface FileText {
  readonly path: string;
  readonly rows: readonly string[];
  /** The 1-based lines that have a word. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  /** The row that imports a module, by its name without folders and ending. */
  readonly imports: ReadonlyMap<string, string>;
}

function textOf({ path, text }: SourceFile): FileText {
  const rows = text.split('\n');
  const words = new Map<string, number[]>();
  const imports = new Map<string, string>();
  for (const [at, row] of rows.entries()) {
    for (const word of new Set(row.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu))) {
      const lines = words.get(word);
      if (lines) lines.push(at + 1);
      else words.set(word, [at + 1]);
    }
    if (/\b(?:import|require|from)\b/.test(row))
      for (const part of row.match(/[\p{L}\p{N}_$.-]+/gu) ?? []) imports.set(endOf(part), row);
  }
  return { path, rows, words, imports };
}

function moduleName(path: string): string {
  const name = endOf(basename(path));
  return /^(?:index|__init__)$/.test(name) ? basename(dirname(path)) : name;
}

/** Without the ending of a file, and without the packages of Python. */
function endOf(part: string): string {
  const bare = part.replace(/\.(?:[cm]?[jt]sx?|py)$/, '');
  return bare === part ? part.replace(/^.*\./, '') : bare;
}

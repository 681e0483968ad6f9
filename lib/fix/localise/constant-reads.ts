import { literalPattern } from '../../core/literal-pattern.ts';
import type { SourceFile } from '../patch/source-file.ts';
import { type ConstantRead, functionAt, type ProjectFunction } from './functions.ts';
import { type ImportedModule, importsOf, isModuleIn } from './imports.ts';

/**
 * The constants with the functions that read them, in their own file and in those that import it: directly, or through
 * another constant. It goes by names alone, so another variable of that name may count too.
 */
export function withReads(
  constants: readonly ProjectFunction[],
  files: readonly SourceFile[],
  functions: readonly ProjectFunction[],
): ProjectFunction[] {
  const functionsOf = byFile(functions);
  const constantsOf = byFile(constants);
  const direct = new Map(
    constants.map(constant => [constant, { reads: [] as ConstantRead[], readers: [] as ProjectFunction[] }]),
  );
  for (const text of files.map(textOf)) {
    const [ownFunctions = [], ownConstants = []] = [functionsOf.get(text.path), constantsOf.get(text.path)];
    for (const [path, others] of constantsOf) {
      const imported = text.imports.find(module => isModuleIn(module, path));
      if (path !== text.path && !imported) continue;
      for (const constant of others) {
        for (const line of linesOf(constant, text, imported)) {
          const reader = functionAt(ownFunctions, line);
          if (reader) direct.get(constant)?.reads.push({ reader, line });
          const readers = ownConstants.filter(other => other !== constant && isIn(other, line));
          direct.get(constant)?.readers.push(...readers);
        }
      }
    }
  }
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

function byFile(found: readonly ProjectFunction[]): Map<string, ProjectFunction[]> {
  const files = new Map<string, ProjectFunction[]>();
  for (const each of found) {
    const own = files.get(each.file.path);
    if (own) own.push(each);
    else files.set(each.file.path, [each]);
  }
  return files;
}

/** The lines that name a constant, except for its own. */
function linesOf(
  constant: ProjectFunction,
  text: FileText,
  imported: ImportedModule | undefined,
): readonly number[] {
  const { file, name, qualified } = constant;
  const isOwn = file.path === text.path;
  const isNameless = /^(?:default|exports)$/.test(name);
  const word = isNameless
    ? boundIn(imported?.source ?? '')
    : /(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+$/u.exec(name)?.[0];
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
  readonly imports: readonly ImportedModule[];
}

function textOf(file: SourceFile): FileText {
  const rows = file.text.split('\n');
  const words = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) {
    for (const word of new Set(row.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu))) {
      const lines = words.get(word);
      if (lines) lines.push(at + 1);
      else words.set(word, [at + 1]);
    }
  }
  return { path: file.path, rows, words, imports: importsOf(file) };
}

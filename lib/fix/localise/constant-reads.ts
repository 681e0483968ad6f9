import { MAX_CODE_LENGTH } from '../../syntax/parser.ts';
import type { SourceFile } from '../patch/source-file.ts';
import { type ConstantRead, functionsByLine, hasLine, type ProjectFunction } from './functions.ts';
import { type ImportedModule, importsOf, modulesByFile } from './imports.ts';

/**
 * The constants with the functions that read them, in their own file and in those that import it: directly, or through
 * another constant. It goes by names alone, so another variable of that name may count too. Of a chain of constants, the
 * next 32 count.
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
  let left = MAX_STEPS;
  for (const text of files.map(textOf)) {
    const functionIn = functionsByLine(functionsOf.get(text.path) ?? []);
    const constantsIn = constantsByLine(constantsOf.get(text.path) ?? []);
    const moduleIn = modulesByFile(text.imports);
    for (const [path, others] of constantsOf) {
      const imported = moduleIn(path);
      if (path !== text.path && !imported) continue;
      for (const constant of others) {
        const { reads = [], readers = [] } = direct.get(constant) ?? {};
        for (const line of linesOf(constant, text, imported)) {
          if (left-- <= 0) break;
          if (path === text.path && hasLine(constant, line)) continue;
          const reader = functionIn(line);
          if (reader) reads.push({ reader, line });
          const around = constantsIn(line);
          left -= around.length;
          for (const other of around) readers.push(other);
        }
      }
    }
  }
  left = MAX_CHAIN_STEPS;
  const readsOf = (constant: ProjectFunction): ConstantRead[] => {
    const constantReads: ConstantRead[] = [];
    const seen = new Set([constant]);
    let further = MAX_CHAIN;
    // The set grows while it is walked through.
    for (const each of seen) {
      const { reads = [], readers = [] } = direct.get(each) ?? {};
      left -= 1 + reads.length + readers.length;
      if (each !== constant && (left < 0 || --further < 0)) break;
      for (const read of reads) constantReads.push(read);
      for (const reader of readers) seen.add(reader);
    }
    return constantReads;
  };
  return constants.map(constant => ({ ...constant, reads: readsOf(constant) }));
}

const MAX_CHAIN = 32;
const MAX_CHAIN_STEPS = 2 ** 21;
/** Some 0.2 s. Each constant of a large project is read in a few lines. */
const MAX_STEPS = 2 ** 18;

/** Those of one statement have the same lines. */
function constantsByLine(constants: readonly ProjectFunction[]): (line: number) => ProjectFunction[] {
  const first = functionsByLine(constants);
  const byHeader = new Map<number, ProjectFunction[]>();
  for (const each of constants) {
    const alike = byHeader.get(each.headerLine);
    if (alike) alike.push(each);
    else byHeader.set(each.headerLine, [each]);
  }
  return line => (byHeader.get(first(line)?.headerLine ?? 0) ?? []).filter(each => hasLine(each, line));
}

function byFile(functions: readonly ProjectFunction[]): Map<string, ProjectFunction[]> {
  const files = new Map<string, ProjectFunction[]>();
  for (const each of functions) {
    const group = files.get(each.file.path);
    if (group) group.push(each);
    else files.set(each.file.path, [each]);
  }
  return files;
}

/** The lines that name a constant, with its own. */
function linesOf(
  { name, qualified }: ProjectFunction,
  text: FileText,
  imported: ImportedModule | undefined,
): readonly number[] {
  const isNameless = /^(?:default|exports)$/.test(name);
  const word = isNameless
    ? boundIn(imported?.source ?? '')
    : /(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+$/u.exec(name)?.[0];
  if (word === undefined) return [];
  // Fields of classes are read as `this.name`.
  return (qualified === name ? text.words : text.members).get(word) ?? [];
}

/** The variable of `import name from …` or `const name = require(…)`. */
function boundIn(source: string): string | undefined {
  const [, imported, required] =
    /\bimport\s+(?:\*\s+as\s+)?([\w$]+)|\b(?:const|let|var)\s+([\w$]+)\s*=\s*require\b/.exec(source) ?? [];
  return imported ?? required;
}

interface FileText {
  readonly path: string;
  /** The 1-based lines that have a word. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  /** The 1-based lines that have a word behind a dot. */
  readonly members: ReadonlyMap<string, readonly number[]>;
  readonly imports: readonly ImportedModule[];
}

function textOf(file: SourceFile): FileText {
  // A longer text is not parsed, so that nothing in it reads a constant.
  const rows = file.text.length > MAX_CODE_LENGTH ? [] : file.text.split('\n');
  return {
    path: file.path,
    words: linesByMatch(rows, /[\p{L}_$][\p{L}\p{N}_$]*/gu),
    members: linesByMatch(rows, /(?<=\.#?)[\p{L}_$][\p{L}\p{N}_$]*/gu),
    imports: importsOf(file),
  };
}

function linesByMatch(rows: readonly string[], pattern: RegExp): Map<string, number[]> {
  const result = new Map<string, number[]>();
  for (const [index, row] of rows.entries()) {
    for (const word of new Set(row.match(pattern))) {
      const lines = result.get(word);
      if (lines) lines.push(index + 1);
      else result.set(word, [index + 1]);
    }
  }
  return result;
}

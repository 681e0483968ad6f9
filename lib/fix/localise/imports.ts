import { posix } from 'node:path';
import { MAX_CODE_LENGTH } from '../../syntax/parser.ts';
import type { SourceFile } from '../patch/source-file.ts';

/** A line that imports a module of the project. */
export interface ImportedModule {
  /** The path of its file without ending, or the end of that path; of a package, that of its folder. */
  readonly path: string;
  /** Whether the path is from the project's folder. */
  readonly isWhole: boolean;
  /** The line. */
  readonly source: string;
}

/** The modules that a file may import, as far as single lines tell. */
export function importsOf(file: SourceFile): ImportedModule[] {
  const { path } = file;
  const read = path.endsWith('.py') ? pythonModules : scriptModules;
  return importLines(file)
    .slice(0, MAX_IMPORTS)
    .flatMap(source =>
      read(source, posix.dirname(path)).map(module => ({ ...module, path: stemOf(module.path), source })),
    );
}

/** Whether a file has more imports than those in `importsOf`. */
export function hasMoreImports(file: SourceFile): boolean {
  return importLines(file).length > MAX_IMPORTS;
}

/** None of a file that is too long to be parsed. */
function importLines({ text }: SourceFile): string[] {
  return text.length > MAX_CODE_LENGTH
    ? []
    : text
        .split('\n')
        .filter(source => source.length <= MAX_LINE && /\b(?:import|require|from)\b/.test(source));
}

/** A longer line is data, and a file with more imports is generated: each module may be as long as its line. */
const MAX_LINE = 1000;
export const MAX_IMPORTS = 1000;

/** For each file, the first of the modules that may be the one in it. */
export function modulesByFile(
  modules: readonly ImportedModule[],
): (file: string) => ImportedModule | undefined {
  const [whole, ends] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, { path, isWhole }] of modules.entries())
    for (const map of isWhole ? [whole] : [whole, ends]) if (!map.has(path)) map.set(path, index);
  return file => {
    const stem = stemOf(file);
    const parts = stem.split('/').slice(-MAX_PARTS);
    const indexes = [whole.get(stem), ...parts.map((_, index) => ends.get(parts.slice(index).join('/')))];
    const places = indexes.filter(index => index !== undefined);
    return places.length > 0 ? modules[Math.min(...places)] : undefined;
  };
}

/** Nobody imports from deeper folders. */
const MAX_PARTS = 32;

type Module = Omit<ImportedModule, 'source'>;

function scriptModules(source: string, folder: string): Module[] {
  return [...source.matchAll(/\b(?:from|import|require)\b\s*(?:\(\s*)?(["'])([^"']+)\1/g)].map(
    ([, , name = '']) =>
      name.startsWith('.')
        ? { path: posix.join(folder, name), isWhole: true }
        : { path: name.replace(/^[@~#]?\//, ''), isWhole: false },
  );
}

/** What `from` imports may be modules too. */
function pythonModules(source: string, folder: string): Module[] {
  const [, dots = '', base = '', names = ''] =
    /^\s*from\s+(?=\S)(\.*)(?!\.)([\w.]*)\s+import\s+(.*)/.exec(source) ?? [];
  const [, plain = ''] = /^\s*import\s+(.*)/.exec(source) ?? [];
  const listed = (list: string) =>
    [...list.matchAll(/(?:^|,)\s*(?:\(\s*)?([\w.]+)/g)].map(([, name = '']) => name);
  const above = dots === '' ? '' : posix.join(folder, '../'.repeat(dots.length - 1));
  const inBase = [base, ...listed(names).map(name => (base === '' ? name : `${base}.${name}`))];
  return [...listed(plain), ...(names === '' ? [] : inBase)]
    .filter(name => name !== '')
    .map(name => ({ path: posix.join(above, name.replaceAll('.', '/')), isWhole: dots !== '' }));
}

function stemOf(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|py)$/, '').replace(/\/(?:index|__init__)$/, '');
}

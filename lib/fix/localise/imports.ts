import { posix } from 'node:path';
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
export function importsOf({ path, text }: SourceFile): ImportedModule[] {
  const read = path.endsWith('.py') ? pythonModules : scriptModules;
  return text
    .split('\n')
    .filter(source => /\b(?:import|require|from)\b/.test(source))
    .flatMap(source =>
      read(source, posix.dirname(path)).map(module => ({ ...module, path: stemOf(module.path), source })),
    );
}

/** Whether a module is the one in a file. */
export function isModuleIn({ path, isWhole }: ImportedModule, file: string): boolean {
  const stem = stemOf(file);
  return stem === path || (!isWhole && stem.endsWith(`/${path}`));
}

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

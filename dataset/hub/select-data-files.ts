import type { Language } from '../../lib/core/task.ts';

/** The files of a repository that contain the tasks, or why they cannot be determined. */
export type DataSelection =
  | {
      readonly kind: 'found';
      /** In row order: one file, or the parts of one table. */
      readonly paths: readonly string[];
      /** The one that the paths name or, if they name none, the one requested. */
      readonly language: Language | undefined;
    }
  | { readonly kind: 'no-files' }
  | { readonly kind: 'no-language'; readonly languages: readonly Language[] }
  | { readonly kind: 'ambiguous'; readonly choices: readonly string[] };

/**
 * Selects files of a dataset repository by the naming conventions of the hub: a folder or part of a file name
 * is a language (`data/js/data/humanevalpack.jsonl`, `js/test/0000.parquet`) or a split
 * (`data/test-00000-of-00002.parquet`). Test splits are preferred to validation splits, and those to training
 * splits; a configuration named default is preferred to others. Without `wanted`, Python is preferred.
 */
export function selectDataFiles(paths: readonly string[], wanted: Language | undefined): DataSelection {
  const files = paths.filter(path => READABLE.test(path) && !/(^|\/)\./.test(path)).map(describe);
  if (files.length === 0) return { kind: 'no-files' };
  const languages = [...new Set(files.flatMap(file => file.language ?? []))];
  const language =
    wanted ?? (languages.includes('python') || languages.length === 0 ? 'python' : onlyOne(languages));
  if (language === undefined || (languages.length > 0 && !languages.includes(language)))
    return { kind: 'no-language', languages };

  const spoken = languages.length === 0 ? files : files.filter(file => file.language === language);
  const split = splits.find(name => spoken.some(file => file.split === name));
  const tables = oneFormat(spoken.filter(file => file.split === split));
  const defaults = tables.filter(([file]) => file?.parts.includes('default'));
  const table = onlyOne(tables) ?? onlyOne(defaults);
  if (table === undefined) return { kind: 'ambiguous', choices: tables.map(([file]) => file?.path ?? '') };
  return {
    kind: 'found',
    paths: table.map(({ path }) => path).sort(),
    language: languages.length === 0 ? wanted : language,
  };
}

/** Whether all parts of a table are present; `…-00000-of-00002.parquet` gives their number. */
export function isWhole(paths: readonly string[]): boolean {
  const count = /-of-(\d+)\.[a-z.]+$/.exec(paths[0] ?? '')?.[1];
  return count === undefined || paths.length === Number(count);
}

const READABLE = /\.(parquet|jsonl|jsonl\.gz)$/;

/** In order of preference; undefined if the path names none. */
const splits: readonly (string | undefined)[] = ['test', 'validation', 'train', undefined];

const splitNames: Readonly<Record<string, string>> = {
  test: 'test',
  validation: 'validation',
  valid: 'validation',
  val: 'validation',
  dev: 'validation',
  train: 'train',
};

const languageNames: Readonly<Record<string, Language>> = {
  python: 'python',
  py: 'python',
  js: 'js',
  javascript: 'js',
  java: 'java',
  go: 'go',
  golang: 'go',
  cpp: 'cpp',
  'c++': 'cpp',
  rust: 'rust',
  rs: 'rust',
};

interface DataFile {
  readonly path: string;
  /** The words in its folders and name, in lower case. */
  readonly parts: readonly string[];
  readonly language: Language | undefined;
  readonly split: string | undefined;
  /** Equal for the parts of one table, and for one table in two formats. */
  readonly table: string;
  readonly extension: string;
}

function describe(path: string): DataFile {
  const extension = READABLE.exec(path)?.[0] ?? '';
  const stem = path.slice(0, -extension.length);
  const parts = stem.toLowerCase().split(/[/_.-]/);
  const named = <T>(names: Readonly<Record<string, T>>): T | undefined => {
    const part = parts.find(name => Object.hasOwn(names, name));
    return part === undefined ? undefined : names[part];
  };
  return {
    path,
    parts,
    language: named(languageNames),
    split: named(splitNames),
    table: stem.replace(/(^|\/)\d+$/, '$1').replace(/-\d+-of-\d+$/, ''),
    extension,
  };
}

/** Groups the files by table; Parquet is preferred if a table exists in several formats. */
function oneFormat(files: readonly DataFile[]): DataFile[][] {
  const names = [...new Set(files.map(({ table }) => table))];
  return names.map(name => {
    const table = files.filter(file => file.table === name);
    const extension = ['.parquet', '.jsonl', '.jsonl.gz'].find(one => table.some(f => f.extension === one));
    return table.filter(file => file.extension === extension);
  });
}

function onlyOne<T>(values: readonly T[]): T | undefined {
  return values.length === 1 ? values[0] : undefined;
}

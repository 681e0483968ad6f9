import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { targetNotFound, targetUnsupported } from '../../core/errors.ts';
import { closest } from '../../options/closest.ts';

/** What to repair. */
export interface Target {
  /** Absolute path of a file or a folder. */
  readonly path: string;
  readonly isFolder: boolean;
  /** `median`, `Basket.total`; null for any function. */
  readonly function: string | null;
  /** 1-based line that distinguishes functions of the same name; null if omitted. */
  readonly line: number | null;
}

/** `js` stands for JavaScript and TypeScript. */
export type FixLanguage = 'python' | 'js';

/** `stats.py`, `stats.py::median`, `stats.py::median:12`, a folder, or nothing for the current one. */
export function readTarget(text: string | undefined, cwd: string): Target {
  const [named = '.', chosen] = (text ?? '.').split('::');
  const [, name = chosen ?? null, line] = /^(.*):(\d+)$/.exec(chosen ?? '') ?? [];
  const path = resolve(cwd, named);
  if (!existsSync(path)) throw targetNotFound(named, nearestName(path));
  const isFolder = statSync(path).isDirectory();
  if (!isFolder && languageOf(path) === null) throw targetUnsupported(named);
  return { path, isFolder, function: name, line: line === undefined ? null : Number(line) };
}

export function languageOf(path: string): FixLanguage | null {
  const extension = extname(path);
  if (extension === '.py') return 'python';
  return /^\.(?:[cm]?[jt]s|[jt]sx)$/.test(extension) && !/\.d\.[cm]?ts$/.test(path) ? 'js' : null;
}

function nearestName(path: string): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return undefined;
  const found = closest(basename(path), readdirSync(folder));
  return found === undefined ? undefined : join(relative(process.cwd(), folder), found);
}

/** Files that mark the root folder of a project. */
const markers: Readonly<Record<FixLanguage, readonly string[]>> = {
  python: ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini', 'conftest.py'],
  js: ['package.json'],
};

/**
 * The folder to copy: the target itself if it is a folder; otherwise the nearest marked project around the
 * target and its tests, no higher than the current folder; otherwise the smallest folder that contains them.
 */
export function projectRoot(
  target: Target,
  tests: readonly string[],
  language: FixLanguage,
  cwd: string,
): string {
  const places = [target.isFolder ? target.path : dirname(target.path), ...tests.map(folderOf)];
  const common = places.reduce(commonFolder);
  if (target.isFolder) return common;
  for (let folder = common; ; folder = dirname(folder)) {
    if (markers[language].some(name => existsSync(join(folder, name)))) return folder;
    if (folder === cwd || folder === dirname(folder)) return common;
  }
}

function folderOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path);
}

function commonFolder(one: string, other: string): string {
  let folder = one;
  while (folder !== other && !other.startsWith(folder === sep ? sep : folder + sep)) folder = dirname(folder);
  return folder;
}

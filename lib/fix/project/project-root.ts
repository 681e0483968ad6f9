import { existsSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { FixLanguage, Target } from './target.ts';

/** Files that mark the root folder of a project. */
const markers: Readonly<Record<FixLanguage, readonly string[]>> = {
  python: ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini', 'conftest.py'],
  js: ['package.json'],
};
const testFolders = ['tests', 'test'];

export interface RootInput {
  readonly target: Target;
  /** Absolute paths of the tests that were named. */
  readonly tests: readonly string[];
  /** Undefined if it is not known yet. */
  readonly language: FixLanguage | undefined;
  /** The highest folder that may be the root, if the target is below it. */
  readonly top: string;
}

/**
 * The folder to copy. It starts as the smallest folder that contains the target and its tests and is no Python
 * package. The root is the nearest marked folder from there upwards; otherwise that folder or the one above it,
 * if it has a folder of tests; otherwise that folder.
 */
export function projectRoot({ target, tests, language, top }: RootInput): string {
  const places = [target.isFolder ? target.path : dirname(target.path), ...tests.map(folderOf)];
  const smallest = importFolder(places.reduce(commonFolder), top);
  const around = foldersUpTo(smallest, top);
  const names = language === undefined ? Object.values(markers).flat() : markers[language];
  const has = (folder: string, any: readonly string[]): boolean =>
    any.some(name => existsSync(join(folder, name)));
  return (
    around.find(folder => has(folder, names)) ??
    around.slice(0, 2).find(folder => has(folder, testFolders)) ??
    smallest
  );
}

/** The folder that a Python package is imported from: the nearest one that is no package itself. */
export function importFolder(folder: string, top?: string): string {
  const isPackage = folder !== top && existsSync(join(folder, '__init__.py'));
  return isPackage ? importFolder(dirname(folder), top) : folder;
}

/** A folder and those around it, up to `top` or the root of a repository. */
function foldersUpTo(folder: string, top: string): string[] {
  const isLast = folder === top || folder === dirname(folder) || existsSync(join(folder, '.git'));
  return isLast ? [folder] : [folder, ...foldersUpTo(dirname(folder), top)];
}

function folderOf(path: string): string {
  return statSync(path).isDirectory() ? path : dirname(path);
}

function commonFolder(one: string, other: string): string {
  let folder = one;
  while (folder !== other && !other.startsWith(folder === sep ? sep : folder + sep)) folder = dirname(folder);
  return folder;
}

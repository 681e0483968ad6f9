import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isHomeOrAround, reachesAbove } from './boundary.ts';
import { givenTests } from './find-tests.ts';
import { type FixLanguage, languageOf, readTarget, type Target } from './target.ts';

/** What names a project: the target and the tests, relative to a folder. */
export interface ProjectPlace {
  /** A file, `file::function` or a folder; defaults to the current folder. */
  readonly target?: string | undefined;
  /** Files or folders of tests; empty for those that are found. */
  readonly tests: readonly string[];
  readonly cwd: string;
  /**
   * Absolute path of the highest folder that may be copied; defaults to the current folder, or the one that its
   * Python package is imported from.
   */
  readonly top?: string | undefined;
}

export interface Located extends ProjectRoot {
  readonly target: Target;
  /** Absolute paths of the tests that were named. */
  readonly namedTests: readonly string[];
  /** The language of the named files; undefined for a folder. */
  readonly named: FixLanguage | undefined;
}

/** @throws HefixError `TARGET_NOT_FOUND`, `TARGET_OUTSIDE`, `TARGET_UNSUPPORTED` */
export function locateProject({ target: text, tests, cwd, top }: ProjectPlace): Located {
  const target = readTarget(text, cwd);
  const namedTests = givenTests(tests, cwd);
  const named =
    (target.isFolder ? namedTests.map(languageOf).find(Boolean) : languageOf(target.path)) ?? undefined;
  const highest = top ?? importFolder(resolve(cwd));
  return {
    target,
    namedTests,
    named,
    ...projectRoot({ target, tests: namedTests, language: named, top: highest }),
  };
}

/** Files that mark the root folder of a project. */
const markers: Readonly<Record<FixLanguage, readonly string[]>> = {
  python: ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini', 'conftest.py'],
  js: ['package.json'],
};
const testFolders = ['tests', 'test'];

interface RootInput {
  readonly target: Target;
  /** Absolute paths of the tests that were named. */
  readonly tests: readonly string[];
  /** Undefined if it is not known yet. */
  readonly language: FixLanguage | undefined;
  /** The highest folder that may be the root, if the target is below it. */
  readonly top: string;
}

export interface ProjectRoot {
  /** The folder to copy. */
  readonly root: string;
  /** The only folder in it that belongs to the project, relative to it; null if all of it does. */
  readonly only: string | null;
}

/**
 * The root starts as the smallest folder that contains the target and its tests and is no Python package. It is the
 * nearest marked folder from there upwards; otherwise that folder or the one above it, if it has a folder of tests;
 * otherwise that folder.
 */
function projectRoot({ target, tests, language, top }: RootInput): ProjectRoot {
  const places = [target.isFolder ? target.path : dirname(target.path), ...tests.map(folderOf)];
  const common = places.reduce(commonFolder);
  const smallest = importFolder(common, top);
  // The home folder is a project only if it is asked for.
  const around = foldersUpTo(smallest, top).filter(folder => folder === common || !isHomeOrAround(folder));
  const names = language === undefined ? Object.values(markers).flat() : markers[language];
  const has = (folder: string, any: readonly string[]): boolean =>
    any.some(name => existsSync(join(folder, name)));
  const marked =
    around.find(folder => has(folder, names)) ?? around.slice(0, 2).find(folder => has(folder, testFolders));
  if (marked !== undefined) return { root: marked, only: null };
  return { root: smallest, only: packageIn(smallest, common) };
}

/** The folder that a Python package is imported from: the nearest one that is no package itself. */
function importFolder(folder: string, top?: string): string {
  const isPackage = folder !== top && existsSync(join(folder, '__init__.py'));
  return isPackage ? importFolder(dirname(folder), top) : folder;
}

/** A package does not make its neighbours part of the project: only files outside of it can. */
function packageIn(root: string, common: string): string | null {
  if (root === common) return null;
  const [name = ''] = relative(root, common).split(sep);
  return reachesAbove(join(root, name)) ? null : name;
}

/** A folder and those around it, up to `top`, the root of a repository, or the home folder, which is left out. */
function foldersUpTo(folder: string, top: string): string[] {
  const isLast = folder === top || existsSync(join(folder, '.git')) || isHomeOrAround(dirname(folder));
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

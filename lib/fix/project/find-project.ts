import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { HefixError } from '../../core/errors.ts';
import type { TestPlan } from '../runners/runner.ts';
import { foldersUp, isHomeOrAround, isWithin, projectMarks } from './boundary.ts';
import { findTests, isWithin as isBelow } from './find-tests.ts';
import { type Located, locateProject, type ProjectPlace, type ProjectRoot } from './locate.ts';
import { listProject, type ProjectFiles } from './snapshot.ts';
import { type FixLanguage, languageOf } from './target.ts';

export interface FoundProject extends Located {
  readonly files: ProjectFiles;
  readonly language: FixLanguage;
  /** The target, relative to the root. */
  readonly place: string;
  readonly plan: TestPlan;
}

/**
 * The project of a target, its files and tests. Where its folder has no tests for it, they may stand beside or above it:
 * below the current folder, or in the repository around that, or the project if there is no repository.
 * @throws HefixError `TARGET_NOT_FOUND`, `TARGET_OUTSIDE`, `TARGET_UNSUPPORTED`, `TESTS_MISSING`, `PROJECT_TOO_LARGE`
 */
export function findProject(place: ProjectPlace): FoundProject {
  const narrow = withFiles(locateProject(place));
  try {
    return withTests(narrow);
  } catch (error) {
    const wider =
      isWithoutTests(error) && narrow.targetFiles.some(languageOf) ? widerRoot(place, narrow.root) : null;
    if (wider === null) throw error;
    try {
      return withTests(withFiles({ ...narrow, root: wider, only: null }));
    } catch {
      throw error;
    }
  }
}

/** The same, also where no tests are found. */
export function projectRootOf(place: ProjectPlace): ProjectRoot {
  try {
    return findProject(place);
  } catch (error) {
    if (!isWithoutTests(error)) throw error;
    return locateProject(place);
  }
}

interface Listed extends Located, Pick<FoundProject, 'files' | 'place'> {
  /** The files of the target. */
  readonly targetFiles: readonly string[];
}

function withFiles(located: Located): Listed {
  const { root, only, target } = located;
  const files = listProject(root, only);
  const place = relative(root, target.path).split(sep).join('/');
  return { ...located, files, place, targetFiles: files.files.filter(path => isBelow(place, path)) };
}

function withTests(listed: Listed): FoundProject {
  const { root, target, namedTests, named, files, targetFiles } = listed;
  const language = named ?? commonLanguage(targetFiles);
  return { ...listed, language, plan: findTests({ target, language, root, namedTests, files: files.files }) };
}

function widerRoot({ cwd, top }: ProjectPlace, root: string): string | null {
  const folders = foldersUp(resolve(cwd));
  const nearest = (names: readonly string[]): string | undefined =>
    folders.find(folder => names.some(name => existsSync(join(folder, name))));
  const widest = top ?? nearest(['.git']) ?? nearest(projectMarks) ?? resolve(cwd);
  return widest === root || !isWithin(root, widest) || isHomeOrAround(widest) ? null : widest;
}

function isWithoutTests(error: unknown): boolean {
  return error instanceof HefixError && error.code === 'TESTS_MISSING';
}

function commonLanguage(files: readonly string[]): FixLanguage {
  const count = (language: FixLanguage): number => files.filter(file => languageOf(file) === language).length;
  return count('js') > count('python') ? 'js' : 'python';
}

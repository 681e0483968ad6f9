import { givenTests } from './find-tests.ts';
import { type FixLanguage, languageOf, projectRoot, readTarget, type Target } from './target.ts';

/** What names a project: the target and the tests, relative to a folder. */
export interface ProjectPlace {
  /** A file, `file::function` or a folder; defaults to the current folder. */
  readonly target?: string | undefined;
  /** Files or folders of tests; empty for those that are found. */
  readonly tests: readonly string[];
  readonly cwd: string;
}

export interface Located {
  readonly target: Target;
  /** Absolute paths of the tests that were named. */
  readonly given: readonly string[];
  /** The language of the named files; undefined for a folder. */
  readonly named: FixLanguage | undefined;
  /** Absolute path of the folder to copy. */
  readonly root: string;
}

/** @throws HefixError `TARGET_NOT_FOUND`, `TARGET_UNSUPPORTED` */
export function locateProject({ target: text, tests, cwd }: ProjectPlace): Located {
  const target = readTarget(text, cwd);
  const given = givenTests(tests, cwd);
  const named =
    (target.isFolder ? given.map(languageOf).find(Boolean) : languageOf(target.path)) ?? undefined;
  return { target, given, named, root: projectRoot(target, given, named ?? 'python', cwd) };
}

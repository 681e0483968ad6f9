import { posix } from 'node:path';
import { newSource, type SourceFile } from '../patch/source-file.ts';
import { type FixLanguage, languageOf } from './target.ts';

/** The source files of a project, and which others a model may add. */
export interface SourceFolder {
  readonly language: FixLanguage;
  readonly sources: readonly string[];
  has(path: string): boolean;
  isTest(path: string): boolean;
  source(path: string): SourceFile;
}

/** Files that decide how tests run. */
const CONFIGURATION =
  /(?:^|\/)(?:setup|noxfile|tasks|sitecustomize|usercustomize)\.py$|\.config\.[cm]?[jt]s$|(?:^|\/)\.|(?:^|\/)(?:node_modules|__mocks__)\//;

export function isConfiguration(path: string): boolean {
  return CONFIGURATION.test(path);
}

/**
 * Whether a model may add a file: source code in a folder of the project that has some, and neither tests nor
 * configuration. In Python the folder must be a package: a module of the top folder might hide one that the tests
 * import.
 */
export function mayAdd(project: SourceFolder, path: string): boolean {
  const { language, sources, has, isTest } = project;
  if (posix.normalize(path) !== path || /^(?:\.\.)?\/|\\|[\0-\x1f]/.test(path)) return false;
  if (has(path) || isTest(path) || isConfiguration(path) || languageOf(path) !== language) return false;
  const folder = posix.dirname(path);
  if (language === 'python')
    return sources.includes(`${folder}/__init__.py`) && posix.basename(path) !== '__init__.py';
  return sources.some(each => posix.dirname(each) === folder);
}

/** A file as it was copied; empty if it is one that may be added. @throws Error for any other */
export function sourceBefore(project: SourceFolder, path: string): SourceFile {
  return !project.has(path) && mayAdd(project, path) ? newSource(path) : project.source(path);
}

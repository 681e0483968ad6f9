import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { IsolationLevel } from '../../core/verdict.ts';
import type { FixOptions } from '../options.ts';
import { readSource, type SourceFile } from '../patch/source-file.ts';
import { jailedPython } from '../runners/jailed-python.ts';
import { createPythonRunner } from '../runners/python-runner.ts';
import type { Runner, TestPlan } from '../runners/runner.ts';
import { pythonOf } from './environment.ts';
import { findTests, givenTests, isTestFile } from './find-tests.ts';
import { listProject, type ProjectFiles, takeSnapshot } from './snapshot.ts';
import { type FixLanguage, languageOf, projectRoot, readTarget, type Target } from './target.ts';

/** A project, copied, and what it takes to run its tests. */
export interface OpenProject {
  readonly target: Target;
  readonly language: FixLanguage;
  /** Absolute path of the project's own folder, which stays as it is. */
  readonly root: string;
  readonly plan: TestPlan;
  /** The target's file, relative to the root; null for a folder. */
  readonly ownFile: string | null;
  /** Source files of the project that are no tests, relative to its root. */
  readonly sources: readonly string[];
  readonly runnerName: string;
  readonly isolation: IsolationLevel;
  readonly warning: string | null;
  /** A file as it is in the copy. */
  source(path: string): SourceFile;
  startRunner(): Runner;
  close(): Promise<void>;
}

/** @throws HefixError */
export async function openProject(options: FixOptions): Promise<OpenProject> {
  const { cwd } = options;
  const target = readTarget(options.target, cwd);
  const given = givenTests(options.tests, cwd);
  const named = target.isFolder ? given.map(languageOf).find(Boolean) : languageOf(target.path);
  const root = projectRoot(target, given, named ?? 'python', cwd);
  const all = listProject(root);
  const language = named ?? usualLanguage(all);
  const plan = findTests({ target, language, root, given, files: all.files });
  const ownFile = target.isFolder ? null : relative(root, target.path).split(sep).join('/');
  const sources = all.files.filter(
    file => languageOf(file) === language && !isTestFile(file, language, plan),
  );
  const jails = await jailedPython(pythonOf(root, options.python, options.env), {
    memoryMiB: options.memory,
    seconds: options.time,
    isolation: options.isolation,
    requireIsolation: options.requireIsolation,
  });
  const snapshot = takeSnapshot(root, all);
  const files = new Map<string, SourceFile>();
  return {
    ...{ target, language, root, plan, ownFile, sources },
    runnerName: plan.tests.length === 0 && plan.doctest.length > 0 ? 'doctest' : jails.framework,
    isolation: jails.isolation,
    warning: jails.warning,
    source(path) {
      const known = files.get(path) ?? readSource(path, readFileSync(join(snapshot.path, path)));
      files.set(path, known);
      return known;
    },
    startRunner: () =>
      createPythonRunner({ jails, project: snapshot.path, paths: searchPaths(all, ownFile), plan }),
    close: snapshot.remove,
  };
}

function usualLanguage({ files }: ProjectFiles): FixLanguage {
  const count = (language: FixLanguage): number => files.filter(file => languageOf(file) === language).length;
  return count('js') > count('python') ? 'js' : 'python';
}

/** Folders that modules are imported from: the root, a `src` folder, and that of a module outside of packages. */
function searchPaths({ files }: ProjectFiles, ownFile: string | null): string[] {
  const hasSource = files.some(file => file.startsWith('src/') && file.endsWith('.py'));
  const own = ownFile === null ? '' : dirname(ownFile);
  const isModule = own !== '.' && own !== '' && !files.includes(`${own}/__init__.py`);
  return ['', ...(hasSource ? ['src'] : []), ...(isModule ? [own] : [])];
}

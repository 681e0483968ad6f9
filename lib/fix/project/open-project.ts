import { dirname } from 'node:path';
import type { IsolationLevel } from '../../core/verdict.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { targetIsTest } from '../errors.ts';
import type { FixOptions } from '../options.ts';
import { readSource, type SourceFile } from '../patch/source-file.ts';
import { createPythonRunner, jailedPython } from '../runners/python-runner.ts';
import type { Runner, TestPlan } from '../runners/runner.ts';
import { type JailOptions, variablesOf } from '../runners/test-jail.ts';
import { findProject } from './find-project.ts';
import { isWithin } from './find-tests.ts';
import { asksForHistory, copyHistory } from './history.ts';
import { pythonOf } from './project-python.ts';
import { namedVariables, pathsInside, settingsVariables } from './project-variables.ts';
import { type ProjectFiles, takeSnapshot } from './snapshot.ts';
import { startSourceGuard } from './source-guard.ts';
import { grammarFor, openSourceParser } from './source-parser.ts';
import { type FixLanguage, languageOf, type Target } from './target.ts';
import { isTestFile } from './test-code.ts';

/** A copied project and what is needed to run its tests. */
export interface OpenProject {
  readonly target: Target;
  readonly language: FixLanguage;
  /** Absolute path of the original, which is not changed. */
  readonly root: string;
  /** Absolute path of the copy. */
  readonly copy: string;
  /** Names of the variables that the tests see. */
  readonly variables: ReadonlySet<string>;
  readonly plan: TestPlan;
  readonly parser: SyntaxParser;
  /** Must come before the parser reads a file. Rejects with the signal's reason soon after an abort. */
  check(files: readonly SourceFile[], signal: AbortSignal): Promise<void>;
  /** The files that take too long or too much memory to parse, among those that were checked. */
  refused(): readonly SourceFile[];
  /** The target file, relative to the root; null for a folder. */
  readonly targetFile: string | null;
  /** Whether a file is the target or in it. */
  isOwn(path: string): boolean;
  /** Whether a file belongs to the tests. */
  isTest(path: string): boolean;
  /** Source files that are not tests, relative to the root. */
  readonly sources: readonly string[];
  readonly runnerName: string;
  /** The interpreter that runs Python tests; null for other languages. */
  readonly python: string | null;
  readonly isolation: IsolationLevel;
  readonly warning: string | null;
  /** What was left out of the copy; whole sentences. */
  readonly notes: readonly string[];
  /** Whether the copy has this source file. What tests report may name any. */
  has(path: string): boolean;
  /** A source file as it was copied. Throws if there is none, so that no other file is read. */
  source(path: string): SourceFile;
  startRunner(): Runner;
  close(): Promise<void>;
}

/** Rejects with the signal's reason soon after an abort. @throws HefixError */
export async function openProject(options: FixOptions, signal: AbortSignal): Promise<OpenProject> {
  const { target, namedTests, root, files: all, place, language, plan } = findProject(options);
  const isOwn = (path: string): boolean => isWithin(place, path);
  const targetFile = target.isFolder ? null : place;
  const isTest = (path: string): boolean => isTestFile(path, language, plan);
  if (targetFile !== null && isTest(targetFile)) throw targetIsTest(targetFile);
  const sources = all.files.filter(file => languageOf(file) === language && !isTest(file));
  const grammar = grammarFor(language, sources);
  const sourceParser = await openSourceParser(grammar);
  const { folders: modules, refused } =
    language === 'js'
      ? (await import('./module-folders.ts')).moduleFolders(root, {
          top: options.top,
          others: options.packages,
          nested: all.modules,
        })
      : { folders: [], refused: [] };
  const detected =
    language === 'js'
      ? (await import('./javascript-framework.ts')).frameworkOf(root, plan.tests, modules)
      : null;
  const named = {
    ...settingsVariables(root, language),
    ...namedVariables(options.variables ?? '', options.env),
  };
  const snapshot = takeSnapshot(root, all);
  const files = new Map<string, SourceFile>();
  const has = (path: string): boolean => snapshot.sources.has(path);
  const source = (path: string): SourceFile => {
    const bytes = snapshot.sources.get(path);
    if (bytes === undefined) throw new Error(`The project has no source file ${path}.`);
    const file = files.get(path) ?? readSource(path, bytes);
    files.set(path, file);
    return file;
  };
  const guard = startSourceGuard(sourceParser, grammar);
  const close = async (): Promise<void> => {
    await Promise.all([guard.close(), snapshot.remove()]);
  };
  const { time } = options;
  const isWhole = place === '' && namedTests.length === 0;
  const notes = refused.map(leftOutLink);
  const variables = new Set(Object.keys({ ...variablesOf(options.env, options.allowNetwork), ...named }));
  const places = {
    target,
    language,
    root,
    copy: snapshot.path,
    variables,
    plan,
    targetFile,
    isOwn,
    isTest,
  };
  const { parser, check, refused: refusedFiles } = guard;
  const common = { ...places, parser, check, refused: refusedFiles, sources, has, source, notes, close };
  const jailOptions: JailOptions = {
    memoryMiB: options.memory,
    seconds: options.time,
    isolation: options.isolation,
    requireIsolation: options.requireIsolation,
    allowNetwork: options.allowNetwork,
    env: options.env,
    variables: named,
  };
  try {
    if (asksForHistory(snapshot.sources)) copyHistory(root, snapshot.path);
    if (detected !== null) {
      const { framework } = detected;
      const { codeRangeMiB } = await import('../../sandbox/process/code-range.ts');
      const { jailedNode } = await import('../runners/jailed-node.ts');
      const { createJavaScriptRunner, recordingSources } = await import('../runners/javascript-runner.ts');
      const jails = await jailedNode(root, {
        ...jailOptions,
        memoryMiB: options.memory + NODE_MIB + codeRangeMiB(ISOLATES),
      });
      const { isolation, warning } = jails;
      const recording = await recordingSources(guard, sources.map(source), signal);
      await check(sources.map(source), signal);
      const isFound = isWhole && framework !== 'node:test' && framework !== 'tape';
      const startRunner = (): Runner =>
        createJavaScriptRunner({
          ...{ jails, detected, guard, modules, project: snapshot.path, recording, time },
          paths: pathsInside(options.env.NODE_PATH, root, options.cwd),
          // The framework knows best which files are tests.
          plan: isFound ? { ...plan, tests: [] } : plan,
        });
      return { ...common, runnerName: framework, python: null, isolation, warning, startRunner };
    }
    const python = pythonOf(root, options.python, options.env);
    const jails = await jailedPython(python, root, jailOptions);
    const { isolation, warning } = jails;
    const added = pathsInside(options.env.PYTHONPATH, root, options.cwd);
    const paths = [...new Set([...searchPaths(all, target, place), ...added])];
    const startRunner = (): Runner =>
      createPythonRunner({ jails, project: snapshot.path, paths, plan, isWhole, time });
    const isDoctest = plan.tests.length === 0 && plan.doctest.length > 0;
    return {
      ...common,
      python,
      runnerName: isDoctest ? 'doctest' : jails.framework,
      isolation,
      warning,
      startRunner,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function leftOutLink(path: string): string {
  return `${path} leads out of the project, so that the tests do not see it; --packages names folders that they may see.`;
}

/** What Node and V8 need for themselves. */
const NODE_MIB = 512;
/** Node's own, those of its module hooks and of the framework, and one that the tests may start. */
const ISOLATES = 4;

/**
 * Folders that modules are imported from: the root, a `src` folder, and the folder of the target, or the one that its
 * package is imported from.
 */
function searchPaths({ files }: ProjectFiles, target: Target, place: string): string[] {
  const hasSource = files.some(file => file.startsWith('src/') && file.endsWith('.py'));
  let folder = target.isFolder ? place : dirname(place);
  while (files.includes(`${folder}/__init__.py`)) folder = dirname(folder);
  return [...new Set(['', ...(hasSource ? ['src'] : []), folder === '.' ? '' : folder])];
}

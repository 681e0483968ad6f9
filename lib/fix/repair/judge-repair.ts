import { dirname, join } from 'node:path';
import type { ChangedFile, Confirmation, ConfirmInput, Repair } from '../../../machines/project-actors.ts';
import { closingAll } from '../../core/async.ts';
import { HefixError } from '../../core/errors.ts';
import type { JudgeKind } from '../../core/ports.ts';
import { failedTests, type TestReport } from '../../core/project-tests.ts';
import { literalPattern } from '../../core/text.ts';
import { createSandbox, processStarters } from '../../sandbox/create-sandbox.ts';
import type { FixOptions } from '../options.ts';
import type { FileChange } from '../patch/unified-diff.ts';
import type { OpenProject } from '../project/open-project.ts';
import { languageOf } from '../project/target.ts';
import { changesWith } from './suspect-change.ts';
import { keepsPassing } from './trial.ts';

/**
 * Whether two processes reach the same verdict. Applies to one file, in Python or plain JavaScript, with one file of
 * plain tests that imports nothing else but pytest, math or node:assert. If the two-process judge rejects the tests, or
 * needs something that only the project has, the verdict stays `isolated`.
 */
export async function judgeRepair(
  project: OpenProject,
  changes: readonly FileChange[],
  repairs: readonly Repair[],
  options: FixOptions,
): Promise<JudgeKind> {
  const { language, plan } = project;
  const [change, ...otherChanges] = changes;
  const [tests, ...otherTests] = plan.tests;
  if (!change || !tests || plan.doctest.length + otherChanges.length + otherTests.length > 0)
    return 'isolated';
  // Tests may also be given as a folder.
  if (languageOf(tests) !== language) return 'isolated';
  const { text } = project.source(tests);
  const { path } = change.file;
  const source = language === 'python' ? plainPython(text, path) : plainScript(text, tests, path);
  if (source === null || options.python !== undefined) return 'isolated';
  const limits = {
    timeoutSeconds: options.timeout * 2,
    isolation: options.isolation,
    requireIsolation: options.requireIsolation,
    poolSize: 1,
  };
  const judged = closingAll(async opened => {
    const sandbox = opened(await createSandbox(processStarters(limits), language));
    const functions = repairs.filter(({ kind }) => kind === 'function');
    const entryPoint = [...new Set([...source.names, ...functions.map(each => each.function)])]
      .filter(name => !name.includes('.'))
      .join(',');
    const candidate = change.after.toString('utf8');
    const { verdict, judge = 'proven' } = await sandbox.execute({
      language,
      candidate,
      tests: source.code,
      entryPoint,
    });
    return verdict.kind === 'passed' ? judge : 'isolated';
  });
  return await judged.catch(error => {
    if (error instanceof HefixError) return 'isolated';
    throw error;
  });
}

/** Tests without the import of the module, and the imported names. */
interface PlainTests {
  readonly code: string;
  readonly names: readonly string[];
}

/** Null if the tests import anything else but pytest and math. */
function plainPython(tests: string, path: string): PlainTests | null {
  const module = path.replace(/\.py$/, '').replaceAll('/', '.');
  const importPattern = new RegExp(`^from ${literalPattern(module)} import ([\\w, ]+)$`, 'gm');
  const names = [...tests.matchAll(importPattern)].flatMap(([, list = '']) =>
    list.split(',').map(name => name.trim()),
  );
  const code = tests.replace(importPattern, '');
  if (names.length === 0 || names.some(name => !/^[A-Za-z_]\w*$/.test(name))) return null;
  const imports = [...code.matchAll(/^[ \t]*(?:import|from)[ \t]+([\w.]+)/gm)].map(([, name]) => name);
  return imports.some(name => name !== 'pytest' && name !== 'math') ? null : { code, names };
}

/** The same for a script of assertions. @param file path of the tests */
function plainScript(tests: string, file: string, path: string): PlainTests | null {
  const names: string[] = [];
  const importPattern =
    /^(?:import\s*\{([\w$, ]+)\}\s*from\s*|(?:const|let|var)\s*\{([\w$, ]+)\}\s*=\s*require\()['"](\.[^'"]+)['"]\)?;?$/gm;
  const code = tests.replace(importPattern, (text, imported, required, from: string) => {
    if (join(dirname(file), from).replace(/\.[cm]?js$/, '') !== path.replace(/\.[cm]?js$/, '')) return text;
    names.push(...(imported ?? required).split(',').map((name: string) => name.trim()));
    return '';
  });
  const modules = [...code.matchAll(/(?:from|import|require\()\s*['"]([^'"]+)['"]/g)].map(([, name]) => name);
  const isPlain = modules.every(name => /^(?:node:)?assert(?:\/strict)?$/.test(name ?? ''));
  return isPlain && names.length > 0 ? { code, names } : null;
}

/**
 * Runs all tests with a repair.
 * @param run runs all tests in a process that has run nothing else
 */
export async function confirmRepair(
  { tests, suspect, found, changes: before }: ConfirmInput,
  project: OpenProject,
  run: (changes: readonly ChangedFile[]) => Promise<TestReport>,
): Promise<Omit<Confirmation, 'others'>> {
  const passing = new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const failed = failedTests({ tests }).length;
  const changes = changesWith(project, { changes: before, suspect, found });
  const report = await run(changes);
  const isBetter =
    report.tests.length >= tests.length &&
    failedTests(report).length < failed + report.tests.length - tests.length;
  const { kind, file, function: name, line } = suspect;
  return {
    report: keepsPassing(report, passing) && isBetter ? report : null,
    changes,
    repaired: { kind, file, function: name, line },
  };
}

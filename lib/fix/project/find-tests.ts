import { basename, dirname, relative, sep } from 'node:path';
import { readUntrusted, readUntrustedText } from '../../files/untrusted-file.ts';
import { noTests } from '../errors.ts';
import type { TestPlan } from '../runners/runner.ts';
import { maxProjectBytes } from './snapshot.ts';
import { type FixLanguage, namedPath, type Target } from './target.ts';

/** Test files by the names that pytest, unittest, node:test, vitest and jest recognise. */
const testNames: Readonly<Record<FixLanguage, RegExp>> = {
  python: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/,
  js: /(?:^|\/)(?:[^/]*[.\-_](?:test|spec)|test(?:[.\-_][^/]*)?|(?:test|tests|__tests__)\/[^/]*)(?<!\.d)\.(?:[cm]?[jt]s|[jt]sx)$/,
};

/** @throws HefixError `TARGET_NOT_FOUND`, `TARGET_OUTSIDE` */
export function givenTests(tests: readonly string[], cwd: string): string[] {
  return tests.map(path => namedPath(path, cwd));
}

export interface FindTestsInput {
  readonly target: Target;
  readonly language: FixLanguage;
  /** Absolute. */
  readonly root: string;
  /** Absolute paths of the tests that were named. */
  readonly namedTests: readonly string[];
  /** All files of the project, relative to its root. */
  readonly files: readonly string[];
}

/**
 * The tests that were named. Otherwise, for a file, its docstring examples and the test files named after it;
 * for a folder, its test files, or all of the project if it has none, or the docstring examples of its modules if
 * there are no test files, or those that pytest finds.
 * @throws HefixError `TESTS_MISSING`
 */
export function findTests({ target, language, root, namedTests, files }: FindTestsInput): TestPlan {
  const inside = (path: string): string => relative(root, path).split(sep).join('/');
  const place = inside(target.path);
  const targetFile = target.isFolder ? null : place;
  const sources = targetFile === null ? [] : [targetFile];
  const plan = { sources, entryPoint: target.function, doctest: [] };
  if (namedTests.length > 0) return { ...plan, tests: namedTests.map(inside) };
  const named = files.filter(file => testNames[language].test(file));
  const hasExamples = (file: string): boolean =>
    language === 'python' &&
    /^[ \t\f]*>>> /m.test(readUntrusted(root, file, maxProjectBytes)?.toString('latin1') ?? '');
  if (targetFile !== null) {
    const tests = named.filter(file => isNamedAfter(file, targetFile));
    const doctest = hasExamples(targetFile) ? [targetFile] : [];
    if (tests.length + doctest.length === 0) throw noTests(targetFile);
    return { ...plan, tests, doctest };
  }
  const below = named.filter(file => isWithin(place, file));
  if (named.length > 0) return { ...plan, tests: below.length > 0 ? below : named };
  const doctest = files.filter(file => isWithin(place, file) && file.endsWith('.py') && hasExamples(file));
  if (doctest.length > 0) return { ...plan, tests: [], doctest };
  // Its settings may name other files.
  if (language === 'python' && place === '' && configuresPytest(root)) return { ...plan, tests: [], doctest };
  throw noTests(target.path);
}

function configuresPytest(root: string): boolean {
  const files = ['pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg'];
  return files.some(name => /^\[(?:pytest|tool[.:]pytest[\w.]*)\]/m.test(readUntrustedText(root, name)));
}

/** Whether a file is the one at a path or in the folder there; both relative to the root, which is empty. */
export function isWithin(place: string, file: string): boolean {
  return place === '' || file === place || file.startsWith(`${place}/`);
}

/** `tests/test_stats.py`, `stats_test.py` and `stats.test.js` belong to `stats.py` and `stats.js`. */
function isNamedAfter(test: string, source: string): boolean {
  const stem = basename(source).replace(/\.\w+$/, '');
  const plain = basename(test)
    .replace(/\.(?:py|[cm]?[jt]s|[jt]sx)$/, '')
    .replace(/^test[_.-]|[_.-](?:test|spec)$/, '');
  return plain === stem || (plain === 'tests' && dirname(test) === dirname(source));
}

/** `a.py,tests/b.py` */
export function splitPaths(text: string): string[] {
  return text
    .split(',')
    .map(path => path.trim())
    .filter(path => path !== '');
}

export function isTestName(path: string, language: FixLanguage): boolean {
  return testNames[language].test(path);
}

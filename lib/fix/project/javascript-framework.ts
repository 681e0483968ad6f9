import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frameworkMissing, typeScriptNeedsNode } from '../../core/errors.ts';
import type { ModuleFolder } from './module-folders.ts';

/** What runs a project's JavaScript tests; scripts of assertions run as node:test's do. */
export type JavaScriptFramework = 'node:test' | 'vitest' | 'jest';

/**
 * The framework that the tests import; otherwise the one that package.json names.
 * @param tests paths of test files, relative to the root @param modules the folders of installed packages
 * @throws HefixError `TESTS_NOT_COLLECTED` if the framework is not installed, or this Node cannot run the tests
 */
export function frameworkOf(
  root: string,
  tests: readonly string[],
  modules: readonly ModuleFolder[],
): JavaScriptFramework {
  const texts = tests.map(path => read(join(root, path)));
  const imported = (['vitest', 'jest'] as const).find(name => texts.some(text => imports[name].test(text)));
  const usesNode = texts.some(text => /['"](?:node:)?(?:test|assert)(?:\/strict)?['"]/.test(text));
  const manifest = read(join(root, 'package.json'));
  const named = (['vitest', 'jest'] as const).find(name => new RegExp(`"${name}[" ]`).test(manifest));
  const framework = imported ?? (usesNode ? 'node:test' : (named ?? 'node:test'));
  if (framework !== 'node:test' && homeOf(framework, modules) === undefined)
    throw frameworkMissing(framework);
  if (framework === 'node:test' && tests.some(path => /\.[cm]?ts$/.test(path)) && !readsTypeScript())
    throw typeScriptNeedsNode(process.versions.node);
  return framework;
}

/** The folder of the copy, relative to it, in which a framework is installed. */
export function homeOf(framework: JavaScriptFramework, modules: readonly ModuleFolder[]): string | undefined {
  return modules.find(({ path }) => existsSync(join(path, framework)))?.at;
}

const imports = { vitest: /['"]vitest['"]/, jest: /['"]@jest\/globals['"]/ } as const;

/** Older versions of Node do not have this property. */
function readsTypeScript(): boolean {
  return Boolean(Reflect.get(process.features, 'typescript'));
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

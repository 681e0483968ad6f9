import { basename } from 'node:path';
import type { Node } from '@vscode/tree-sitter-wasm';
import type { TestResult } from '../../core/project-tests.ts';
import { descendants } from '../../syntax/nodes.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { ProjectFunction } from '../localise/functions.ts';
import type { TestPlan } from '../runners/runner.ts';
import { isTestName } from './find-tests.ts';
import type { FixLanguage } from './target.ts';

/** What belongs to a project's tests. hefix changes none of it. */

/** Whether a file holds tests, or what only they use; `path` is relative to the project. */
export function isTestFile(path: string, language: FixLanguage, plan: Pick<TestPlan, 'tests'>): boolean {
  return (
    plan.tests.includes(path) ||
    isTestName(path, language) ||
    /(?:^|\/)(?:(?:tests?|__tests__)\/|conftest\.py$)/.test(path)
  );
}

/**
 * The functions that are no tests, as far as the tests that were run tell: settings may name any file. Of such a file
 * none remains, except in the file to repair, and behind vitest's `import.meta.vitest`.
 * @param targetFile the file to repair; null if there is none
 */
export function withoutTests(
  functions: readonly ProjectFunction[],
  tests: readonly TestResult[],
  { targetFile, plan }: { readonly targetFile: string | null; readonly plan: Pick<TestPlan, 'doctest'> },
): ProjectFunction[] {
  const ids = new Set(tests.map(({ id }) => id.split('[', 1).join('').replaceAll('::', '.')));
  // pytest names the file, unittest the module.
  const isTest = ({ file: { path }, qualified }: ProjectFunction): boolean =>
    !plan.doctest.includes(path) &&
    [path, path.replace(/\.py$/, '').replaceAll('/', '.'), basename(path, '.py')].some(place =>
      ids.has(`${place}.${qualified}`),
    );
  const files = new Set(functions.filter(isTest).map(({ file }) => file.path));
  const scripts = new Set(tests.flatMap(({ id }) => (id.includes(' > ') ? id.split(' > ', 1) : [])));
  return functions.filter(each => {
    const { path, text } = each.file;
    if (scripts.has(path)) {
      const inSource = text.slice(0, Math.max(0, text.indexOf('import.meta.vitest')));
      return each.lastLine < inSource.split('\n').length;
    }
    return !isTest(each) && (!files.has(path) || path === targetFile);
  });
}

/**
 * Whether a change of a Python file keeps the examples of its docstrings, which may be tests. Their places may change,
 * not their text.
 */
export function keepsExamples(before: string, after: string): boolean {
  return examplesIn(before) === examplesIn(after);
}

/**
 * Whether all texts with examples stay as they are, and in their order. Others may be added: examples of a new function
 * change none of the tests, but those added to a docstring would run before the ones that it has.
 */
export function keepsExampleTexts(parser: SyntaxParser, before: string, after: string): boolean {
  if (keepsExamples(before, after)) return true;
  const texts = exampleTexts(parser, after);
  let from = 0;
  return exampleTexts(parser, before).every(text => {
    from = texts.indexOf(text, from) + 1;
    return from > 0;
  });
}

function exampleTexts(parser: SyntaxParser, code: string): string[] {
  return parser.read(code, root =>
    descendants(root, node => !isText(node))
      .filter(node => isText(node) && node.text.includes('>>>'))
      .map(({ text }) => text),
  );
}

function isText({ type }: Node): boolean {
  return type === 'string' || type === 'concatenated_string';
}

function examplesIn(text: string): string {
  const line = `(?:(?!"{3}|'{3}).)*`;
  return (text.match(new RegExp(`>>> ${line}(?:\\n(?![ \\t]*\\r?$)${line})*`, 'gm')) ?? []).join('\n');
}

import { closingAll } from '../../core/close-all.ts';
import { HefixError } from '../../core/errors.ts';
import { createPythonSandbox } from '../../sandbox/python/host/python-sandbox.ts';
import type { FixOptions } from '../options.ts';
import type { FileChange } from '../patch/unified-diff.ts';
import type { OpenProject } from '../project/open-project.ts';
import type { Repair } from '../report.ts';

/**
 * Whether two processes reach the same verdict. Applies to one Python file with one file of plain tests that
 * imports nothing else. If the two-process judge rejects the tests, or needs something that only the project
 * has, the verdict stays `isolated`.
 */
export async function judgeRepair(
  project: OpenProject,
  changes: readonly FileChange[],
  repairs: readonly Repair[],
  options: FixOptions,
): Promise<'isolated' | 'proven'> {
  const [change, ...otherChanges] = changes;
  const [tests, ...otherTests] = project.plan.tests;
  const isPlain = project.language === 'python' && project.plan.doctest.length === 0;
  if (!change || !tests || !isPlain || otherChanges.length + otherTests.length > 0) return 'isolated';
  const source = plainTests(project.source(tests).text, change.file.path);
  if (source === null || options.python !== undefined) return 'isolated';
  return await closingAll(async opened => {
    const sandbox = opened(
      await createPythonSandbox({
        timeoutSeconds: options.timeout * 2,
        isolation: options.isolation,
        requireIsolation: options.requireIsolation,
        poolSize: 1,
      }),
    );
    const entryPoint = [...new Set([...source.names, ...repairs.map(each => each.function)])]
      .filter(name => !name.includes('.'))
      .join(',');
    const candidate = change.after.toString('utf8');
    const request = { language: 'python', candidate, tests: source.code, entryPoint } as const;
    try {
      const { verdict } = await sandbox.execute(request);
      return verdict.kind === 'passed' ? 'proven' : 'isolated';
    } catch (error) {
      if (error instanceof HefixError) return 'isolated';
      throw error;
    }
  });
}

/** The tests without the import of the module, and the imported names; null if they import anything else. */
function plainTests(
  tests: string,
  path: string,
): { readonly code: string; readonly names: readonly string[] } | null {
  const module = path.replace(/\.py$/, '').replaceAll('/', '.');
  const own = new RegExp(`^from ${module.replaceAll('.', '\\.')} import ([\\w, ]+)$`, 'gm');
  const names = [...tests.matchAll(own)].flatMap(([, list = '']) => list.split(',').map(name => name.trim()));
  const code = tests.replace(own, '');
  if (names.length === 0 || names.some(name => !/^[A-Za-z_]\w*$/.test(name))) return null;
  const imports = [...code.matchAll(/^\s*(?:import|from)\s+([\w.]+)/gm)].map(([, name]) => name);
  return imports.some(name => name !== 'pytest' && name !== 'math') ? null : { code, names };
}

import { expect, test } from 'vitest';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { applyEdits, type EditedProject } from '../../../lib/fix/write/apply-edits.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

test('a block means the lines that the model was shown, not the same lines of an earlier block', async () => {
  const text = 'def f(n):\n    if n:\n        return 1\n    log(n)\n    total = n + 1\n    return total\n';
  const project: EditedProject = {
    parser: await openParser('python'),
    language: 'python',
    sources: ['a.py'],
    has: (path: string) => path === 'a.py',
    isTest: () => false,
    source: (path: string) => readSource(path, Buffer.from(text)),
  };
  const replace = (search: string, by: string) =>
    ({ kind: 'replace', path: 'a.py', search, replace: by }) as const;
  const moved = applyEdits(project, [
    replace('    log(n)', '    total = n + 1\n    log(total)'),
    replace('    total = n + 1', ''),
    replace('        return 1', '        return 0'),
  ]);
  expect(moved.problems).toEqual([]);
  expect(moved.files.get('a.py')?.text).toBe(
    'def f(n):\n    if n:\n        return 0\n    total = n + 1\n    log(total)\n    return total\n',
  );
  // A block may also change what an earlier one wrote.
  const again = applyEdits(project, [
    replace('    log(n)', '    print(n)'),
    replace('    print(n)', '    note(n)'),
  ]);
  expect(again.files.get('a.py')?.text).toContain('    note(n)\n');
});

import { expect, test } from 'vitest';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { readModelAnswer } from '../../../lib/fix/write/answer-edits.ts';
import { applyEdits, type EditedProject } from '../../../lib/fix/write/apply-edits.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

/** A project with one file. */
const projectOf = async (path: string, text: string): Promise<EditedProject> => ({
  parser: await openParser('python'),
  language: 'python',
  sources: [path],
  has: each => each === path,
  isTest: () => false,
  source: each => readSource(each, Buffer.from(text)),
});

test('a block means the lines that the model was shown, not the same lines of an earlier block', async () => {
  const text = 'def f(n):\n    if n:\n        return 1\n    log(n)\n    total = n + 1\n    return total\n';
  const project = await projectOf('a.py', text);
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

const CODE = `"""Prices of a shop."""
RATE = 0.1


class Basket:
    def total(self):
        return sum(self.items) * (1 + RATE)


def parse(text):
    return [int(part) for part in text.split(",")]
`;
const FIXED = CODE.replace('RATE = 0.1', 'RATE = 0.2')
  .replace('int(part)', 'float(part)')
  .replace('","', '";"');
const block = (search: string, replace: string) =>
  `shop/money.py\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
const BLOCKS = [
  block('RATE = 0.1', 'RATE = 0.2'),
  block(
    'def parse(text):\n    return [int(part) for part in text.split(",")]',
    'def parse(text):\n    return [float(part) for part in text.split(";")]',
  ),
].join('\n');

test.each([
  ['blocks', BLOCKS],
  ['a wrong path', BLOCKS.replaceAll('shop/money.py', 'src/money.py')],
  ['no path', BLOCKS.replaceAll('shop/money.py\n', '')],
  ['another indentation', BLOCKS.replace('    return [int(', '        return [int(')],
  [
    'a unified diff',
    '```diff\n--- a/shop/money.py\n+++ b/shop/money.py\n@@ -1,3 +1,3 @@\n """Prices of a shop."""\n-RATE = 0.1\n+RATE = 0.2\n \n@@ -10,2 +10,2 @@\n def parse(text):\n-    return [int(part) for part in text.split(",")]\n+    return [float(part) for part in text.split(";")]\n```',
  ],
  ['the whole file', `shop/money.py\n\`\`\`python\n${FIXED}\`\`\``],
  ['thoughts with a decoy', `<think>${block('RATE = 0.1', 'RATE = 9')}</think>${BLOCKS}`],
])('an answer with %s is applied', async (_, answer) => {
  const { files, problems } = applyEdits(
    await projectOf('shop/money.py', CODE),
    readModelAnswer(answer).edits,
  );
  expect(problems).toEqual([]);
  expect(files.get('shop/money.py')?.text).toBe(FIXED);
});

test('code that is nowhere in the project is not applied', async () => {
  const { edits } = readModelAnswer('```python\ndef other():\n    pass\n```');
  const { files, problems } = applyEdits(await projectOf('shop/money.py', CODE), edits);
  expect(files.size).toBe(0);
  expect(problems).toEqual([expect.stringContaining('names neither a file nor a function')]);
});

import { expect, test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import type { Language } from '../../lib/core/task.ts';
import { openParser } from '../../lib/syntax/parser.ts';

const languages: [language: Language, dataset: string][] = [
  ['python', 'mini'],
  ['js', 'mini-js'],
];

test.each(languages)('an edited tree of %s equals that of the edited code', async (language, dataset) => {
  const parser = await openParser(language);
  const { tasks } = await loadDataset(dataset);
  let compared = 0;
  for (const { buggy } of tasks.slice(0, 10)) {
    const tree = parser.open(buggy);
    for (let start = 0; start < buggy.length; start += 7) {
      for (const text of ['', 'x', ' + 1', '\n    y = [1,\n  2]\n', '"']) {
        const end = Math.min(start + 4, buggy.length);
        const edited = buggy.slice(0, start) + text + buggy.slice(end);
        const whole = parser.read(edited, root => (root.hasError ? null : parser.fingerprintOf(root)));
        const again = tree.readEdited(start, end, text, root =>
          root.hasError ? null : parser.fingerprintOf(root),
        );
        expect(again, edited).toBe(whole);
        compared += whole === null ? 0 : 1;
      }
    }
    tree.close();
  }
  expect(compared).toBeGreaterThan(50);
});

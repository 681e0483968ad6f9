import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { wilson } from '../../lib/report/numbers.ts';
import { pageOf, pages, withoutBlocks } from '../support/pages.ts';

/** Figures in the documents: whether they agree with each other and with what can be counted. */

const benchmarks = pageOf('docs/benchmarks.md');

test('intervals are those of the shares', () => {
  const figure =
    /(\d+)(?: of (\d+))?[ ,(]+(\d+(?:\.\d)?)%[ ,(]+(?:95% interval )?(\d+(?:\.\d)?)–(\d+(?:\.\d)?)\)/g;
  const found = pages.flatMap(({ path, text }) => [...text.matchAll(figure)].map(match => ({ path, match })));
  const wrong = found.filter(({ match: [, solved = '', all, percent = '', low = '', high = ''] }) => {
    const digits = percent.includes('.') ? 1 : 0;
    const shown = (value: number) => (100 * value).toFixed(digits);
    const isIt = (tasks: number) => {
      const share = wilson(Number(solved) / tasks, tasks);
      return shown(share.value) === percent && shown(share.low) === low && shown(share.high) === high;
    };
    return !(all === undefined
      ? Array.from({ length: 500 }, (_, tasks) => tasks + 1).some(isIt)
      : isIt(Number(all)));
  });
  expect(found.length).toBeGreaterThan(20);
  expect(wrong.map(({ path, match }) => `${path}: ${match[0]}`)).toEqual([]);
});

test('figures with an interval are in the benchmarks', () => {
  const others = pages.filter(({ path }) => !/benchmarks|CHANGELOG|fixtures/.test(path));
  const all = others.flatMap(({ path, text }) =>
    [...withoutBlocks(text).matchAll(/\d+(?:\.\d)?–\d+(?:\.\d)?(?=[%)])/g)].map(([interval]) => ({
      path,
      interval,
    })),
  );
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter(({ interval }) => !benchmarks.includes(interval))).toEqual([]);
});

test('as many tests of a queue that fails are there as its page says', () => {
  const chaos = readFileSync(packageFile('test/chaos/queue.chaos.ts'), 'utf8');
  const tests = chaos.match(/^ *test\('/gm) ?? [];
  expect(pageOf('docs/queue.md')).toContain(`In each of its ${tests.length} tests`);
});

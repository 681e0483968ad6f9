import { expect, test } from 'vitest';
import { watchPrompts } from '../../../lib/model/server/reply/read-answer.ts';
import { asking } from './open-model.ts';

/** The warnings for prompts of these lengths, in characters, with these token counts. */
function said(
  prompts: readonly (readonly [length: number, tokens: number])[],
  context: number | null = null,
) {
  const watch = watchPrompts();
  return prompts.map(([length, tokens]) => watch.look(asking('x'.repeat(length)), tokens, context));
}

test('counts that grow with the prompts are plausible', () => {
  expect(
    said(
      [
        [1000, 300],
        [1400, 410],
        [1390, 410],
        [5000, 1400],
        [900, 290],
      ],
      4096,
    ),
  ).toEqual(Array(5).fill(null));
});

test('equal counts of different prompts are reported once, with both lengths', () => {
  expect(
    said([
      [700, 128],
      [1400, 128],
      [3000, 128],
    ]),
  ).toEqual([null, 'counted 128 tokens both in a prompt of 700 characters and in one of 1400', null]);
});

test('the largest count so far is reported for a smaller difference in length', () => {
  expect(
    said([
      [500, 150],
      [600, 190],
      [900, 256],
      [1100, 256],
    ]).at(-1),
  ).toContain('counted 256 tokens');
  expect(
    said([
      [500, 150],
      [600, 190],
      [9000, 2500],
      [900, 256],
      [1100, 256],
    ]).at(-1),
  ).toBeNull();
});

test('counts without cached tokens are not a sign', () => {
  expect(
    said([
      [9000, 2500],
      [9100, 30],
      [9200, 60],
      [9050, 20],
    ]),
  ).toEqual(Array(4).fill(null));
});

import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import { outsidePatterns } from './support/patterns.ts';

test('no pattern takes more than linear time on a text that repeats a character', {
  timeout: 300_000,
}, () => {
  const slow = outsidePatterns().flatMap(({ path, source, flags }) => {
    const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: false });
    return reports.map(({ character }) => `${path}: /${source}/${flags} on ${character.literal.source}`);
  });
  expect(slow).toEqual([]);
});

test('quadratic patterns are recognised', () => {
  const { reports } = analyse({ source: '\\s*=>$', flags: '' }, { assumeRejectingSuffix: false });
  expect(reports).toHaveLength(1);
});

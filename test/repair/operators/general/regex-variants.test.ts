import { expect, test } from 'vitest';
import { regexVariants } from '../../../../lib/repair/operators/general/regexes.ts';

test.each([
  ['^\\w+:', '^\\w{2,}:'],
  ['^\\d{9}$', '^\\d{10}$'],
  ['x{1,3}', 'x{1,2}'],
  ['1[358]', '1[3586]'],
  ['6[1-6]', '6[0-6]'],
  ['[a-y]', '[a-z]'],
  ['^[^/?]+', '^[^/?#]+'],
])('%s may be meant as %s', (pattern, wanted) => {
  expect(regexVariants(pattern)).toContain(wanted);
});

test('ranges stay ranges of digits or letters, and digits are only added to classes of digits', () => {
  const variants = regexVariants('[0-9][a-z][xX1]');
  for (const text of variants) expect(() => new RegExp(text)).not.toThrow();
  expect(variants.filter(text => /\/-|-[:{]|`-/.test(text))).toEqual([]);
  expect(variants).not.toContain('[0-9][a-z][xX12]');
});

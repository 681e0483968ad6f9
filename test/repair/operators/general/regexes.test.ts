import { expect, test } from 'vitest';
import { regexVariants, tellingFirst } from '../../../../lib/repair/operators/general/regexes.ts';

const formsOf = (pattern: string, texts: readonly string[], flags = '') =>
  tellingFirst(
    { pattern, flags },
    regexVariants(pattern).map(other => ({ pattern: other, flags })),
    texts,
  ).map(form => form.pattern);

test.each([
  ['a class gets a character of the text', '^[a-z]+$', 'ab|c', '^[a-z|]+$'],
  ['a number becomes that of the text', '^KZ\\d{9}$', 'KZ123456789012', '^KZ\\d{12}$'],
  ['a part may be missing', '^(\\d+)\\.(\\d+)!$', '1.2', '^(\\d+)\\.(\\d+)!?$'],
  ['a usual form', '^([a-z]+):([0-9]+)#([1-6])$', 'ab:12#0', '^([a-z]+):([0-9]+)#([0-6])$'],
])('what matches the text of a failing test otherwise comes first: %s', (_, pattern, text, wanted) => {
  const forms = formsOf(pattern, [text]);
  expect(forms.slice(0, 12)).toContain(wanted);
  const foundBy = (form: string) => JSON.stringify(new RegExp(form).exec(text));
  const telling = forms.map(form => foundBy(form) !== foundBy(pattern));
  expect(telling).toEqual(telling.toSorted((a, b) => Number(b) - Number(a)));
});

test('only what is no expression is left out', () => {
  const pattern = '^(\\w{2})-(\\d)$';
  const isRegex = (form: string) => {
    try {
      return new RegExp(form) instanceof RegExp;
    } catch {
      return false;
    }
  };
  const usual = regexVariants(pattern).filter(isRegex);
  expect(usual.length).toBeLessThan(regexVariants(pattern).length);
  const forms = formsOf(pattern, ['ab-12', '?']);
  expect(forms).toEqual(expect.arrayContaining(usual));
  expect(forms.filter(form => !isRegex(form))).toEqual([]);
  expect(formsOf('a+b', [])).toEqual(regexVariants('a+b'));
});

test('an expression of another language stays as it is, and one that never ends is given up', () => {
  const python = '(?P<name>\\w+)';
  expect(formsOf(python, ['a b'])).toEqual(expect.arrayContaining(regexVariants(python)));
  const endless = '^(a+)+$';
  expect(formsOf(endless, [`${'a'.repeat(100)}b`])).toEqual(regexVariants(endless));
});

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

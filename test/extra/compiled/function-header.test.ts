import { expect, test } from 'vitest';
import { expandAliases } from '../../../lib/extra/compiled/function-header.ts';

test('aliases may be made of others', () => {
  const aliases = new Map([
    ['Row', 'vector<int>'],
    ['Rows', 'map<string, Row>'],
  ]);
  expect(expandAliases('Rows f(Row)', aliases)).toBe('map<string, vector<int>> f(vector<int>)');
});

test('an alias of itself, and one too long for any text, are left as they are', () => {
  expect(expandAliases('A f()', new Map([['A', 'A A']]))).toBe('A f()');
  const many = 'A '.repeat(2000);
  expect(expandAliases(many, new Map([['A', 'x'.repeat(1_000_000)]]))).toBe(many);
});

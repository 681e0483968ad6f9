import { expect, test } from 'vitest';
import { remembered } from '../../lib/syntax/parser.ts';

test('computes a text once as long as it is among the last ones', () => {
  const computed: string[] = [];
  const of = remembered(text => {
    computed.push(text);
    return [text];
  });
  expect([of('a'), of('b'), of('a')]).toEqual([['a'], ['b'], ['a']]);
  expect(computed).toEqual(['a', 'b']);
  for (let other = 0; other < 64; other++) of(`${other}`);
  of('63');
  of('a');
  expect(computed.slice(-2)).toEqual(['63', 'a']);
});

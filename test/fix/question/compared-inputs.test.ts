import { expect, test } from 'vitest';
import { comparedInputs } from '../../../lib/fix/question/compared-inputs.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const parser = await openParser('python');

test('inputs are the calls of the tests, then those at numbers of any version, its docstring and its constants', () => {
  const text = 'LIMIT = 1_300\nOTHER = 77_000\n\ndef f(age):\n    return age > 18\n';
  const codes = ['def f(age):\n    return age > 18\n', 'def f(age):\n    return age > LIMIT\n'];
  const inputs = comparedInputs([[30]], {
    parser,
    name: 'f',
    codes,
    documentation: 'Free from 450 on.',
    text,
    seed: 1,
  });
  expect(inputs[0]).toEqual([30]);
  const ages = inputs.slice(1, 20).map(([age]) => age);
  for (const age of [17, 18, 19, 449, 450, 451, 1299, 1300, 1301]) expect(ages).toContain(age);
  expect(inputs).not.toContainEqual([77_000]);
  expect(new Set(inputs.map(input => JSON.stringify(input))).size).toBe(inputs.length);
});

import { expect, test } from 'vitest';
import { enumerateEdits } from '../../../../lib/repair/operators/enumerate.ts';
import { noFacts } from '../../../../lib/repair/operators/failure-facts.ts';
import { noNames } from '../../../../lib/repair/operators/file-names.ts';
import { operators } from '../../../../lib/repair/operators/operators.ts';
import { likelihoodOf, weights } from '../../../../lib/repair/operators/python/likelihoods.ts';
import { openParser } from '../../../../lib/syntax/parser.ts';

const inPython = operators.filter(({ languages = ['python'] }) => languages.includes('python'));

test('each operator of Python has a weight, and nothing else has one', () => {
  const names = new Set(inPython.map(({ name }) => name));
  expect(Object.keys(weights).toSorted()).toEqual([...names].toSorted());
});

test.each(inPython.map(({ name }) => name))('%s: later edits and odd ones are less likely', name => {
  const places = [0, 2, 7, 19, 59, 60, 5000].map(place => likelihoodOf(name, place, false));
  expect(places).toEqual(places.toSorted((a, b) => b - a));
  expect(places.at(-1)).toBeGreaterThan(0);
  expect(likelihoodOf(name, 0, true)).toBeLessThan(likelihoodOf(name, 0, false));
});

test('in a project, Python edits that real fixes make come first', async () => {
  const parser = await openParser('python');
  const code = [
    'def f(a, b):',
    '    try:',
    '        n = int(a)',
    '    except ValueError:',
    '        n = b',
    '    if n < b:',
    '        n = b',
    '    return n',
    '',
  ].join('\n');
  const hints = { kind: 'function', names: noNames, failures: noFacts, weightOf: () => 1 } as const;
  const programs = [...enumerateEdits(parser, code, 'f', 200, hints)].flatMap(found => found?.code ?? []);
  const placeOf = (line: string) => programs.findIndex(text => text.includes(line));
  expect(placeOf('except (ValueError, TypeError):')).toBeLessThan(10);
  expect(placeOf('if n > b:')).toBeGreaterThan(placeOf('except (ValueError, TypeError):'));
});

test('what only takes something away comes after a change of about the same weight', () => {
  const { 'term dropped': dropped = 0, 'operator swapped': swapped = 0 } = weights;
  expect(dropped).toBeGreaterThan(swapped);
  expect(likelihoodOf('term dropped', 0, false)).toBeLessThan(likelihoodOf('operator swapped', 0, false));
});

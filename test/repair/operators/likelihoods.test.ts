import { expect, test } from 'vitest';
import { enumerateEdits } from '../../../lib/repair/operators/enumerate.ts';
import { noFacts, noNames } from '../../../lib/repair/operators/facts.ts';
import { likelihoodOf, rankedOperators } from '../../../lib/repair/operators/likelihoods.ts';
import { projectEdits, projectOperators } from '../../../lib/repair/operators/operators.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const inProjects = { python: await projectOperators('python'), js: await projectOperators('js') };
const cases = (['python', 'js'] as const).flatMap(language =>
  inProjects[language].operators.map(({ name }) => [language, name] as const),
);

test.each(['python', 'js'] as const)('%s: each operator has a weight, and nothing else has one', language => {
  const names = cases.flatMap(([each, name]) => (each === language ? [name] : []));
  expect(Object.keys(inProjects[language].weights).toSorted()).toEqual(names.toSorted());
});

test.each(cases)('%s, %s: later edits and odd ones are less likely', (language, name) => {
  const { weights } = inProjects[language];
  const places = [0, 2, 7, 19, 59, 60, 5000].map(place => likelihoodOf(name, weights, place, false));
  expect(places).toEqual(places.toSorted((a, b) => b - a));
  expect(places.at(-1)).toBeGreaterThan(0);
  expect(likelihoodOf(name, weights, 0, true)).toBeLessThan(likelihoodOf(name, weights, 0, false));
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
  const hints = {
    kind: 'function',
    names: noNames,
    failures: noFacts,
    weightOf: () => 1,
    edits: await projectEdits('python'),
  } as const;
  const programs = [...enumerateEdits(parser, code, 'f', 200, hints)].flatMap(found => found?.code ?? []);
  const placeOf = (line: string) => programs.findIndex(text => text.includes(line));
  expect(placeOf('except (ValueError, TypeError):')).toBeLessThan(10);
  expect(placeOf('if n > b:')).toBeGreaterThan(placeOf('except (ValueError, TypeError):'));
});

test('what only takes something away comes after a change of about the same weight', () => {
  const { weights } = inProjects.python;
  const { 'term dropped': dropped = 0, 'operator swapped': swapped = 0 } = weights;
  expect(dropped).toBeGreaterThan(swapped);
  expect(likelihoodOf('term dropped', weights, 0, false)).toBeLessThan(
    likelihoodOf('operator swapped', weights, 0, false),
  );
});

test('an exception of the failing tests brings operators to the front that mend it', () => {
  const places = (raised: readonly string[]) =>
    rankedOperators(inProjects.python.operators, inProjects.python.weights, { raised }).findIndex(
      ({ operator }) => operator.name === 'attribute of file taken',
    );
  expect(places(['errors.AttributeError'])).toBeLessThan(places([]));
  expect(places(['ValueError'])).toBe(places([]));
});

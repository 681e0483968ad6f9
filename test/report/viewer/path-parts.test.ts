import { expect, test } from 'vitest';
import { pathParts } from '../../../lib/report/viewer/page/data/path-parts.ts';

const partsOf = (path: string, attempts: number) => {
  const states = path.split(' ');
  return (
    pathParts(states, attempts, undefined)?.map(({ start, end }) => states.slice(start, end).join(' ')) ??
    null
  );
};

test('each attempt has its part of the path, starting with the model’s node', () => {
  expect(partsOf('draft examine execute iterate reflect examine execute solved', 2)).toEqual([
    'draft examine execute iterate',
    'reflect examine execute solved',
  ]);
});

test('a diagnosis belongs to the attempt that it explains', () => {
  expect(partsOf('propose examine execute iterate reflect propose examine iterate exhausted', 2)).toEqual([
    'propose examine execute iterate reflect',
    'propose examine iterate exhausted',
  ]);
});

test('a failure before an attempt’s end belongs to the previous one', () => {
  expect(partsOf('draft examine execute iterate reflect error', 1)).toEqual([
    'draft examine execute iterate reflect error',
  ]);
});

test('a path without the attempts is not split', () => {
  expect(partsOf('draft error', 0)).toBeNull();
  expect(partsOf('search solved', 2)).toBeNull();
});

test('steps say which attempt each state is part of', () => {
  const states = [
    'draft',
    'enumerate',
    'decide',
    'choose',
    'examine',
    'execute',
    'iterate',
    'reflect',
    'examine',
    'solved',
  ];
  const steps = states.map((state, index) => ({ state, attempt: index < 6 ? 0 : 1, seconds: 0 }));
  expect(pathParts(states, 2, steps)).toEqual([
    { start: 0, end: 6 },
    { start: 6, end: 10 },
  ]);
  expect(pathParts(states, 3, steps)).toBeNull();
});

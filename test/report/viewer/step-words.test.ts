import { expect, test } from 'vitest';
import { stepWords } from '../../../lib/report/viewer/page/data/path-parts.ts';

test('says how many candidates a step found, ran, ranked and chose', () => {
  expect(stepWords({ counts: { answers: 12 } })).toBe('12 answers');
  expect(stepWords({ counts: { candidates: 1012 } })).toBe('1,012 candidates');
  expect(stepWords({ counts: { screened: 1012, passed: 24, rejected: [0, 988] } })).toBe(
    '1,012 run: 24 pass, 988 rejected by check 2',
  );
  expect(stepWords({ counts: { ranked: 24 } })).toBe('24 ranked');
  expect(stepWords({ counts: { chosen: 1 } })).toBe('1 chosen');
  expect(stepWords({})).toBe('');
});

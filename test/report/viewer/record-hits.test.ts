import { expect, test } from 'vitest';
import { hitIn } from '../../../lib/report/viewer/page/data/record-hits.ts';
import { recordOf } from './runs.ts';

test('a match has the attempt, the field and its line, ignoring case', () => {
  const record = recordOf(2, 0, 1);
  expect(record.attempts.length).toBeGreaterThan(1);
  expect(hitIn(record, 7, 'LONGEST) - 1')).toEqual({
    line: 7,
    task: 'words/2',
    sample: 0,
    attempt: 1,
    where: 'completion',
    others: expect.any(Number),
    before: 'if len(word) < len(',
    match: 'longest) - 1',
    after: ':',
  });
});

test.each([
  ['You fix bugs', 'system message'],
  ['All 6 assertions', 'verdict'],
  ["'fig', 'banana'", 'test'],
  ['looked at 3 words', 'standard output'],
])('finds %j in the %s', (text, where) => {
  const records = [recordOf(2, 0, 1), recordOf(3, 0, 8)];
  const hits = records.map((record, line) => hitIn(record, line, text)).filter(hit => hit !== null);
  expect(hits.map(hit => hit.where)).toContain(where);
});

test('finds nothing if no record has the text', () => {
  expect(hitIn(recordOf(0, 0), 0, 'nowhere at all')).toBeNull();
});

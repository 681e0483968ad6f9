import { expect, test } from 'vitest';
import { selectTasks } from '../../lib/run/plan.ts';
import { tasks } from './fakes.ts';

const ids = (pattern: string | undefined, limit?: number) =>
  selectTasks(tasks(12), { tasks: pattern, limit }, 'set').map(task => task.id);

test.each([
  ['set/3', ['set/3']],
  ['3', ['set/3']],
  ['3, set/1', ['set/1', 'set/3']],
  ['set/1*', ['set/1', 'set/10', 'set/11']],
  ['1?', ['set/10', 'set/11']],
  ['3,3,set/3', ['set/3']],
])('%s selects %j', (pattern, expected) => {
  expect(ids(pattern)).toEqual(expected);
});

test('selects all by default, and the first with a limit, after patterns', () => {
  expect(ids(undefined)).toHaveLength(12);
  expect(ids(undefined, 2)).toEqual(['set/0', 'set/1']);
  expect(ids('1*', 2)).toEqual(['set/1', 'set/10']);
  expect(ids(undefined, 99)).toHaveLength(12);
});

test('a pattern without a match is an error that names the nearest', () => {
  expect(() => ids('sett/3')).toThrow(
    expect.objectContaining({ code: 'TASKS_UNKNOWN', hint: 'Did you mean set/3?' }),
  );
  expect(() => ids('set/3,set.3')).toThrow(expect.objectContaining({ code: 'TASKS_UNKNOWN' }));
});

import { expect, test } from 'vitest';
import { firstRuns, runNames } from '../../../lib/report/viewer/page/data/run-view.ts';

function infoOf(name: string, settings: Record<string, string>, model = 'org/small') {
  const { agent = 'reflect' } = settings;
  return { id: name, name: `${name}.jsonl`, model, dataset: 'words', agent, settings };
}

test('runs are named by what distinguishes them', () => {
  const names = runNames([
    infoOf('a', { agent: 'reflect', temperature: '0', iters: '3' }),
    infoOf('b', { agent: 'react', temperature: '0.2', iters: '3' }),
  ]);
  expect([...names.values()]).toEqual(['reflect · temperature 0', 'react · temperature 0.2']);
});

test('models are named if they differ, without their publisher', () => {
  const settings = { agent: 'reflect' };
  const names = runNames([infoOf('a', settings), infoOf('b', settings, 'org/large')]);
  expect([...names.values()]).toEqual(['small', 'large']);
});

test('similar runs are distinguished by their files', () => {
  const settings = { agent: 'reflect' };
  const names = runNames([infoOf('a', settings), infoOf('b', settings)]);
  expect([...names.values()]).toEqual(['small · reflect · a', 'small · reflect · b']);
});

test('the newest runs of the newest dataset are shown first', () => {
  const run = (name: string, dataset: string, problem: string | null = null) => ({
    info: { ...infoOf(name, {}), dataset },
    problem,
  });
  const runs = [
    run('a', '', 'It is broken.'),
    ...'xyxxx'.split('').map((set, index) => run(`b${index}`, set)),
  ];
  expect(firstRuns(runs).map(({ info }) => info.id)).toEqual(['b0', 'b2', 'b3']);
  expect(firstRuns([])).toEqual([]);
});

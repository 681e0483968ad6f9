import { expect, test } from 'vitest';
import { machines } from '../../lib/repair/all-machines.ts';
import {
  type AgentMachine,
  type AgentSnapshot,
  type OutcomeName,
  rankTokens,
  type Start,
  start,
  stepped,
} from './outcomes.ts';

const search = machines.search as unknown as AgentMachine;

function walked(given: Omit<Start, 'maxIterations'>, names: readonly OutcomeName[]): AgentSnapshot {
  return names.reduce<AgentSnapshot>(
    (snapshot, name) => stepped(search, snapshot, name),
    start(search, { maxIterations: 0, ...given }),
  );
}

test('the first candidate records the prompt and all tokens', () => {
  const { context, value } = walked({ feedback: 'examples', search: 'ranked edits' }, [
    'enumerate: two',
    'rank: the other way round',
    'screen: the first passes',
    'choose: the first',
    'examine: new',
    'execute: passed',
    'score: passed',
  ]);
  expect(value).toBe('solved');
  expect(context.attempts).toMatchObject([
    { node: 'search', iteration: 0, completion: 'edit 2', tokens: rankTokens },
  ]);
});

test('when searching on the hidden tests, the iteration counts earlier candidates', () => {
  const { context, value } = walked({ feedback: 'tests', search: 'ranked edits' }, [
    'enumerate: two',
    'rank: the other way round',
    'screen: the first passes',
    'choose: the first',
    'examine: new',
    'execute: failed',
    'screen: the first passes',
    'choose: the first',
    'examine: new',
    'execute: passed',
  ]);
  expect(value).toBe('solved');
  expect(context.attempts.map(({ iteration, completion }) => [iteration, completion])).toEqual([
    [0, 'edit 2'],
    [1, 'edit 1'],
  ]);
});

test('if no candidate passes, takes the one that passes the most assertions', () => {
  const { context, value } = walked({ feedback: 'examples', search: 'ranked edits' }, [
    'enumerate: two',
    'rank: the other way round',
    'screen: none passes',
    'combine: none',
    'choose: the first',
    'examine: new',
    'execute: failed',
    'score: failed',
  ]);
  expect(value).toBe('unsolved');
  expect(context.attempts.map(({ completion }) => completion)).toEqual(['edit 1']);
});

test('without a ranking, keeps the order of enumeration', () => {
  const snapshot = walked({ feedback: 'examples', search: 'unranked edits' }, ['enumerate: two']);
  expect(snapshot.value).toBe('screen');
  expect(snapshot.context.pool.order).toEqual([0, 1]);
});

import { expect, test } from 'vitest';
import { readTableState, tableStateWords } from '../../../lib/report/viewer/page/data/route.ts';

test('the URL keeps filter, order, fold, search and the selected runs', () => {
  const state = {
    filter: { text: 'a b', outcome: 'differ', bugType: 'value misuse', verdict: 'failed' },
    sort: { key: 'tokens', run: 1, descending: true },
    runView: { text: 'small', order: 'solved', isUnfolded: true },
    chosen: ['0123456789ab', 'ba9876543210'],
    search: 'x & y = "z"',
  } as const;
  const hash = `#${new URLSearchParams(tableStateWords(state))}`;
  expect(readTableState(hash)).toEqual(state);
});

test('keeps an empty selection, and omits defaults', () => {
  const first = readTableState('');
  expect(first.chosen).toBeNull();
  expect(tableStateWords(first)).toEqual([]);
  const none = tableStateWords({ ...first, chosen: [] });
  expect(readTableState(`#${new URLSearchParams(none)}`).chosen).toEqual([]);
});

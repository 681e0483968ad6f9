import { expect, test } from 'vitest';
import { startConversations } from '../../../lib/fix/write/conversations.ts';

test('there is one conversation for each bug: a partial repair starts no other', async () => {
  const checked: string[][] = [];
  const check = async (files: readonly { path: string }[]) =>
    void checked.push(files.map(({ path }) => path));
  const source = (path: string) => ({ path });
  const tests = [
    {
      id: 't',
      outcome: 'failed',
      frames: [
        ['helpers.py', 1],
        ['data.txt', 2],
      ],
    },
  ];
  const context = { changes: [], suspects: [], repairs: [] as { isPartial?: true }[], tests };
  const project = {
    sources: ['a.py'],
    plan: { tests: ['test_a.py'] },
    has: () => true,
    source,
    check,
    language: 'python',
  };
  const conversations = startConversations({
    options: {},
    context: () => context,
    project: async () => project,
  } as never);
  const first = await conversations.now();
  // No file is parsed before it was checked.
  expect(checked).toEqual([['a.py', 'test_a.py', 'helpers.py']]);
  context.repairs = [{ isPartial: true }];
  expect(await conversations.now()).toBe(first);
  context.repairs = [{ isPartial: true }, {}];
  expect(await conversations.now()).not.toBe(first);
});

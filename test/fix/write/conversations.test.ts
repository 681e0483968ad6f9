import { expect, test } from 'vitest';
import { startConversations } from '../../../lib/fix/write/conversations.ts';

test('there is one conversation for each bug: a partial repair starts no other', async () => {
  const context = { changes: [], suspects: [], repairs: [] as { isPartial?: true }[] };
  const conversations = startConversations({
    options: {},
    context: () => context,
    project: async () => ({}),
  } as never);
  const first = await conversations.now();
  context.repairs = [{ isPartial: true }];
  expect(await conversations.now()).toBe(first);
  context.repairs = [{ isPartial: true }, {}];
  expect(await conversations.now()).not.toBe(first);
});

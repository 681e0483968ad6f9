import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startConversations } from '../../../lib/fix/write/conversations.ts';
import { fakeTime } from '../../support/fake-time.ts';

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

test('between the trial of an answer and its reduction, no edit has its turn', async () => {
  let confirm = (_: object): void => {};
  const report = new Promise(resolve => {
    confirm = resolve;
  });
  const project = { sources: [], plan: { tests: [] }, check: async () => {}, language: 'python' };
  const conversations = startConversations({
    options: {},
    context: () => ({ changes: [], suspects: [], repairs: [], tests: [] }),
    project: async () => project,
    runner: async () => ({ separates: true }),
    fresh: async () => ({ run: () => report }),
    onAnswered: () => {},
  } as never);
  const { try: tryAnswer, reduce } = await conversations.now();
  const asked = { node: 'draft', completion: 'I do not know.', isCut: false } as const;
  const order: string[] = [];
  const trying = tryAnswer({ asked, attempts: [], tests: [], changes: [], maxRequests: 1 });
  const idle = conversations.idle().then(() => order.push('an edit'));
  const attempt = await trying;
  // The machine takes some steps, all in the same turn.
  for (let step = 0; step < 50; step++) await null;
  const reducing = reduce({ attempt, tests: [], changes: [], maxRequests: 1 }).then(() =>
    order.push('reduced'),
  );
  setTimeout(() => confirm({ tests: [], fault: null }), 20);
  await Promise.all([idle, reducing]);
  expect(order).toEqual(['reduced', 'an edit']);
});

test('no edit has its turn before a model has been asked for two seconds, or cannot be asked', async () => {
  const time = fakeTime();
  let answer = (_: object): void => {};
  const model = new Promise(resolve => {
    answer = resolve;
  });
  const project = { sources: [], plan: { tests: [] }, check: async () => {}, language: 'python' };
  const conversations = startConversations({
    options: {},
    context: () => ({ changes: [], suspects: [], repairs: [], tests: [] }),
    project: async () => project,
    model: () => ({ model, failed: new AbortController().signal }),
    signal: new AbortController().signal,
    startTimer: time.startTimer,
  } as never);
  const input = { node: 'draft', attempts: [], tests: [], changes: [], maxRequests: 1 } as never;
  const stop = new AbortController().signal;
  let turns = 0;
  const asked = async () => {
    const starting = conversations.now();
    void conversations.idle().then(() => turns++);
    return (await starting).ask(input, stop);
  };
  const first = asked();
  await nextTurns();
  time.advance(1_999);
  await nextTurns();
  expect(turns).toBe(0);
  time.advance(1);
  await nextTurns();
  expect(turns).toBe(1);
  answer(null as never);
  expect(await first).toBe(null);
  expect(await asked()).toBe(null);
  await nextTurns();
  expect(turns).toBe(2);
  expect(time.advance(2_000)).toBe(0);
});

async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

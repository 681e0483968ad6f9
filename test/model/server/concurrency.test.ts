import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createConcurrency } from '../../../lib/model/server/concurrency.ts';
import { asking, openModel } from './open-model.ts';
import { type Answer, failure, startServer, stream, whole } from './test-server.ts';

test.each<[string, Answer]>([
  ['complete', whole('x')],
  ['streamed', stream('a', 'b')],
])('requests with %s answers use the same connection', async (_, answer) => {
  const server = await startServer(answer);
  const model = openModel(server);
  for (let count = 0; count < 12; count++) await model.generate(asking(`${count}`));
  // The first may still be busy with the questions about the server itself.
  expect(server.connections()).toBeLessThanOrEqual(2);
});

test.each([429, 503])(
  'a server that answers %i above a number of requests gets that many, and answers all',
  async status => {
    let [now, refused] = [0, 0];
    const server = await startServer(async (response, received) => {
      if (now >= 6) {
        refused++;
        return await failure(status, 'too many requests', {}, { 'retry-after-ms': '5' })(response, received);
      }
      now++;
      await wait(15);
      now--;
      await whole('x')(response, received);
    });
    const model = openModel(server, { maxConcurrency: 64, maxTries: 3 });
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, index) => model.generate(asking(`${index}`))),
    );
    expect(replies.every(({ text }) => text === 'x')).toBe(true);
    expect(server.requests.length).toBe(300 + refused);
  },
);

test('a server that only refuses is given up', async () => {
  const server = await startServer(failure(503, 'overloaded', {}, { 'retry-after-ms': '5' }));
  const model = openModel(server, { maxConcurrency: 8, maxTries: 3 });
  await expect(model.generate(asking('x'))).rejects.toMatchObject({ code: 'BACKEND_FAILED' });
  expect(server.requests).toHaveLength(3);
});

test('halves once per round of refusals, and rises by one per round of answers', async () => {
  const overload = new Error('overload');
  const concurrency = createConcurrency(16, error => error === overload);
  const round = (fails: boolean) =>
    Promise.allSettled(
      Array.from({ length: concurrency.allowed() }, () =>
        concurrency.run(async () => {
          await wait(1);
          if (fails) throw overload;
        }),
      ),
    );
  await round(true);
  expect(concurrency.allowed()).toBe(8);
  for (let count = 0; count < 2; count++) await round(true);
  expect(concurrency.allowed()).toBe(2);
  for (let count = 0; count < 4; count++) await round(false);
  expect(concurrency.allowed()).toBeGreaterThanOrEqual(5);
  for (let count = 0; count < 6; count++) await round(true);
  expect(concurrency.allowed()).toBe(1);
  for (let count = 0; count < 200; count++) await round(false);
  expect(concurrency.allowed()).toBe(16);
});

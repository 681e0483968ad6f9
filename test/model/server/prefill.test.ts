import { expect, onTestFinished, test } from 'vitest';
import { serverAt } from '../../../lib/model/server/providers.ts';
import { createServerModel } from '../../../lib/model/server/server-model.ts';
import { startServer, whole } from './test-server.ts';

test('a prefill is sent as the last turn, with the server’s option to continue it', async () => {
  const server = await startServer(whole(' return 1'));
  const model = createServerModel({ server: serverAt(server.baseUrl), model: 'coder', keys: [] });
  onTestFinished(() => model.close());
  const sampling = { temperature: 0, topP: 1, topK: 0, maxNewTokens: 9, seed: 1 };
  const messages = [{ role: 'user', content: 'Fix it.' }] as const;
  expect((await model.generate({ messages, ...sampling, prefill: 'def f():' })).text).toBe(' return 1');
  expect(server.requests[0]?.body).toMatchObject({
    messages: [...messages, { role: 'assistant', content: 'def f():' }],
    add_generation_prompt: false,
    continue_final_message: true,
  });
});

import { expect, onTestFinished, test } from 'vitest';
import type { GenerateRequest } from '../../../lib/core/ports.ts';
import { serverAt } from '../../../lib/model/server/providers.ts';
import { createServerModel } from '../../../lib/model/server/server-model.ts';
import { donePiece, failure, json, startServer, streamed, type TestServer, usage } from './test-server.ts';

const tool = { name: 'run_code', description: 'Runs it.', parameters: { type: 'object', properties: {} } };
const request: GenerateRequest = {
  messages: [
    { role: 'user', content: 'Fix it.' },
    { role: 'assistant', content: '', toolCalls: [{ name: 'run_code', arguments: '{"code":"a"}' }] },
    { role: 'tool', content: 'It fails.' },
  ],
  temperature: 0,
  topP: 1,
  topK: 0,
  maxNewTokens: 64,
  seed: 1,
  tools: [tool],
};

function modelOf({ baseUrl }: TestServer) {
  const model = createServerModel({ server: serverAt(baseUrl), model: 'coder', keys: [] });
  onTestFinished(() => model.close());
  return model;
}

const made = [{ name: 'run_code', arguments: '{"code":"b"}' }];
const message = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'x', type: 'function', function: { name: 'run_code', arguments: '{"code":"b"}' } }],
};

test('tools, calls and results follow the API, with results linked to calls', async () => {
  const server = await startServer(json({ choices: [{ message, finish_reason: 'tool_calls' }], usage }));
  const model = modelOf(server);
  expect(model.nativeTools).toBe(true);
  expect(await model.generate(request)).toMatchObject({ text: '', toolCalls: made, finish: 'stop' });
  const id = expect.stringMatching(/^[a-z0-9]{9}$/);
  expect(server.requests[0]?.body).toMatchObject({
    tools: [{ type: 'function', function: tool }],
    messages: [
      { role: 'user', content: 'Fix it.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id, type: 'function', function: { name: 'run_code', arguments: '{"code":"a"}' } }],
      },
      { role: 'tool', content: 'It fails.', tool_call_id: id },
    ],
  });
  const [, asked, result] = (server.requests[0]?.body.messages ?? []) as Record<string, unknown>[];
  expect((asked?.tool_calls as { id: string }[] | undefined)?.[0]?.id).toBe(result?.tool_call_id);
});

test('a streamed call is assembled from its parts', async () => {
  const piece = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const server = await startServer(
    streamed([
      piece({ role: 'assistant', content: 'Let me try.' }),
      piece({ tool_calls: [{ index: 0, id: 'x', function: { name: 'run_code', arguments: '' } }] }),
      piece({ tool_calls: [{ index: 0, function: { arguments: '{"code":' } }] }),
      piece({ tool_calls: [{ index: 0, function: { arguments: '"b"}' } }] }, 'tool_calls'),
      donePiece,
    ]),
  );
  expect(await modelOf(server).generate(request)).toMatchObject({ text: 'Let me try.', toolCalls: made });
});

test.each([
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  'registry.ollama.ai/library/gemma does not support tools',
])('a server that refuses tools gets a hint what to omit: %s', async words => {
  const server = await startServer(failure(400, words));
  await expect(modelOf(server).generate(request)).rejects.toMatchObject({
    code: 'BACKEND_PARAMETER_REFUSED',
    hint: expect.stringContaining('--omit tools'),
  });
  expect(server.requests).toHaveLength(1);
});

test('a model whose requests omit tools leaves explaining them to the prompt', async () => {
  const server = await startServer(json({}));
  const model = createServerModel({
    server: serverAt(server.baseUrl),
    model: 'c',
    keys: [],
    omit: ['tools'],
  });
  onTestFinished(() => model.close());
  expect(model.nativeTools).toBe(false);
});

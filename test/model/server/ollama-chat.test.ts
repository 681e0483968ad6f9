import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../lib/core/ports.ts';
import { asking, openModel } from './open-model.ts';
import { type Answer, failure, json, raw, startServerThatTells, streamed } from './test-server.ts';

const show = (changed: Record<string, unknown> = {}) => ({
  '/v1/models': json({ data: [{ id: 'coder:latest', owned_by: 'library' }] }),
  '/api/show': json({
    parameters: 'stop    "<|im_end|>"\nnum_ctx                        2048',
    model_info: { 'general.architecture': 'qwen2', 'qwen2.context_length': 32_768 },
    capabilities: ['completion', 'tools'],
    ...changed,
  }),
  '/api/ps': json({ models: [] }),
});
const line = (content: string, changed: Record<string, unknown> = {}) =>
  `${JSON.stringify({ model: 'coder', message: { role: 'assistant', content }, done: false, ...changed })}\n`;
const last = (changed: Record<string, unknown> = {}) =>
  line('', { done: true, done_reason: 'stop', prompt_eval_count: 20, eval_count: 7, ...changed });
const good: Answer = streamed([line('def '), line('f()'), last()], { chunk: 7 });

describe('Ollama is called through its own API', () => {
  test('Ollama is called with a context that fits the prompt, and no truncation', async () => {
    const server = await startServerThatTells(show(), good);
    const model = openModel(server);
    const pieces: string[] = [];
    expect(await model.generate(asking('a'), { onText: piece => pieces.push(piece) })).toEqual({
      text: 'def f()',
      promptTokens: 20,
      completionTokens: 7,
      finish: 'stop',
    });
    expect(pieces.join('')).toBe('def f()');
    expect(server.requests[0]).toMatchObject({
      path: '/api/chat',
      body: {
        model: 'coder',
        messages: [{ role: 'user', content: 'a' }],
        stream: true,
        truncate: false,
        shift: false,
        options: { temperature: 0.2, top_p: 0.95, top_k: 0, seed: 42, num_predict: 64, num_ctx: 8192 },
      },
    });
    expect(server.requests[0]?.body).not.toHaveProperty('think');
    expect(model.warnings).toEqual([]);
  });

  test('Ollama is called with a context that grows with the prompts, up to the model’s, and never shrinks', async () => {
    const server = await startServerThatTells(show(), good);
    const model = openModel(server);
    for (const length of [100, 20_000, 100, 200_000]) await model.generate(asking('x'.repeat(length)));
    const contexts = server.requests.map(({ body }) => (body.options as { num_ctx: number }).num_ctx);
    expect(contexts).toEqual([8192, 16_384, 16_384, 32_768]);
  });

  test('Ollama is called with the context of a model that is loaded with a longer one', async () => {
    const facts = {
      ...show(),
      '/api/ps': json({ models: [{ name: 'coder:latest', context_length: 20_000 }] }),
    };
    const server = await startServerThatTells(facts, good);
    await openModel(server).generate(asking('a'));
    expect(server.requests[0]?.body.options).toMatchObject({ num_ctx: 20_000 });
  });

  test('Ollama’s message about a long prompt is the error', async () => {
    const words = 'the input length exceeds the context length';
    const server = await startServerThatTells(show(), json({ error: words }, 400));
    await expect(openModel(server).generate(asking('a'))).rejects.toMatchObject({
      code: 'BACKEND_CONTEXT_TOO_LONG',
      message: expect.stringContaining(words),
    });
  });

  test('truncation by an older Ollama is detected by the token count', async () => {
    const server = await startServerThatTells(
      show(),
      streamed([line('x'), last({ prompt_eval_count: 8192 })]),
    );
    const model = openModel(server);
    await model.generate(asking('a'));
    expect(model.warnings).toEqual([expect.stringContaining('all that its context holds')]);
  });

  test('Ollama is called without the parameters left to it', async () => {
    const server = await startServerThatTells(show(), good);
    await openModel(server, { omit: ['seed', 'max_tokens', 'temperature', 'top_p', 'top_k'] }).generate(
      asking('a'),
    );
    expect(server.requests[0]?.body.options).toEqual({ num_ctx: 8192 });
  });

  test('Ollama is called with the thinking setting if the model supports it', async () => {
    const server = await startServerThatTells(show({ capabilities: ['thinking'] }), good);
    const model = openModel(server);
    await model.generate(asking('a'));
    await model.generate(asking('a', { thinking: true }));
    expect(server.requests.map(({ body }) => body.think)).toEqual([false, true]);
  });

  test('Ollama is called without the thinking setting if the model does not support it', async () => {
    const server = await startServerThatTells(
      show(),
      json({ error: '"coder" does not support thinking' }, 400),
    );
    await expect(openModel(server).generate(asking('a', { thinking: true }))).rejects.toMatchObject({
      code: 'BACKEND_PARAMETER_REFUSED',
    });
  });

  test('Ollama is called with tools, whose calls have objects as arguments', async () => {
    const tool: Tool = { name: 'run', description: 'runs', parameters: { type: 'object' } };
    const call = { function: { name: 'run', arguments: { code: 'f()' } } };
    const server = await startServerThatTells(
      show(),
      streamed([line('', { message: { content: '', thinking: 'hm', tool_calls: [call] } }), last()]),
    );
    const completion = await openModel(server).generate(
      asking('a', {
        tools: [tool],
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: '', toolCalls: [{ name: 'run', arguments: '{"code":"g()"}' }] },
          { role: 'tool', content: 'wrong' },
        ],
        prefill: 'So: ',
      }),
    );
    expect(completion.toolCalls).toEqual([{ name: 'run', arguments: '{"code":"f()"}' }]);
    expect(server.requests[0]?.body).toMatchObject({
      tools: [{ type: 'function', function: tool }],
      messages: [
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ function: { name: 'run', arguments: { code: 'g()' } } }] },
        { role: 'tool', content: 'wrong' },
        { role: 'assistant', content: 'So: ' },
      ],
    });
  });

  test.each([
    ['is cut off', streamed([line('x')]), 'BACKEND_CUT_OFF'],
    ['fails in its middle', streamed([line('x'), '{"error":"out of memory"}\n']), 'BACKEND_FAILED'],
    ['is not JSON', raw('oops', 'application/x-ndjson'), 'BACKEND_REPLY_INVALID'],
    ['is of another shape', raw('7', 'application/x-ndjson'), 'BACKEND_REPLY_INVALID'],
    ['is a failure', failure(500, 'broken'), 'BACKEND_FAILED'],
  ])('an answer that %s has its own error code', async (_, answer, code) => {
    const server = await startServerThatTells(show(), answer);
    await expect(openModel(server).generate(asking('a'))).rejects.toMatchObject({ code });
  });

  test('Ollama without its own API is called like any other server', async () => {
    const facts = { '/v1/models': json({ data: [{ id: 'coder', owned_by: 'library' }] }) };
    const server = await startServerThatTells(facts, good);
    await openModel(server)
      .generate(asking('a'))
      .catch(() => {});
    expect(server.requests[0]?.path).toBe('/v1/chat/completions');
  });
});

import { describe, expect, test } from 'vitest';
import { asking, openModel } from './open-model.ts';
import { failure, json, startServerThatTells, stream, usage, whole } from './test-server.ts';

const listOf = (owner: string, ...ids: string[]) =>
  json({ object: 'list', data: ids.map(id => ({ id, object: 'model', owned_by: owner })) });

describe('the model is looked up once at the start', () => {
  test('a model that the server lists is used', async () => {
    const server = await startServerThatTells({ '/v1/models': listOf('me', 'coder') }, stream('x'));
    const model = openModel(server);
    await model.open();
    await model.generate(asking('a'));
    await model.generate(asking('b'));
    expect(server.asked.map(({ path }) => path)).toEqual(['/v1/models']);
    expect(model.warnings).toEqual([]);
  });

  test('a model that vLLM does not serve is an error before any request', async () => {
    const facts = { '/v1/models': listOf('vllm', 'Qwen/Qwen3-0.6B', 'org/other') };
    const server = await startServerThatTells(facts, stream('x'));
    await expect(openModel(server, { model: 'qwen3-0.6b' }).open()).rejects.toMatchObject({
      code: 'BACKEND_MODEL_UNKNOWN',
      message: `${server.baseUrl} has no model "qwen3-0.6b": it lists Qwen/Qwen3-0.6B, org/other.`,
    });
    expect(server.requests).toEqual([]);
  });

  test('Ollama decides about its names, which need no tag', async () => {
    const list = listOf('library', 'coder:latest');
    const missing = failure(404, "model 'other' not found");
    const server = await startServerThatTells({ '/v1/models': list, '/api/show': missing }, stream('x'));
    await expect(openModel(server, { model: 'other' }).open()).rejects.toMatchObject({
      code: 'BACKEND_MODEL_UNKNOWN',
    });
    await expect(openModel(server, { model: 'coder' }).open()).resolves.toBeUndefined();
  });

  test.each([
    [
      'LiteLLM',
      {
        error: {
          message: {
            error: '/chat/completions: Invalid model name passed in model=coder. Call `/v1/models`',
          },
          type: 'None',
          param: 'None',
          code: '400',
        },
      },
    ],
    ['transformers', { detail: "Server is pinned to 'org/model'; requested 'coder'" }],
    ['any other', { error: { message: 'Bad request' } }],
  ])('%s, whose list may be incomplete, reports an unknown model on the first request', async (_, body) => {
    const facts = { '/v1/models': listOf('someone', 'coder-7b', 'x', 'y', 'z', 'v', 'w') };
    const server = await startServerThatTells(facts, json(body, 400));
    const model = openModel(server);
    await model.open();
    expect(model.warnings).toEqual([
      `${server.baseUrl} does not list the model "coder": it lists coder-7b, x, y, z, v and 1 more.`,
    ]);
    await expect(model.generate(asking('a'))).rejects.toMatchObject({ code: 'BACKEND_MODEL_UNKNOWN' });
    expect(server.requests).toHaveLength(1);
  });

  test('a server without a readable list is used anyway', async () => {
    for (const list of [failure(404, 'no'), json('odd'), json({ data: [{ no: 'id' }] })]) {
      const server = await startServerThatTells({ '/v1/models': list }, stream('x'));
      const model = openModel(server);
      expect((await model.generate(asking('a'))).text).toBe('x');
      expect(model.warnings).toEqual([]);
    }
  });

  test('an abort does not wait for the list', async () => {
    const controller = new AbortController();
    const abort = () => controller.abort(new Error('enough'));
    const server = await startServerThatTells({ '/v1/models': abort }, stream('x'));
    await expect(openModel(server).generate(asking('a'), { signal: controller.signal })).rejects.toThrow(
      'enough',
    );
  });

  test('the key is sent with the look-up, and to no other address', async () => {
    const server = await startServerThatTells({ '/v1/models': listOf('me', 'coder') }, stream('x'));
    await openModel(server, { keys: [{ value: 'sk-0123456789', label: 'the key in A' }] }).open();
    expect(server.asked[0]?.headers.authorization).toBe('Bearer sk-0123456789');
  });
});

describe('the context size that the server reports', () => {
  const counted = (tokens: number) => whole('x', { usage: { ...usage, prompt_tokens: tokens } });
  const long = asking('word '.repeat(2000));
  test.each([
    ['vLLM', { '/v1/models': json({ data: [{ id: 'coder', owned_by: 'vllm', max_model_len: 2048 }] }) }],
    [
      'an adapter at vLLM',
      {
        '/v1/models': json({
          data: [
            { id: 'base', owned_by: 'vllm', max_model_len: 2048 },
            { id: 'coder', owned_by: 'vllm', parent: 'base', max_model_len: null },
          ],
        }),
      },
    ],
    [
      'llama.cpp',
      {
        '/v1/models': listOf('llamacpp', '/models/coder.gguf'),
        '/props': json({ default_generation_settings: { n_ctx: 2048 }, total_slots: 1 }),
      },
    ],
  ])('%s: a prompt that fills it is named, and is no error', async (_, facts) => {
    const server = await startServerThatTells(facts, counted(2047), counted(2048));
    const model = openModel(server);
    await model.generate(asking('short'));
    expect(model.contextLength).toBe(2048);
    expect(model.warnings).toEqual([]);
    expect((await model.generate(long)).text).toBe('x');
    expect(model.warnings).toEqual([
      expect.stringContaining(
        'counted 2048 tokens in a prompt of 10000 characters, all that its context holds',
      ),
    ]);
  });
});

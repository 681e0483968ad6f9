import { describe, expect, onTestFinished, test } from 'vitest';
import { type Wait, wait } from '../../../lib/core/async.ts';
import { HefixError } from '../../../lib/core/errors.ts';
import type { GenerateRequest } from '../../../lib/core/ports.ts';
import { providers, serverAt } from '../../../lib/model/server/providers.ts';
import { createServerModel, type ServerModelOptions } from '../../../lib/model/server/server-model.ts';
import { fakeTime } from '../../support/fake-time.ts';
import {
  type Answer,
  cutOff,
  donePiece,
  drained,
  failure,
  json,
  piece,
  raw,
  silent,
  startServer,
  stream,
  streamed,
  type TestServer,
  usage,
  usagePiece,
  whole,
} from './test-server.ts';

const request: GenerateRequest = {
  messages: [
    { role: 'system', content: 'You repair code.' },
    { role: 'user', content: 'Repair this.' },
  ],
  temperature: 0.2,
  topP: 0.95,
  topK: 0,
  maxNewTokens: 64,
  seed: 42,
};
const KEYS = ['sk-first-0123456789', 'sk-second-0123456789'].map((value, index) => ({
  value,
  label: `key ${index + 1} of 2 in OPENAI_API_KEY`,
}));

/** Waits are at their shortest: half of the whole. */
function modelOf({ baseUrl }: TestServer, changed: Partial<ServerModelOptions> = {}) {
  const warnings: string[] = [];
  const model = createServerModel({
    server: serverAt(baseUrl),
    model: 'coder',
    keys: KEYS.slice(0, 1),
    warn: sentence => warnings.push(sentence),
    random: () => 1,
    ...changed,
  });
  onTestFinished(() => model.close());
  return Object.assign(model, { warnings });
}

/** A stream of so many x, each sent only after the one before it was read and `passTime` was called. */
function dripping(count: number) {
  let onRead = () => {};
  const answer: Answer = async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < count && !response.destroyed; sent++) {
      const read = new Promise<void>(resolve => {
        onRead = resolve;
      });
      response.write(piece('x'));
      await read;
    }
    response.end(piece('', 'stop') + usagePiece + donePiece);
  };
  const onText = (passTime: () => void) => () => {
    passTime();
    onRead();
  };
  return { answer, onText };
}

async function errorOf(promise: Promise<unknown>): Promise<HefixError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HefixError);
  const failed = error as HefixError;
  expect(`${failed.message} ${failed.hint} ${failed.stack}`).not.toMatch(/0123456789/);
  return failed;
}

describe('a good server', () => {
  test('streams, reports usage, and receives the request', async () => {
    const server = await startServer(stream('def ', 'f():\n', '    return «ß»\n'));
    const model = modelOf(server);
    const pieces: string[] = [];
    expect(await model.generate(request, { onText: text => pieces.push(text) })).toEqual({
      text: 'def f():\n    return «ß»\n',
      promptTokens: 11,
      completionTokens: 7,
      finish: 'stop',
    });
    expect(pieces).toEqual(['def ', 'f():\n', '    return «ß»\n']);
    const [received] = server.requests;
    expect(received).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEYS[0]?.value}`, 'content-type': 'application/json' },
    });
    expect(received?.body).toEqual({
      model: 'coder',
      messages: request.messages,
      temperature: 0.2,
      top_p: 0.95,
      seed: 42,
      max_tokens: 64,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(model.warnings).toEqual([]);
  });

  test('is identified by address, model and omitted parameters, not by keys', async () => {
    const server = await startServer(stream('x'));
    expect(modelOf(server)).toMatchObject({ name: 'coder', fingerprint: `${server.baseUrl} coder` });
    expect(modelOf(server, { keys: KEYS }).fingerprint).toBe(`${server.baseUrl} coder`);
    expect(modelOf(server, { omit: ['seed'] }).fingerprint).toBe(`${server.baseUrl} coder without seed`);
  });

  test('receives top_k only if it is set, and no omitted parameters', async () => {
    const server = await startServer(stream('x'));
    await modelOf(server).generate({ ...request, topK: 20 });
    await modelOf(server, { omit: ['seed', 'temperature', 'top_k', 'top_p', 'max_tokens'] }).generate({
      ...request,
      topK: 20,
    });
    expect(server.requests[0]?.body).toMatchObject({ top_k: 20 });
    expect(Object.keys(server.requests[1]?.body ?? {})).toEqual([
      'model',
      'messages',
      'stream',
      'stream_options',
    ]);
  });

  test('needs no key', async () => {
    const server = await startServer(stream('x'));
    await modelOf(server, { keys: [] }).generate(request);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('may split characters over chunks, send comments to keep the connection alive, and use CRLF', async () => {
    const parts = [
      ': waiting\n\n',
      piece('naïve «λ»'),
      ': waiting\n\n',
      piece(' 🎯', 'length'),
      usagePiece,
      donePiece,
    ];
    const crlf = parts.map(part => part.replaceAll('\n', '\r\n'));
    const server = await startServer(streamed(crlf, { chunk: 3 }));
    expect(await modelOf(server).generate(request)).toMatchObject({ text: 'naïve «λ» 🎯', finish: 'length' });
  });

  test('may omit [DONE], the last empty line, and usage, which is then estimated with a note', async () => {
    const server = await startServer(streamed([piece('12345678'), piece('', 'stop').trimEnd()]));
    const model = modelOf(server);
    expect(await model.generate(request)).toEqual({
      text: '12345678',
      promptTokens: 7,
      completionTokens: 2,
      finish: 'stop',
    });
    await model.generate(request);
    expect(model.warnings).toEqual([expect.stringContaining('reports no usage')]);
  });

  test('may ignore the request to stream, under any content type', async () => {
    const wholeText = JSON.stringify({
      choices: [{ message: { content: 'whole' }, finish_reason: 'length' }],
      usage,
    });
    const server = await startServer(
      whole('whole'),
      raw(wholeText, 'text/plain'),
      raw(piece('whole', 'stop') + usagePiece + donePiece, 'application/octet-stream'),
    );
    const model = modelOf(server);
    for (let i = 0; i < 3; i++) {
      const pieces: string[] = [];
      const completion = await model.generate(request, { onText: text => pieces.push(text) });
      expect(completion).toMatchObject({ text: 'whole', promptTokens: 11, completionTokens: 7 });
      expect(pieces).toEqual(['whole']);
    }
    expect(server.requests).toHaveLength(3);
  });

  test('may return thoughts in a separate field, which are not part of the answer', async () => {
    const thought = `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: 'def wrong(): ...' } }] })}\n\n`;
    const server = await startServer(
      streamed([thought, piece('def right(): ...', 'stop'), usagePiece, donePiece]),
    );
    expect(await modelOf(server).generate(request)).toMatchObject({ text: 'def right(): ...' });
  });

  test('may be cut off in a thought opened by the template, which is no answer', async () => {
    const cut = [piece('First, def f(): return 0', 'length'), usagePiece, donePiece];
    const thought = `data: ${JSON.stringify({ choices: [{ delta: { reasoning: 'Hm.' } }] })}\n\n`;
    const server = await startServer(
      streamed(cut),
      streamed([thought, ...cut]),
      streamed([piece('So.</think>def f(): return', 'length'), usagePiece, donePiece]),
      streamed(cut),
    );
    const ask = (model: string) => modelOf(server, { model }).generate(request);
    expect(await errorOf(ask('Qwen/Qwen3-4B-Thinking-2507'))).toMatchObject({ code: 'BACKEND_ANSWER_EMPTY' });
    expect((await ask('Qwen/Qwen3-4B-Thinking-2507')).text).toBe('First, def f(): return 0');
    expect((await ask('deepseek-r1:1.5b')).text).toBe('So.</think>def f(): return');
    expect((await ask('qwen2.5-coder')).text).toBe('First, def f(): return 0');
  });

  test('gets requests for whole replies after it refuses to stream or to report usage', async () => {
    const server = await startServer(
      failure(400, 'Unrecognized request argument supplied: stream_options'),
      whole('a'),
      whole('b'),
    );
    const model = modelOf(server, { maxTries: 1 });
    expect((await model.generate(request)).text).toBe('a');
    expect((await model.generate(request)).text).toBe('b');
    expect(server.requests.map(({ body }) => body.stream)).toEqual([true, undefined, undefined]);
  });

  test('may support only the new name of max_tokens', async () => {
    const words =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const server = await startServer(failure(400, words, { param: 'max_tokens' }), stream('x'));
    const model = modelOf(server, { maxTries: 1 });
    await model.generate(request);
    expect(server.requests[1]?.body).toMatchObject({ max_completion_tokens: 64 });
    expect(server.requests[1]?.body).not.toHaveProperty('max_tokens');
  });

  test('gets a grammar in the fields of llama.cpp, vLLM and SGLang, and none after it refused one', async () => {
    const grammar = 'root ::= "x"\n';
    const asked = { ...request, grammar };
    const fields = { grammar, structured_outputs: { grammar }, guided_grammar: grammar, ebnf: grammar };
    for (const refusal of [
      failure(400, 'Unrecognized request argument supplied: ebnf'),
      failure(422, 'Extra inputs are not permitted'),
      failure(500, 'Failed to parse grammar'),
    ]) {
      const server = await startServer(stream('x'), refusal, stream('x'));
      const model = modelOf(server, { maxTries: 1 });
      for (let count = 0; count < 3; count++) expect((await model.generate(asked)).text).toBe('x');
      expect(server.requests.map(({ body }) => 'structured_outputs' in body)).toEqual([
        true,
        true,
        false,
        false,
      ]);
      expect(server.requests[0]?.body).toMatchObject(fields);
    }
    const busy = await startServer(failure(400, 'This model does not like it'));
    await expect(modelOf(busy, { maxTries: 1 }).generate(asked)).rejects.toMatchObject({
      code: 'BACKEND_REQUEST_REFUSED',
    });
    expect(busy.requests).toHaveLength(2);
  });

  test('receives the thinking setting if requested, or if it would think by default', async () => {
    const server = await startServer(stream('x'));
    await modelOf(server, { model: 'coder' }).generate({ ...request, thinking: true });
    await modelOf(server, { model: 'Qwen/Qwen3-0.6B' }).generate(request);
    await modelOf(server, { model: 'Qwen/Qwen3-Coder-30B-A3B-Instruct' }).generate(request);
    await modelOf(server, { model: 'qwen3', omit: ['chat_template_kwargs'] }).generate(request);
    expect(server.requests.map(({ body }) => body.chat_template_kwargs)).toEqual([
      { enable_thinking: true },
      { enable_thinking: false },
      undefined,
      undefined,
    ]);
  });

  test('a server without thinking support is used without it, unless thinking was requested', async () => {
    const words = 'Unrecognized request argument supplied: chat_template_kwargs';
    const server = await startServer(failure(400, words), stream('x'), failure(400, words));
    const model = modelOf(server, { model: 'qwen3:0.6b', maxTries: 1 });
    expect((await model.generate(request)).text).toBe('x');
    expect(server.requests[1]?.body).not.toHaveProperty('chat_template_kwargs');
    const other = modelOf(server, { model: 'qwen3:0.6b', maxTries: 1 });
    expect((await errorOf(other.generate({ ...request, thinking: true }))).code).toBe(
      'BACKEND_PARAMETER_REFUSED',
    );
  });

  test('Ollama receives the reasoning effort, and may think by default', async () => {
    const server = await startServer(stream('x'));
    const ollama = { ...providers.ollama, baseUrl: server.baseUrl };
    await modelOf(server, { server: ollama, model: 'qwen3:0.6b' }).generate(request);
    await modelOf(server, { server: ollama, model: 'qwen3:0.6b' }).generate({ ...request, thinking: true });
    await modelOf(server, { server: ollama, model: 'qwen2.5-coder:0.5b' }).generate(request);
    await modelOf(server, { server: ollama, model: 'qwen3', omit: ['reasoning_effort'] }).generate(request);
    expect(server.requests.map(({ body }) => [body.reasoning_effort, body.chat_template_kwargs])).toEqual([
      ['none', undefined],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(serverAt('http://10.0.0.2:11434/v1').isOllama).toBe(true);
    expect(serverAt('https://ollama.com/v1').isOllama).toBe(true);
    expect(serverAt('http://10.0.0.2:8000/v1').isOllama).toBe(false);
  });

  test('an older Ollama is used without the reasoning effort, with a warning', async () => {
    const words = 'invalid reasoning value: \'none\' (must be "high", "medium", or "low")';
    const server = await startServer(failure(400, words), stream('x'));
    const ollama = { ...providers.ollama, baseUrl: server.baseUrl };
    const model = modelOf(server, { server: ollama, model: 'qwen3:0.6b', maxTries: 1 });
    expect((await model.generate(request)).text).toBe('x');
    expect(server.requests[1]?.body).not.toHaveProperty('reasoning_effort');
    expect(model.warnings).toEqual([expect.stringContaining('cannot turn off thinking for qwen3:0.6b')]);
  });

  test('receives no more concurrent requests than allowed', async () => {
    const held: (() => void)[] = [];
    const server = await startServer(async (response, received) => {
      // Answers two at a time.
      await new Promise<void>(resolve => {
        held.push(resolve);
        if (held.length === 2) for (const answer of held.splice(0)) answer();
      });
      await whole('x')(response, received);
    });
    const model = modelOf(server, { maxConcurrency: 2 });
    await Promise.all(Array.from({ length: 6 }, () => model.generate(request)));
    expect(server.mostAtOnce()).toBe(2);
  });
});

describe('a server that fails', () => {
  test.each([408, 409, 425, 500, 502, 503, 529])('a server that fails with %i is retried', async status => {
    const server = await startServer(failure(status, 'try later'), stream('at last'));
    expect((await modelOf(server).generate(request)).text).toBe('at last');
    expect(server.requests).toHaveLength(2);
  });

  test('is tried three times with growing waits, and then given up', async () => {
    const server = await startServer(
      raw('<html><title>502 Bad Gateway</title><body>nginx</body></html>', 'text/html', 502),
    );
    const { waits, ...time } = fakeTime();
    const error = await errorOf(modelOf(server, time).generate(request));
    expect(error).toMatchObject({
      code: 'BACKEND_FAILED',
      message: `${server.baseUrl} failed: 502 Bad Gateway (502).`,
    });
    expect(server.requests).toHaveLength(3);
    expect(waits).toEqual([251, 501]);
  });

  test('is tried --max-tries times', async () => {
    const server = await startServer(failure(500, 'no'));
    await errorOf(modelOf(server, { maxTries: 1 }).generate(request));
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['seconds', '2'],
    ['an HTTP date', 'Thu, 01 Jan 1970 00:00:02 GMT'],
  ])('is retried after the wait that it requests, in %s', async (_, after) => {
    const server = await startServer(failure(503, 'busy', {}, { 'retry-after': after }), stream('x'));
    const { waits, ...time } = fakeTime();
    await modelOf(server, time).generate(request);
    expect(waits).toEqual([2001]);
  });

  test('is given up immediately if it asks for more than ten minutes', async () => {
    const server = await startServer(failure(503, 'maintenance', {}, { 'retry-after': '3600' }));
    expect((await errorOf(modelOf(server).generate(request))).code).toBe('BACKEND_FAILED');
    expect(server.requests).toHaveLength(1);
  });

  test('a server that fails by truncating an answer is retried', async () => {
    const server = await startServer(cutOff([piece('def f'), piece('():')]), stream('def f(): pass'));
    expect((await modelOf(server).generate(request)).text).toBe('def f(): pass');
  });

  test.each([
    ['cuts off every answer', cutOff([piece('def f')])],
    ['ends every answer without an end', streamed([piece('def f')])],
  ])('a server that %s has an error code of its own', async (_, answer) => {
    const server = await startServer(answer);
    const error = await errorOf(modelOf(server, { maxTries: 2 }).generate(request));
    expect(error.code).toBe('BACKEND_CUT_OFF');
    expect(server.requests).toHaveLength(2);
  });

  test('a server that fails with an error message in the stream is retried', async () => {
    const words = `data: ${JSON.stringify({ error: { message: 'Overloaded', code: 503 } })}\n\n`;
    const server = await startServer(streamed([piece('de'), words]), stream('x'));
    expect((await modelOf(server).generate(request)).text).toBe('x');
  });

  test('a server that fails by exceeding the time limit is given up', async () => {
    const { advance, ...time } = fakeTime();
    const server = await startServer(() => void advance(50_000));
    const model = modelOf(server, { ...time, maxTries: 2, requestTimeout: 50 });
    expect(await errorOf(model.generate(request))).toMatchObject({
      code: 'BACKEND_TIMEOUT',
      message: `${server.baseUrl} did not finish an answer within 50 s.`,
    });
    expect(server.requests).toHaveLength(2);
  });

  test('a server that fails by never finishing is given up too', async () => {
    const { advance, ...time } = fakeTime();
    const drip = dripping(100);
    const server = await startServer(drip.answer);
    const model = modelOf(server, { ...time, maxTries: 1 });
    const onText = drip.onText(() => advance(40_000));
    expect(await errorOf(model.generate(request, { onText }))).toMatchObject({
      code: 'BACKEND_TIMEOUT',
      message: `${server.baseUrl} did not finish an answer within 300 s.`,
    });
  });

  test('a server that fails by sending nothing for a while is given up before the time limit', async () => {
    const { advance, ...time } = fakeTime();
    const server = await startServer(
      () => void advance(60_000),
      response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(piece('x'));
      },
    );
    const model = modelOf(server, { ...time, maxTries: 2 });
    const onText = () => advance(60_000);
    expect(await errorOf(model.generate(request, { onText }))).toMatchObject({
      code: 'BACKEND_TIMEOUT',
      message: `${server.baseUrl} sent nothing for 60 s.`,
    });
    expect(server.requests).toHaveLength(2);
  });

  test('a slow server is given time while data arrives, and for whole replies', async () => {
    const { advance, ...time } = fakeTime();
    const drip = dripping(3);
    const server = await startServer(
      drip.answer,
      failure(400, 'stream is not supported'),
      async (response, received) => {
        advance(200_000);
        await whole('y')(response, received);
      },
    );
    const model = modelOf(server, { ...time, maxTries: 1 });
    const onText = drip.onText(() => advance(40_000));
    expect((await model.generate(request, { onText })).text).toBe('xxx');
    expect((await model.generate(request)).text).toBe('y');
  });

  test('a server that fails by sending endlessly is cut off at an implausible size', async () => {
    const megabyte = `: ${'x'.repeat(2 ** 20)}\n\n`;
    let sent = 0;
    const server = await startServer(async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      while (!response.destroyed && sent < 200) {
        sent++;
        if (!response.write(megabyte)) await drained(response);
      }
      response.end();
    });
    const error = await errorOf(modelOf(server, { maxTries: 1 }).generate(request));
    expect(error.message).toBe(
      `The reply of ${server.baseUrl} is longer than 16 MiB and was not read further.`,
    );
    expect(sent).toBeLessThan(200);
  });

  test('because it is unreachable is named with its address', async () => {
    const model = modelOf({
      baseUrl: 'http://127.0.0.1:1/v1',
      requests: [],
      asked: [],
      mostAtOnce: () => 0,
      connections: () => 0,
    });
    expect(await errorOf(model.generate(request))).toMatchObject({
      code: 'BACKEND_UNREACHABLE',
      message: 'http://127.0.0.1:1/v1 cannot be reached: the connection is refused.',
    });
  });
});

describe('an invalid reply', () => {
  test.each([
    ['invalid JSON', raw('{"choices": [', 'application/json'), /is not JSON: \{"choices": \[/],
    ['an empty body', raw('', 'application/json'), /is not JSON/],
    ['invalid JSON in a stream', streamed(['data: {"choices"\n\n']), /is not JSON/],
    ['no choices', json({ choices: [], usage }), /has no choices/],
    ['no choices in a stream', streamed([usagePiece, donePiece]), /has no choices/],
    ['another kind of JSON', json(['x']), /is not a chat completion/],
  ])('%s: is asked for again, then named', async (_, answer, words) => {
    const server = await startServer(answer);
    const error = await errorOf(modelOf(server, { maxTries: 2 }).generate(request));
    expect(error).toMatchObject({ code: 'BACKEND_REPLY_INVALID', message: expect.stringMatching(words) });
    expect(server.requests).toHaveLength(2);
  });

  test('a reply of HTML means a wrong address and is not retried', async () => {
    const server = await startServer(raw('<!doctype html><title>Welcome</title>', 'text/html'));
    const error = await errorOf(modelOf(server).generate(request));
    expect(error.message).toContain('is a page (text/html): ');
    expect(error.hint).toContain('--base-url');
    expect(server.requests).toHaveLength(1);
  });

  test('a reply without text is asked for again, warned of once, and then an error', async () => {
    const server = await startServer(
      json({ choices: [{ message: { content: null }, finish_reason: 'stop' }], usage }),
    );
    const model = modelOf(server, { maxTries: 2 });
    expect(await errorOf(model.generate(request))).toMatchObject({ code: 'BACKEND_ANSWER_EMPTY' });
    expect(await errorOf(model.generate(request))).toMatchObject({ code: 'BACKEND_ANSWER_EMPTY' });
    expect(server.requests).toHaveLength(4);
    expect(model.warnings).toHaveLength(1);
  });
});

describe('a request that is refused', () => {
  const vllm = "This model's maximum context length is 2048 tokens. However, you requested 3000 tokens";
  const llamaCpp = 'the request exceeds the available context size, try increasing it';
  const tgi = '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens';
  test.each([
    ['a context too long (vLLM)', failure(400, vllm), 'BACKEND_CONTEXT_TOO_LONG'],
    [
      'a context too long (OpenAI)',
      failure(400, 'Too long', { code: 'context_length_exceeded' }),
      'BACKEND_CONTEXT_TOO_LONG',
    ],
    [
      'a context too long (llama.cpp)',
      failure(400, llamaCpp, { type: 'exceed_context_size_error' }),
      'BACKEND_CONTEXT_TOO_LONG',
    ],
    ['a context too long (TGI)', json({ error: tgi }, 422), 'BACKEND_CONTEXT_TOO_LONG'],
    ['a body too large', raw('', 'text/plain', 413), 'BACKEND_CONTEXT_TOO_LONG'],
    [
      'an unknown model (OpenAI)',
      failure(404, 'The model `coder` does not exist', { code: 'model_not_found' }),
      'BACKEND_MODEL_UNKNOWN',
    ],
    [
      'an unknown model (Ollama)',
      failure(404, 'model "coder" not found, try pulling it first'),
      'BACKEND_MODEL_UNKNOWN',
    ],
    [
      'an unknown model (router)',
      failure(400, "The requested model 'coder' is not supported by any provider you have enabled."),
      'BACKEND_MODEL_UNKNOWN',
    ],
    ['a wrong path', json({ detail: 'Not Found' }, 404), 'BACKEND_ADDRESS_WRONG'],
    [
      'a redirection',
      raw('', 'text/plain', 308, { location: 'https://example.org/v1' }),
      'BACKEND_ADDRESS_WRONG',
    ],
    ['a parameter', failure(400, 'Unknown field', { param: 'seed' }), 'BACKEND_PARAMETER_REFUSED'],
    [
      'a parameter (pydantic)',
      json({ detail: [{ loc: ['body', 'top_p'], msg: 'Extra inputs' }] }, 422),
      'BACKEND_PARAMETER_REFUSED',
    ],
    ['anything else', failure(400, 'Bad roles.'), 'BACKEND_REQUEST_REFUSED'],
  ])('%s: once, with one sentence', async (_, answer, code) => {
    const server = await startServer(answer);
    const error = await errorOf(modelOf(server).generate(request));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^[^\n]+[^.]\.$/);
    expect(server.requests).toHaveLength(1);
  });

  test('names the parameter and how to omit it', async () => {
    const server = await startServer(
      failure(400, "Unsupported value: 'temperature' does not support 0.2 with this model."),
    );
    const error = await errorOf(modelOf(server).generate(request));
    expect(error.message).toContain('refuses the parameter temperature: Unsupported value');
    expect(error.hint).toContain('--omit temperature');
  });
});

describe('keys', () => {
  const bearer = (index: number) => `Bearer ${KEYS[index]?.value}`;
  const sent = (server: TestServer) => server.requests.map(({ headers }) => headers.authorization);

  test('are used in turn', async () => {
    const server = await startServer(stream('x'));
    const model = modelOf(server, { keys: KEYS });
    for (let i = 0; i < 4; i++) await model.generate(request);
    expect(sent(server)).toEqual([bearer(0), bearer(1), bearer(0), bearer(1)]);
  });

  test('are identified by position in debug messages, and never shown', async () => {
    const server = await startServer(stream('x'));
    const traced: string[] = [];
    const model = modelOf(server, { keys: KEYS, trace: sentence => traced.push(sentence) });
    for (let i = 0; i < 2; i++) await model.generate(request);
    expect(traced).toEqual([
      `A request to ${server.baseUrl} goes out with key 1 of 2 in OPENAI_API_KEY.`,
      `A request to ${server.baseUrl} goes out with key 2 of 2 in OPENAI_API_KEY.`,
    ]);
  });

  test('keys that a server echoes, whole or in parts, are removed', async () => {
    const key = KEYS[0]?.value ?? '';
    const call = { function: { name: 'run', arguments: `{"code":"${key}"}` } };
    const server = await startServer(
      stream('a = "', key.slice(0, 9), key.slice(9), '"\nsk-fir'),
      whole(`"${key}"`),
      json({ choices: [{ message: { content: null, tool_calls: [call] } }], usage }),
    );
    const model = modelOf(server);
    const pieces: string[] = [];
    const first = await model.generate(request, { onText: text => pieces.push(text) });
    expect(first.text).toBe('a = "[key]"\nsk-fir');
    expect(pieces.join('')).toBe(first.text);
    expect((await model.generate(request)).text).toBe('"[key]"');
    expect((await model.generate(request)).toolCalls).toEqual([
      { name: 'run', arguments: '{"code":"[key]"}' },
    ]);
  });

  test('keys that are rate limited pause as requested, while others work', async () => {
    const server = await startServer((response, received) => {
      const limited = received.headers.authorization === bearer(0);
      const answer = limited ? failure(429, 'slow down', {}, { 'retry-after': '60' }) : stream('x');
      return answer(response, received);
    });
    const time = { ms: 0 };
    const model = modelOf(server, { keys: KEYS, maxTries: 1, now: () => new Date(time.ms) });
    for (let i = 0; i < 3; i++) await model.generate(request);
    expect(sent(server)).toEqual([bearer(0), bearer(1), bearer(1), bearer(1)]);
    time.ms = 61_000;
    await model.generate(request);
    await model.generate(request);
    expect(sent(server).slice(4)).toContain(bearer(0));
  });

  test('keys that are rate limited without a time pause for growing times', async () => {
    const server = await startServer(failure(429, 'slow'), failure(429, 'slow'), stream('x'));
    const { waits, ...time } = fakeTime();
    await modelOf(server, time).generate(request);
    expect(waits).toEqual([251, 501]);
  });

  test('keys that are all limited are waited for up to --max-wait, with a message', async () => {
    const server = await startServer(failure(429, 'slow', {}, { 'retry-after-ms': '1500' }));
    const model = modelOf(server, { maxTries: 1, maxWait: 4 });
    const error = await errorOf(model.generate(request));
    expect(error).toMatchObject({
      code: 'BACKEND_LIMITED',
      message: `${server.baseUrl} limits the rate of requests and asks to wait 2 s: slow (429), after 3 s of waiting.`,
    });
    expect(error.hint).toContain('--resume');
    expect(server.requests).toHaveLength(3);
    expect(model.warnings).toEqual(
      Array(2).fill(`${server.baseUrl} limits the rate of requests: waiting 2 s.`),
    );
  });

  test('keys that are limited do not count as tries', async () => {
    const later = failure(429, 'slow', {}, { 'retry-after-ms': '5' });
    const server = await startServer(later, later, later, later, later, stream('x'));
    const model = modelOf(server, { maxTries: 1 });
    expect((await model.generate(request)).text).toBe('x');
  });

  test('keys that are all limited for an hour are not waited for', async () => {
    const server = await startServer(failure(429, 'daily limit', {}, { 'retry-after': '3600' }));
    const model = modelOf(server, { keys: KEYS });
    const error = await errorOf(model.generate(request));
    expect(error.message).toContain('limits the rate of requests and asks to wait 3600 s: daily limit (429)');
    await errorOf(model.generate(request));
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['401', failure(401, 'Incorrect API key provided')],
    ['402', failure(402, 'out of credit')],
    ['403', failure(403, 'forbidden')],
    ['no credit', failure(429, 'You exceeded your current quota', { code: 'insufficient_quota' })],
  ])('that are refused (%s) are used no more, and named without being shown', async (_, refusal) => {
    const server = await startServer((response, received) =>
      (received.headers.authorization === bearer(0) ? refusal : stream('x'))(response, received),
    );
    const model = modelOf(server, { keys: KEYS, maxTries: 1 });
    for (let i = 0; i < 3; i++) await model.generate(request);
    expect(sent(server)).toEqual([bearer(0), bearer(1), bearer(1), bearer(1)]);
    expect(model.warnings).toEqual([expect.stringContaining('refused key 1 of 2 in OPENAI_API_KEY: ')]);
  });

  test('keys that are all rejected end the request, and later ones immediately', async () => {
    const server = await startServer((response, received) =>
      failure(401, `Incorrect key: ${received.headers.authorization}`)(response, received),
    );
    const model = modelOf(server, { keys: KEYS });
    const error = await errorOf(model.generate(request));
    expect(error).toMatchObject({
      code: 'BACKEND_KEY_REFUSED',
      message: `${server.baseUrl} refused all 2 keys in OPENAI_API_KEY: Incorrect key: Bearer [key] (401).`,
    });
    await errorOf(model.generate(request));
    expect(server.requests).toHaveLength(2);
  });

  test('keys that are missing are reported with their variables', async () => {
    const server = await startServer(failure(401, 'no key'));
    const error = await errorOf(modelOf(server, { keys: [] }).generate(request));
    expect(error.code).toBe('BACKEND_KEY_MISSING');
    expect(error.hint).toContain('OPENAI_API_KEY');
  });

  test.each([
    ['a refusal', (key: string) => failure(400, `bad ${key}`)],
    ['a failure', (key: string) => raw(`oops ${key}`, 'text/plain', 500)],
    ['a page', (key: string) => raw(`<html>${key}</html>`, 'text/html')],
    ['broken JSON', (key: string) => raw(`{"${key}`, 'application/json')],
    [
      'a redirection',
      (key: string) => raw('', 'text/plain', 302, { location: `https://example.org/?k=${key}` }),
    ],
    ['an error in a stream', (key: string) => streamed([`data: {"error": {"message": "${key}"}}\n\n`])],
  ])('that a server repeats in %s are shown to nobody', async (_, answerWith) => {
    const server = await startServer((response, received) =>
      answerWith(String(received.headers.authorization).slice('Bearer '.length))(response, received),
    );
    const model = modelOf(server, { maxTries: 1 });
    expect((await errorOf(model.generate(request))).message).toContain('[key]');
    expect(model.warnings.join()).not.toContain('0123456789');
  });
});

describe('an abort', () => {
  const unfinished: Answer = response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(piece('x'));
  };
  test.each([
    ['before the request', silent, 'start'],
    ['while the server is silent', silent, 'request'],
    ['in the middle of a stream', unfinished, 'text'],
    ['while it waits for another try', failure(503, 'busy', {}, { 'retry-after': '30' }), 'wait'],
    ['while it waits for a key', failure(429, 'slow', {}, { 'retry-after': '30' }), 'wait'],
  ] as const)('%s rejects with its reason', async (_, answer, moment) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const reached = (now: typeof moment) => {
      if (now === moment) controller.abort(reason);
    };
    const server = await startServer((response, received) => {
      reached('request');
      return answer(response, received);
    });
    const waiting: Wait = async (milliseconds, signal) => {
      const waited = wait(milliseconds, signal);
      reached('wait');
      await waited;
    };
    const model = modelOf(server, { wait: waiting });
    reached('start');
    const { signal } = controller;
    await expect(model.generate(request, { signal, onText: () => reached('text') })).rejects.toBe(reason);
  });

  test('leaves the model usable, until it is closed', async () => {
    const controller = new AbortController();
    const server = await startServer(() => controller.abort(new Error('enough')), stream('x'));
    const model = modelOf(server);
    await expect(model.generate(request, { signal: controller.signal })).rejects.toThrow('enough');
    expect((await model.generate(request)).text).toBe('x');
    await model.close();
    expect((await errorOf(model.generate(request))).code).toBe('BACKEND_CLOSED');
  });
});

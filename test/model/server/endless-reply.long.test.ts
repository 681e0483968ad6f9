import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { asking, openModel } from './open-model.ts';
import { drained, startServer } from './test-server.ts';

const megabyte = 'x'.repeat(2 ** 20);
const delta = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const sse = { 'content-type': 'text/event-stream' };

/** What a hostile server may send for ever: the headers, how it begins, and what it repeats. */
const endless: Readonly<Record<string, readonly [object, string, string]>> = {
  comments: [sse, '', `: ${megabyte}\n\n`],
  'text in the stream': [sse, '', delta(megabyte)],
  'empty pieces': [sse, '', delta('').repeat(10_000)],
  'one line without an end': [sse, 'data: ', megabyte],
  'one piece of JSON': [
    { 'content-type': 'application/json' },
    '{"choices":[{"message":{"content":"',
    megabyte,
  ],
  'blank lines': [sse, '', '\n'.repeat(2 ** 20)],
};

test.for(Object.entries(endless))(
  '%s without an end are cut at a size that no answer has',
  async ([, parts]) => {
    const [headers, first, more] = parts;
    let sent = 0;
    const server = await startServer(async (response: ServerResponse) => {
      response.writeHead(200, headers as Record<string, string>);
      response.write(first);
      while (!response.destroyed && sent < 200) {
        sent++;
        if (!response.write(more)) await drained(response);
      }
      response.end();
    });
    const error = await openModel(server)
      .generate(asking('x'))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'BACKEND_REPLY_INVALID',
      message: `The reply of ${server.baseUrl} is longer than 16 MiB and was not read further.`,
    });
    expect(sent).toBeLessThan(200);
  },
);
